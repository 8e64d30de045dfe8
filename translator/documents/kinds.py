"""The kinds of files that can be translated, in one table, and a file read by its ending.

The service's settings and its description, the page and the command line are made from the table. A
new kind is a reader, an entry here and a row of docs/commands.md. A reader is loaded when needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path, PurePath

from translator.documents.document import Document
from translator.errors import ConfigError, InputError
from translator.strict import read_dataclass
from translator.text.characters import primary_language

MAX_FILE_BYTES = 64 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class FileOptions:
    """What people can ask of files of some kinds; `FileKind.options` says which takes what.

    Attributes:
        columns: of a table, those that are translated: by what stands above them, or by their
            number, from 1. Text that stays in other columns is left alone, and so are the heads if
            one column is named by its head. All columns that are text if empty.
        sheet_names: whether the names of sheets are translated, with all formulas that have them.
        replace_translations: whether a catalogue with translations into another language loses
            them, and is translated from its sources; otherwise it is refused.
        front_matter: whether titles, descriptions and summaries in the front matter of Markdown are
            translated, and texts in the arguments of its short codes.
    """

    columns: tuple[str, ...] = ()
    sheet_names: bool = False
    replace_translations: bool = False
    front_matter: bool = False

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


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file.

    Attributes:
        name: as people call it.
        endings: of the names of such files, in small letters and without the dot.
        media_type: as HTTP calls it.
        reader: `module.function` in `translator.documents`; loaded when it is needed. It takes the
            name of a file and its content. If it has a parameter `target`, it is told the language
            wanted, and if it has one named `options`, the options.
        is_lines: whether the command line reads it line by line.
        modules: of packages that it needs, and that come with the extra.
        extra: name of the optional packages, as pip takes it.
        options: names of fields of `FileOptions` that a reader of this kind takes.
    """

    name: str
    endings: tuple[str, ...]
    media_type: str
    reader: str
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
        parameters, further = signature(read).parameters, {"target": target, "options": options}
        return read(name, data, **{key: further[key] for key in further if key in parameters})

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


_FAMILIES = {
    "OFFICE": "application/vnd.openxmlformats-officedocument",
    "OPEN": "application/vnd.oasis.opendocument",
}
_EXTRAS = {"pdf": ("pypdfium2", "pikepdf", "fontTools")}
_TABLE = """
Plain text | txt | text/plain | plain.read_text
Markdown | md mdx | text/markdown | plain.read_markdown | front_matter
HTML | html htm | text/html | plain.read_page
Saved page | mhtml mht | multipart/related | mhtml.read_mhtml
PDF | pdf | application/pdf | pdf.document.read_pdf
Jupyter notebook | ipynb | application/x-ipynb+json | notebook.read_notebook
CSV | csv | text/csv | tables.read_csv | columns
TSV | tsv tab | text/tab-separated-values | tables.read_tsv | columns
Word | docx docm dotx dotm | OFFICE.wordprocessingml.document | office.word.read_docx
PowerPoint | pptx pptm ppsx ppsm potx potm | \
OFFICE.presentationml.presentation | office.drawing.read_pptx
Excel | xlsx xlsm xltx xltm | OFFICE.spreadsheetml.sheet | office.sheets.read_xlsx | sheet_names
OpenDocument text | odt | OPEN.text | opendocument.package.read_odt
OpenDocument slides | odp | OPEN.presentation | opendocument.package.read_odp
OpenDocument sheets | ods | OPEN.spreadsheet | opendocument.package.read_ods | sheet_names
EPUB | epub | application/epub+zip | epub.read_epub
SubRip | srt | application/x-subrip | subtitles.read_srt
WebVTT | vtt | text/vtt | subtitles.read_vtt
SubStation Alpha | ass ssa | text/x-ssa | subtitles.read_ass
gettext | po pot | text/x-gettext-translation | catalogues.gettext.read_po | replace_translations
XLIFF | xliff xlf | application/xliff+xml | catalogues.xliff.read_xliff | replace_translations
JSON | json | application/json | catalogues.json_strings.read_json
Java properties | properties | text/x-java-properties | catalogues.properties.read_properties
Apple strings | strings | text/x-apple-strings | catalogues.apple.read_strings
Android strings | xml | application/xml | catalogues.android.read_android
.NET resources | resx resw | text/microsoft-resx | catalogues.resx.read_resx
Qt | ts | application/x-linguist | catalogues.qt.read_qt | replace_translations
Xcode strings | xcstrings | application/x-xcstrings+json | catalogues.xcstrings.read_xcstrings
TMX | tmx | application/x-tmx+xml | catalogues.tmx.read_tmx
Flutter ARB | arb | application/x-arb+json | catalogues.json_strings.read_arb
Rails YAML | yml yaml | application/yaml | catalogues.rails.read_yaml
"""

