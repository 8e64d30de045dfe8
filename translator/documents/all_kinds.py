"""All kinds of files that can be translated, in one table.

The service's settings and its description, the page, the command line and the documentation are
made from it. A new kind is a reader and an entry here.
"""

from __future__ import annotations

from collections.abc import Sequence

from translator.documents.kind import FileKind

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
        name="PDF",
        endings=("pdf",),
        media_type="application/pdf",
        reader="pdf.document.read_pdf",
        translated="paragraphs, headings, lists, cells; each is set again in its place, smaller "
        "where it must",
        stays="pictures, drawings, text in a typewriter's font or inside forms; fields to fill in, "
        "with their values, choices and tooltips; links, footnote marks and exponents follow their "
        "words",
        wants_target=True,
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
        "for code",
    ),
    FileKind(
        name="PowerPoint",
        endings=("pptx", "pptm", "ppsx", "ppsm", "potx", "potm"),
        media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
        reader="office.slides.read_pptx",
        translated="shapes, tables, groups, notes, SmartArt; titles, series and categories of "
        "charts; alternative texts",
        stays="format, links, numbers of slides, dates, pictures, animations; masters and layouts; "
        "the sheet inside a chart",
    ),
    FileKind(
        name="Excel",
        endings=("xlsx", "xlsm", "xltx", "xltm"),
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        reader="office.sheets.read_xlsx",
        translated="texts of cells, comments, text boxes, charts; a text in many cells once",
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
        translated="as in Excel; headers and footers",
        stays="as in Excel",
        options=("sheet_names",),
    ),
    FileKind(
        name="EPUB",
        endings=("epub",),
        media_type="application/epub+zip",
        reader="markup.epub.read_epub",
        translated="chapters, as in HTML; contents, title, description (versions 2 and 3)",
        stays="names of authors, links, pictures, styles, fonts. The book gets the language",
        wants_target=True,
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
        reader="scripts.read_ass",
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
        wants_target=True,
        has_choices=True,
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
        wants_target=True,
        has_choices=True,
    ),
    FileKind(
        name="JSON",
        endings=("json",),
        media_type="application/json",
        reader="catalogues.json_strings.read_json",
        translated="values that are strings",
        stays="keys, order, indentation, placeholders, what is under a key that begins with `@`",
        wants_target=True,
        has_choices=True,
    ),
    FileKind(
        name="Java properties",
        endings=("properties",),
        media_type="text/x-java-properties",
        reader="catalogues.properties.read_properties",
        translated="values",
        stays="keys, comments, placeholders, codes, the way of writing other letters",
        wants_target=True,
        has_choices=True,
    ),
    FileKind(
        name="Apple strings",
        endings=("strings",),
        media_type="text/x-apple-strings",
        reader="catalogues.apple.read_strings",
        translated="values",
        stays="keys, comments, placeholders",
        wants_target=True,
        has_choices=True,
    ),
    FileKind(
        name="Android strings",
        endings=("xml",),
        media_type="application/xml",
        reader="markup.android.read_android",
        translated="strings, arrays, plurals",
        stays='names, comments, tags, `<xliff:g>`, references, `translatable="false"`; other XML '
        "is refused",
        wants_target=True,
        has_choices=True,
    ),
    FileKind(
        name="Qt",
        endings=("ts",),
        media_type="application/x-linguist",
        reader="markup.qt.read_qt",
        translated="translations that are missing, all plural forms alike; they stay unfinished",
        stays="translations that are there, obsolete ones, comments, places in the code. The file "
        "gets the language",
        wants_target=True,
    ),
    FileKind(
        name="Xcode strings",
        endings=("xcstrings",),
        media_type="application/x-xcstrings+json",
        reader="catalogues.xcstrings.read_xcstrings",
        translated="messages that lack the language, plural forms too; marked to be reviewed",
        stays='other languages, keys, comments, `"shouldTranslate": false`',
        wants_target=True,
        has_choices=True,
    ),
    FileKind(
        name="TMX",
        endings=("tmx",),
        media_type="application/x-tmx+xml",
        reader="markup.tmx.read_tmx",
        translated="units that lack the language",
        stays="other languages, codes, notes",
        wants_target=True,
    ),
    FileKind(
        name="Flutter ARB",
        endings=("arb",),
        media_type="application/x-arb+json",
        reader="catalogues.json_strings.read_arb",
        translated="as in JSON",
        stays="as in JSON. `@@locale` gets the language",
        wants_target=True,
        has_choices=True,
    ),
    FileKind(
        name="Rails YAML",
        endings=("yml", "yaml"),
        media_type="application/yaml",
        reader="catalogues.rails.read_yaml",
        translated="values under a language, such as `en:`, which becomes the language wanted",
        stays="keys, comments, anchors, placeholders, patterns of dates; other YAML is refused",
        wants_target=True,
    ),
)
"""All kinds, in the order of the documentation."""
