"""The kinds of files that can be translated, in one table, and a file read by its ending.

The service's settings and its description, the page, the command line and the documentation are
made from the table. A new kind is a reader and an entry here. A reader is loaded when it is needed.
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
    """

    columns: tuple[str, ...] = ()
    sheet_names: bool = False
    replace_translations: bool = False

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
_REPLACES = ("replace_translations",)


@dataclass(frozen=True, kw_only=True, slots=True)
class FileKind:
    """A kind of file.

    Attributes:
        name: as people call it.
        endings: of the names of such files, in small letters and without the dot.
        media_type: as HTTP calls it.
        reader: `module.function` in `translator.documents`; loaded when it is needed. It takes the
            name of a file and its content. If it has a parameter `target`, it is told the language
            wanted, and if it has one named `options`, the options.
        translated: what of it is translated, for the documentation.
        stays: what comes back as it is, for the documentation.
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


KINDS: Sequence[FileKind] = (
    FileKind(
        name="Plain text",
        endings=("txt",),
        media_type="text/plain",
        reader="plain.read_text",
        translated="text",
        stays="blank lines, wrapping, lists, blocks of code",
        is_lines=True,
    ),
    FileKind(
        name="Markdown",
        endings=("md",),
        media_type="text/markdown",
        reader="plain.read_markdown",
        translated="text, as with `--format`; titles of links",
        stays="markup, code, settings at the top; where links lead, so one to a heading needs an "
        "id (`{#id}`)",
    ),
    FileKind(
        name="HTML",
        endings=("html", "htm"),
        media_type="text/html",
        reader="plain.read_page",
        translated="text, as with `--format`; titles, alternative texts, descriptions",
        stays="markup, scripts, code. The page gets the language",
    ),
    FileKind(
        name="PDF",
        endings=("pdf",),
        media_type="application/pdf",
        reader="pdf.document.read_pdf",
        translated="paragraphs, headings, lists, cells; each is set again in its place, smaller "
        "where it must; choices of fields; bookmarks",
        stays="pictures, drawings, text in a typewriter's font or inside some forms; fields to "
        "fill in, with their values and tooltips; links, footnote marks and exponents follow their "
        "words",
        modules=("pypdfium2", "pikepdf", "fontTools"),
        extra="pdf",
    ),
    FileKind(
        name="CSV",
        endings=("csv",),
        media_type="text/csv",
        reader="tables.read_csv",
        translated="heads, and cells of text",
        stays="numbers, dates, codes, addresses; columns of which more than half are such; quotes, "
        "and the separator (comma, semicolon, tab or bar)",
        options=("columns",),
    ),
    FileKind(
        name="TSV",
        endings=("tsv", "tab"),
        media_type="text/tab-separated-values",
        reader="tables.read_tsv",
        translated="as in CSV",
        stays="as in CSV",
        options=("columns",),
    ),
    FileKind(
        name="Word",
        endings=("docx", "docm", "dotx", "dotm"),
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        reader="office.word.read_docx",
        translated="paragraphs, tables, headers, footers, notes, text boxes, alternative texts, "
        "charts, SmartArt",
        stays="format, links, fields, comments, deleted text, pictures; text in a style or font "
        "for code. The document gets the language",
    ),
    FileKind(
        name="PowerPoint",
        endings=("pptx", "pptm", "ppsx", "ppsm", "potx", "potm"),
        media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
        reader="office.drawing.read_pptx",
        translated="shapes, tables, groups, notes, SmartArt; titles, series and categories of "
        "charts; alternative texts",
        stays="format, links, numbers of slides, dates, pictures, animations; masters and layouts; "
        "the sheet inside a chart. The document gets the language",
    ),
    FileKind(
        name="Excel",
        endings=("xlsx", "xlsm", "xltx", "xltm"),
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        reader="office.sheets.read_xlsx",
        translated="texts of cells, comments, text boxes, charts; headers, footers, prompts and "
        "errors of cells; a text in many cells once",
        stays="formulas, numbers, dates, names of sheets; codes, and texts that a formula, a list, "
        "a filter, a table or a pivot table names",
        options=("sheet_names",),
    ),
    FileKind(
        name="OpenDocument text",
        endings=("odt",),
        media_type="application/vnd.oasis.opendocument.text",
        reader="opendocument.package.read_odt",
        translated="as in Word",
        stays="as in Word",
    ),
    FileKind(
        name="OpenDocument slides",
        endings=("odp",),
        media_type="application/vnd.oasis.opendocument.presentation",
        reader="opendocument.package.read_odp",
        translated="as in PowerPoint",
        stays="as in PowerPoint; comments",
    ),
    FileKind(
        name="OpenDocument sheets",
        endings=("ods",),
        media_type="application/vnd.oasis.opendocument.spreadsheet",
        reader="opendocument.package.read_ods",
        translated="as in Excel",
        stays="as in Excel",
        options=("sheet_names",),
    ),
    FileKind(
        name="EPUB",
        endings=("epub",),
        media_type="application/epub+zip",
        reader="epub.read_epub",
        translated="chapters, as in HTML; contents, title, description (versions 2 and 3)",
        stays="names of authors, links, pictures, styles, fonts. The book gets the language",
    ),
    FileKind(
        name="SubRip",
        endings=("srt",),
        media_type="application/x-subrip",
        reader="subtitles.read_srt",
        translated="the text of cues; a sentence over two cues or more is translated as one where "
        "no tag, dash or pause of a second is between",
        stays="numbers, times, tags",
    ),
    FileKind(
        name="WebVTT",
        endings=("vtt",),
        media_type="text/vtt",
        reader="subtitles.read_vtt",
        translated="as in SubRip",
        stays="times, tags, notes, styles",
    ),
    FileKind(
        name="SubStation Alpha",
        endings=("ass", "ssa"),
        media_type="text/x-ssa",
        reader="subtitles.read_ass",
        translated="the text of dialogues",
        stays="times, names, styles, tags, drawings, comments",
    ),
    FileKind(
        name="gettext",
        endings=("po", "pot"),
        media_type="text/x-gettext-translation",
        reader="catalogues.gettext.read_po",
        translated="empty `msgstr`, plural forms too",
        stays="translations that are there, fuzzy or not; comments, flags, contexts. The header "
        "gets the language",
        options=_REPLACES,
        has_choices=True,
    ),
    FileKind(
        name="XLIFF",
        endings=("xliff", "xlf"),
        media_type="application/xliff+xml",
        reader="catalogues.xliff.read_xliff",
        translated="targets that are missing, or whose state is `new`, `needs-translation` or "
        "`initial` (1.2 and 2.0)",
        stays='other targets, codes, `translate="no"`. A new target is marked to be reviewed (1.2) '
        "or `translated` (2.0)",
        options=_REPLACES,
        has_choices=True,
    ),
    FileKind(
        name="JSON",
        endings=("json",),
        media_type="application/json",
        reader="catalogues.json_strings.read_json",
        translated="values that are strings",
        stays="keys, order, indentation, placeholders, what is under a key that begins with `@`",
        has_choices=True,
    ),
    FileKind(
        name="Java properties",
        endings=("properties",),
        media_type="text/x-java-properties",
        reader="catalogues.properties.read_properties",
        translated="values",
        stays="keys, comments, placeholders, codes, the way of writing other letters",
        has_choices=True,
    ),
    FileKind(
        name="Apple strings",
        endings=("strings",),
        media_type="text/x-apple-strings",
        reader="catalogues.apple.read_strings",
        translated="values",
        stays="keys, comments, placeholders",
        has_choices=True,
    ),
    FileKind(
        name="Android strings",
        endings=("xml",),
        media_type="application/xml",
        reader="catalogues.android.read_android",
        translated="strings, arrays, plurals",
        stays='names, comments, tags, `<xliff:g>`, references, `translatable="false"`; other XML '
        "is refused",
        has_choices=True,
    ),
    FileKind(
        name="Qt",
        endings=("ts",),
        media_type="application/x-linguist",
        reader="catalogues.qt.read_qt",
        translated="translations that are missing, all plural forms alike; they stay unfinished",
        stays="translations that are there, obsolete ones, comments, places in the code. The file "
        "gets the language",
        options=_REPLACES,
    ),
    FileKind(
        name="Xcode strings",
        endings=("xcstrings",),
        media_type="application/x-xcstrings+json",
        reader="catalogues.xcstrings.read_xcstrings",
        translated="messages that lack the language, plural forms too; marked to be reviewed",
        stays='other languages, keys, comments, `"shouldTranslate": false`',
        has_choices=True,
    ),
    FileKind(
        name="TMX",
        endings=("tmx",),
        media_type="application/x-tmx+xml",
        reader="catalogues.tmx.read_tmx",
        translated="units that lack the language",
        stays="other languages, codes, notes",
    ),
    FileKind(
        name="Flutter ARB",
        endings=("arb",),
        media_type="application/x-arb+json",
        reader="catalogues.json_strings.read_arb",
        translated="as in JSON",
        stays="as in JSON. `@@locale` gets the language",
        has_choices=True,
    ),
    FileKind(
        name="Rails YAML",
        endings=("yml", "yaml"),
        media_type="application/yaml",
        reader="catalogues.rails.read_yaml",
        translated="values under a language, such as `en:`, which becomes the language wanted",
        stays="keys, comments, anchors, placeholders, patterns of dates; other YAML is refused",
    ),
)
"""All kinds, in the order of the documentation."""


def kinds_by_ending() -> Mapping[str, FileKind]:
    """Return the kinds whose packages are installed, by ending."""
    return {ending: kind for kind in KINDS if kind.is_available for ending in kind.endings}


def kind_of(name: str) -> FileKind | None:
    """Return the kind of a file by the ending of its name; None if it has none of the known."""
    ending = PurePath(name).suffix.lower().removeprefix(".")
    return next((kind for kind in KINDS if ending in kind.endings), None)


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
    """Refuse a catalogue with translations into another language than wanted.

    Args:
        name: of the file.
        said: the language of translations that stay; None if there are none.
        target: the language wanted.

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
