"""Which files can be translated: one table of all kinds.

The service's settings and its description, the page, the command line and the documentation are
made from this table. A new kind is a reader and an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePath

from translator.errors import InputError
from translator.text.formats.document import Document

MAX_FILE_BYTES = 64 << 20


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
        names_target: whether a file of this kind says which language it is translated into.
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
    names_target: bool = False
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
        return read(name, data, target) if self.names_target else read(name, data)


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
        translated="text, as with `--format`",
        stays="markup, code, settings at the top",
    ),
    FileKind(
        name="HTML",
        endings=("html", "htm"),
        media_type="text/html",
        reader="plain.read_page",
        translated="text, as with `--format`; titles, alternative texts, descriptions",
        stays="markup, scripts, code",
    ),
    FileKind(
        name="Word",
        endings=("docx",),
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        reader="office.word.read_docx",
        translated="paragraphs, tables, headers, footers, notes, text boxes, alternative texts, "
        "charts, SmartArt",
        stays="format, links, fields, comments, deleted text, pictures; text in a style or font "
        "for code",
    ),
    FileKind(
        name="PowerPoint",
        endings=("pptx",),
        media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
        reader="office.slides.read_pptx",
        translated="shapes, tables, groups, notes, SmartArt; titles, series and categories of "
        "charts; alternative texts",
        stays="format, links, numbers of slides, dates, pictures, animations; masters and layouts; "
        "the sheet inside a chart",
    ),
    FileKind(
        name="Excel",
        endings=("xlsx",),
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        reader="office.sheets.read_xlsx",
        translated="texts of cells, comments, text boxes, charts; a text in many cells once",
        stays="formulas, numbers, dates, names of sheets; codes, and texts that a formula, a list, "
        "a filter, a table or a pivot table names",
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
        translated="as in Excel; headers and footers",
        stays="as in Excel",
    ),
    FileKind(
        name="EPUB",
        endings=("epub",),
        media_type="application/epub+zip",
        reader="markup.epub.read_epub",
        translated="chapters, as in HTML; contents, title, description (versions 2 and 3)",
        stays="names of authors, links, pictures, styles, fonts. The book gets the language",
        names_target=True,
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
        name="gettext",
        endings=("po", "pot"),
        media_type="text/x-gettext-translation",
        reader="catalogues.gettext.read_po",
        translated="empty `msgstr`, plural forms too",
        stays="translations that are there, fuzzy or not; comments, flags, contexts. The header "
        "gets the language",
        names_target=True,
    ),
    FileKind(
        name="XLIFF",
        endings=("xliff", "xlf"),
        media_type="application/xliff+xml",
        reader="markup.xliff.read_xliff",
        translated="targets that are missing, or whose state is `new`, `needs-translation` or "
        "`initial` (1.2 and 2.0)",
        stays='other targets, codes, `translate="no"`. A new target is marked to be reviewed (1.2) '
        "or `translated` (2.0)",
        names_target=True,
    ),
    FileKind(
        name="JSON",
        endings=("json",),
        media_type="application/json",
        reader="catalogues.json_strings.read_json",
        translated="values that are strings, with the branches of ICU's `plural` and `select`",
        stays="keys, order, indentation, placeholders, what is under a key that begins with `@`",
    ),
    FileKind(
        name="Java properties",
        endings=("properties",),
        media_type="text/x-java-properties",
        reader="catalogues.properties.read_properties",
        translated="values",
        stays="keys, comments, placeholders, codes, the way of writing other letters",
    ),
    FileKind(
        name="Apple strings",
        endings=("strings",),
        media_type="text/x-apple-strings",
        reader="catalogues.apple.read_strings",
        translated="values",
        stays="keys, comments, placeholders",
    ),
    FileKind(
        name="Android strings",
        endings=("xml",),
        media_type="application/xml",
        reader="markup.android.read_android",
        translated="strings, arrays, plurals",
        stays='names, comments, tags, `<xliff:g>`, references, `translatable="false"`; other XML '
        "is refused",
    ),
    FileKind(
        name="Qt",
        endings=("ts",),
        media_type="application/x-linguist",
        reader="markup.qt.read_qt",
        translated="translations that are missing, all plural forms alike; they stay unfinished",
        stays="translations that are there, obsolete ones, comments, places in the code. The file "
        "gets the language",
        names_target=True,
    ),
    FileKind(
        name="Xcode strings",
        endings=("xcstrings",),
        media_type="application/x-xcstrings+json",
        reader="catalogues.xcstrings.read_xcstrings",
        translated="messages that lack the language, plural forms too; marked to be reviewed",
        stays='other languages, keys, comments, `"shouldTranslate": false`',
        names_target=True,
    ),
    FileKind(
        name="TMX",
        endings=("tmx",),
        media_type="application/x-tmx+xml",
        reader="markup.tmx.read_tmx",
        translated="units that lack the language",
        stays="other languages, codes, notes",
        names_target=True,
    ),
    FileKind(
        name="Flutter ARB",
        endings=("arb",),
        media_type="application/x-arb+json",
        reader="catalogues.json_strings.read_arb",
        translated="as in JSON",
        stays="as in JSON. `@@locale` gets the language",
        names_target=True,
    ),
    FileKind(
        name="Rails YAML",
        endings=("yml", "yaml"),
        media_type="application/yaml",
        reader="catalogues.rails.read_yaml",
        translated="values under a language, such as `en:`, which becomes the language wanted",
        stays="keys, comments, anchors, placeholders, patterns of dates; other YAML is refused",
        names_target=True,
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


def read_file(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Take a file apart into units.

    Args:
        name: of the file; its ending says what it is.
        data: its content.
        target: code of the language that it will be translated into; some formats name it inside.

    Raises:
        InputError: the file cannot be read: one sentence says why, and where.
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
    return kind.read(name, data, target)
