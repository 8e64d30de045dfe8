"""What is known of a kind of file before one is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from translator.errors import InputError
from translator.text.formats.document import Document


@dataclass(frozen=True, kw_only=True, slots=True)
class FileKind:
    """A kind of file.

    Attributes:
        name: as people call it.
        endings: of the names of such files, in small letters and without the dot.
        media_type: as HTTP calls it.
        reader: `module.function` in `translator.text.files`; loaded when it is needed.
        translated: what of it is translated, for the documentation.
        stays: what comes back as it is, for the documentation.
        wants_target: whether its reader wants to know the language of the translations, which the
            file names or whose plurals it has.
        has_choices: whether its texts may be messages of ICU.
        is_lines: whether the command line reads it line by line.
        modules: of packages that it needs, and that come with the extra.
        extra: name of the optional packages, as pip takes it.
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

    @property
    def is_available(self) -> bool:
        """Whether the packages that it needs are installed."""
        return all(find_spec(module) for module in self.modules)

    def read(self, name: str, data: bytes, target: str | None) -> Document[bytes]:
        """Read a file of this kind; see `read_file`."""
        if not self.is_available:
            raise InputError(
                f"{name}: {self.name} needs optional packages; install them with "
                f"`pip install '.[{self.extra}]'` in the project's folder",
                "unknown_kind_of_file",
            )
        module, _, function = self.reader.rpartition(".")
        read: Callable[..., Document[bytes]] = getattr(
            import_module(f"translator.text.files.{module}"), function
        )
        return read(name, data, target) if self.wants_target else read(name, data)