_UNREAD = """
reStructuredText | rst rest | convert it into Markdown or HTML
AsciiDoc | adoc asciidoc | convert it into HTML
Fluent | ftl | put its texts into a catalogue such as .po or .json
Org | org | convert it into Markdown or HTML
LaTeX | tex latex ltx sty cls bib | convert it into HTML
source code | bash c cc cpp css cxx dart go h hpp java js jsx kt lua mjs php ps1 py r rb rs scala \
scss sh sql swift tsx vue | put its texts into a catalogue such as .po or .json
"""
"""What plain text is not: name, endings, and what to do. Codes of languages, such as `.cs` and
`.pl`, are no endings here, since files of text are named by them."""


def _kind(row: str) -> FileKind:
    name, endings, media_type, reader, *options = (part.strip() for part in row.split("|"))
    family, dot, rest = media_type.partition(".")
    return FileKind(
        name,
        tuple(endings.split()),
        _FAMILIES.get(family, family) + dot + rest,
        reader,
        is_lines=endings == "txt",
        modules=_EXTRAS.get(endings, ()),
        extra=endings if endings in _EXTRAS else "",
        options=tuple(options),
    )


KINDS: Sequence[FileKind] = tuple(map(_kind, _TABLE.strip().splitlines()))
"""All kinds, in the order of the documentation."""


def kinds_by_ending() -> Mapping[str, FileKind]:
    """Return the kinds whose packages are installed, by ending."""
    return {ending: kind for kind in KINDS if kind.is_available for ending in kind.endings}


def kind_of(name: str) -> FileKind | None:
    """Return the kind of a file by the ending of its name; None if it has none of the known."""
    ending = PurePath(name).suffix.lower().removeprefix(".")
    return next((kind for kind in KINDS if ending in kind.endings), None)


def check_is_read(name: str) -> None:
    """Refuse a file that looks like plain text, but has code or markup that nothing here reads.

    Raises:
        InputError: naming what it is by its ending, and what to do.
    """
    ending = PurePath(name).suffix.lower().removeprefix(".")
    for row in _UNREAD.strip().splitlines():
        kind, endings, advice = row.split(" | ")
        if ending in endings.split():
            raise InputError(
                f"{name}: is {kind}, which is not read, and its markup or code would be translated "
                f"as well; {advice}",
                "unknown_kind_of_file",
            )


def read_file(
    name: str, data: bytes, target: str | None = None, options: FileOptions = NO_OPTIONS
) -> Document[bytes]:
    """Take a file apart into units.

    Args:
        name: of the file; its ending says what it is.
        data: its content.
        target: code of the language that it will be translated into; some formats name it inside.
        options: of kinds that have some.

    Raises:
        InputError: the file cannot be read, or takes no such option: one sentence says why.
    """
    check_is_read(name)
    kind = kind_of(name)
    if kind is None:
        known = ", ".join(f".{ending}" for ending in kinds_by_ending())
        raise InputError(
            f"{name}: is no file that can be translated; those end in {known}",
            "unknown_kind_of_file",
        )
    if len(data) > MAX_FILE_BYTES:
        raise InputError(
            f"{name}: has {len(data):,} bytes, and {MAX_FILE_BYTES:,} is the most; split it",
            "file_too_large",
        )
    return kind.read(name, data, target, options)


def is_other_language(said: str | None, target: str | None) -> bool:
    """Return whether a catalogue says that its translations are in another language than wanted."""
    return bool(said and target and primary_language(said) != primary_language(target))


def check_translations(name: str, said: str | None, target: str | None) -> None:
    """Refuse a catalogue whose translations that stay are in another language than wanted.

    Raises:
        InputError: naming both languages.
    """
    if is_other_language(said, target):
        raise InputError(
            f"{name}: has translations into {said}, so it cannot be completed in {target}; take "
            "one without translations, or lose them with --replace-translations (in requests, "
            "`replace_translations` of the `file_options`)"
        )


def is_whole(name: str) -> bool:
    """Return whether a file is translated as a whole, by its name; plain text is not."""
    kind = kind_of(name)
    return kind is not None and not kind.is_lines


def whole_endings() -> list[str]:
    """Return the endings of files that are translated as a whole, such as `.docx`."""
    return [f".{ending}" for ending, kind in kinds_by_ending().items() if not kind.is_lines]


def check_output(source: str, output: str) -> None:
    """Refuse an output whose name says that it is in another format.

    Raises:
        InputError: naming the ending that it must have.
    """
    if is_whole(output) and kind_of(output) is not kind_of(source):
        ending = Path(source).suffix
        raise InputError(
            f"{output}: a translation has the format of its source; let the name end in {ending}"
        )


def check_file_options(name: str, options: FileOptions) -> None:
    """Refuse options for a file that does not take them.

    Raises:
        InputError: naming the option.
    """
    kind = kind_of(name)
    if kind is not None:
        kind.check(name, options)
    elif options.asked:
        raise InputError(f"{name}: takes no option {options.asked[0]!r}; tables and sheets do")
