"""What is known of a kind of file before one is read, and what can be asked of some kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from importlib.util import find_spec

from translator.errors import ConfigError, InputError
from translator.strict import read_dataclass
from translator.text.formats.document import Document


@dataclass(frozen=True, kw_only=True, slots=True)
class FileOptions:
    """What people can ask of files of some kinds; `FileKind.options` says which takes what.

    Attributes:
        columns: of a table, those that are translated: by what stands above them, or by their
            number, from 1. Text that stays in other columns is left alone, and so are the heads if
            one column is named by its head. All columns that are text if empty.
        sheet_names: whether the names of sheets are translated, with all formulas that have them.
    """

    columns: tuple[str, ...] = ()
    sheet_names: bool = False

    @classmethod
    def read(cls, wanted: Mapping[str, object]) -> FileOptions:
        """Return the options of a mapping.

        Raises:
            InputError: listing every unknown name and every wrong value.
        """
        try:
            return read_dataclass(cls, wanted, "file options")
        except ConfigError as error:
            raise InputError("; ".join(error.problems)) from error

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of those that say something."""
        default = FileOptions()
        names = (field.name for field in fields(self))
        return tuple(name for name in names if getattr(self, name) != getattr(default, name))


NO_OPTIONS = FileOptions()


@dataclass(frozen=True, kw_only=True, slots=True)
class FileKind:
    """A kind of file.

    Attributes:
        name: as people call it.
        endings: of the names of such files, in small letters and without the dot.
        media_type: as HTTP calls it.
        reader: `module.function` in `translator.documents`; loaded when it is needed.
        translated: what of it is translated, for the documentation.
        stays: what comes back as it is, for the documentation.
        wants_target: whether its reader wants to know the language of the translations, which the
            file names or whose plurals it has.
        has_choices: whether its texts may be messages of ICU.
        is_lines: whether the command line reads it line by line.
        modules: of packages that it needs, and that come with the extra.
        extra: name of the optional packages, as pip takes it.
        options: names of fields of `FileOptions` that a reader of this kind takes.
    """

    name: str
    endings: tuple[str, ...]
    media_type: str
    reader: str
    translated: str
    stays: str
    wants_target: bool = False
    has_choices: bool = False
    is_lines: bool = False
    modules: tuple[str, ...] = ()
    extra: str = ""
    options: tuple[str, ...] = ()

    @property
    def is_available(self) -> bool:
        """Whether the packages that it needs are installed."""
        return all(find_spec(module) for module in self.modules)

    def read(
        self, name: str, data: bytes, target: str | None, options: FileOptions = NO_OPTIONS
    ) -> Document[bytes]:
        """Read a file of this kind; see `read_file`."""
        self.check(name, options)
        module, _, function = self.reader.rpartition(".")
        read: Callable[..., Document[bytes]] = getattr(
            import_module(f"translator.documents.{module}"), function
        )
        known = (target,) if self.wants_target else ()
        return read(name, data, *known, options) if self.options else read(name, data, *known)

    def check(self, name: str, options: FileOptions) -> None:
        """Refuse what cannot be read here, and options that are for other kinds.

        Raises:
            InputError: naming what is missing, or the option.
        """
        if not self.is_available:
            raise InputError(
                f"{name}: {self.name} needs optional packages; install them with "
                f"`pip install '.[{self.extra}]'` in the project's folder",
                "unknown_kind_of_file",
            )
        for option in options.asked:
            if option not in self.options:
                raise InputError(f"{name}: {self.name} has no option {option!r}")
