"""Sheets of Excel (`.xlsx`): texts of cells, comments, text boxes, charts.

A text that stands in many cells is one unit, as it is one in the file. What a formula, a filter, a
table or a pivot table names stays as it is, so that it is still found; so do codes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator

from translator.documents.archive import Archive
from translator.documents.code import literals, staying
from translator.documents.document import Document, Piece, TextUnit
from translator.documents.kinds import NO_OPTIONS, FileOptions
from translator.documents.markup.inline import Item
from translator.documents.office import drawing
from translator.documents.office.drawing import DRAWN, read_drawing
from translator.documents.office.package import Package, types_of
from translator.documents.paragraph import Mark, ParagraphUnit, tag_with_units, unit_of
from translator.documents.sheet_names import NamedSheets, Renames
from translator.documents.xml_source import Edit, Element, XmlSource, escaped, escaped_value
from translator.text.characters import has_letters
from translator.text.marked import MarkedText

_PREFIXES = {
    **drawing.PREFIXES,
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "s",
    "http://purl.oclc.org/ooxml/spreadsheetml/main": "s",
    "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments": "t",
    "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main": "x14",
}
_MAIN = types_of("spreadsheetml", "excel", "sheet|template")
_STRINGS = types_of("spreadsheetml", "excel", "sharedStrings")
_SHEETS = types_of("spreadsheetml", "excel", "worksheet")
_COMMENTS = types_of("spreadsheetml", "excel", "comments|threadedcomments")
_NAMING = types_of("spreadsheetml", "excel", "sheet|worksheet|table|pivotCacheDefinition")
_SHAPES = r"application/vnd\.openxmlformats-officedocument\.drawing\+xml"
_FORMULAS = re.compile(rb"<(?:\w+:)?(?:f|formula[12]?|definedName)\b[^<>]*>([^<>]{1,10000})<")
_NAMES = re.compile(
    rb"<(?:\w+:)?(?:filter|customFilter|tableColumn|cacheField)\b[^<>]*?"
    rb"\s(?:val|name)\s*=\s*(?:\"([^\"<>]{1,2000})\"|'([^'<>]{1,2000})')"
)
_CELL = re.compile(
    rb"<(?:\w+:)?c\b[^<>]*?\sr=\"([A-Z]{1,3})\d+\"[^<>]*?\st=\"(?:s|inlineStr)\"[^<>]*>"
    rb"\s*<(?:\w+:)?(?:v>(\d{1,9})|is>\s*<(?:\w+:)?t\b[^<>]*>([^<>]*))<"
)
_CELL_TEXTS = frozenset({"s:si", "s:is"})
_COMMENT_TEXTS = frozenset({"s:text", "t:text"})
_MARGINS = frozenset(
    f"s:{page}{place}" for page in ("odd", "even", "first") for place in ("Header", "Footer")
)
_VALIDATIONS = frozenset({"s:dataValidation", "x14:dataValidation"})
_LONGEST = {"promptTitle": 32, "errorTitle": 32, "prompt": 255, "error": 225}
"""Characters of what a cell tells those who write into it; Excel calls a file with more damaged."""
_SECTION, _SECTION_IN_XML = re.compile(r"(?<!&)(&[LCR])"), re.compile(r"(?<!&amp;)(&amp;[LCR])")
_CODE = re.compile(
    r'(?P<amp>&&)|&(?:(?P<field>[PN](?:[+-]\d+)?|[DTFAZ])|"[^"]*"|\d+|K[\dA-F+-]{5,6}|.?)', re.I
)
"""In a header or footer: a number, a date or a name; a typeface, a size, a colour or a format."""
_SOUNDS = frozenset({"s:rPh", "s:phoneticPr"})
"""How a text in Japanese is spoken: it is left out of a translation."""


def read_xlsx(name: str, data: bytes, options: FileOptions = NO_OPTIONS) -> Document[bytes]:
    """Read sheets of Excel.

    Raises:
        InputError: they are damaged, encrypted or too large, or no such document.
    """
    package = Package(name, data, "Excel")
    members = package.members(_NAMING)
    named = values_that_are_named(package.archive.read(member) for member in members)
    stays = staying(named, _cells(package))

    document = package.document(
        _MAIN,
        {
            _STRINGS: lambda source: _texts(source, _CELL_TEXTS, stays),
            _SHEETS: lambda source: source.replaced(_of_sheet(source, stays)),
            _COMMENTS: lambda source: _texts(source, _COMMENT_TEXTS, lambda _: False),
            _SHAPES: read_drawing,
            DRAWN: read_drawing,
        },
        _PREFIXES,
    )
    return _with_names(name, package, document) if options.sheet_names else document


def _with_names(name: str, package: Package, document: Document[bytes]) -> Document[bytes]:
    workbook, archive = package.members(_MAIN)[0], package.archive
    source = XmlSource(f"{name}, {workbook}", archive.read(workbook), _PREFIXES)

    def renamed(data: bytes, renames: Renames) -> bytes:
        return rename(name, data, workbook, renames)

    return NamedSheets(name, document, sheets_of(source), formulas_of(archive), renamed)


def values_that_are_named(members: Iterable[bytes]) -> frozenset[str]:
    """Return the texts, in small letters, that formulas, filters and tables find cells by.

    Args:
        members: sheets, the workbook, tables and the fields of pivot tables.
    """
    found = set[str]()
    for member in members:
        for formula in _FORMULAS.findall(member):
            found |= literals(html.unescape(formula.decode("utf-8", "replace")))
        for double, single in _NAMES.findall(member):
            name = html.unescape((double or single).decode("utf-8", "replace"))
            found.add(name.replace("_x000a_", "\n"))
    return frozenset(text.strip().lower() for text in found)


def _cells(package: Package) -> Iterator[tuple[tuple[str, bytes], str]]:
    """Yield the column and the text of each cell that has one."""
    archive = package.archive
    sources = (XmlSource(part, archive.read(part), _PREFIXES) for part in package.members(_STRINGS))
    found = (element.text for source in sources for element, _ in source.elements(_CELL_TEXTS))
    shared = dict(enumerate(found))
    for member in package.members(_SHEETS):
        for column, number, inside in _CELL.findall(archive.read(member)):
            text = html.unescape(inside.decode("utf-8", "replace"))
            if text := shared.get(int(number), "") if number else text:
                yield (member, column), text


def _texts(
    source: XmlSource, wanted: frozenset[str], stays: Callable[[str], bool]
) -> Iterator[Piece]:
    return source.replaced(
        (element.inside, element.outside, _content(source, element, stays))
        for element, _ in source.elements(wanted)
    )


def _of_sheet(source: XmlSource, stays: Callable[[str], bool]) -> Iterator[Edit]:
    """Yield what is new in a sheet: texts of cells, headers, footers, prompts and errors."""
    for element, _ in source.elements(_CELL_TEXTS | _MARGINS | _VALIDATIONS):
        if element.name in _VALIDATIONS:
            tag = tag_with_units(source, element, _LONGEST, _told)
            yield element.start, element.inside, tag
        elif element.name in _MARGINS:
            yield element.inside, element.outside, _margin(source, element)
        else:
            yield element.inside, element.outside, _content(source, element, stays)


def _told(name: str, value: str, original: str) -> TextUnit:
    def write(text: str) -> str:
        shown = text if len(text) <= _LONGEST[name] else f"{text[: _LONGEST[name] - 1]}…"
        return f'"{escaped_value(shown)}"'

    return TextUnit(MarkedText(value.replace("_x000a_", "\n")), original, write)


def _margin(source: XmlSource, element: Element) -> Iterator[Piece]:
    """Yield a header or a footer; what stands at the left, in the middle and at the right alone."""
    parts = _SECTION.split(element.text)
    originals = _SECTION_IN_XML.split(source.cut(element.inside, element.outside))
    if len(originals) != len(parts):
        originals = [escaped(part) for part in parts]
    for part, original in zip(parts, originals, strict=True):
        items, done = list[Item[Mark]](), 0
        for code in _CODE.finditer(part):
            items.append(Item("text", part[done : code.start()]))
            mark = Mark((escaped(code[0]),))
            items.append(
                Item("text", "&")
                if code["amp"]
                else Item("stands", mark=mark, read="1" if code["field"] else "")
            )
            done = code.end()
        items = [item for item in [*items, Item("text", part[done:])] if item.mark or item.text]
        if has_letters("".join(item.text for item in items)):
            yield ParagraphUnit(items, [original], _in_margin)
        else:
            yield original


def _in_margin(text: str, _: str, before: str) -> str:
    """Return a text of a header; a digit would be read as a part of the code before it."""
    space = " " if before == "\0" and text[0].isdigit() else ""
    return space + escaped(text.replace("&", "&&"))


def _content(source: XmlSource, element: Element, stays: Callable[[str], bool]) -> Iterator[Piece]:
    """Yield what is in an element: a text alone, or runs with formats."""
    original = source.cut(element.inside, element.outside)
    parts = [child for child in element.elements if child.name not in _SOUNDS]
    items = [_item(source, part) for part in parts]
    text = "".join(item.text for item in items) if items else element.text
    if not has_letters(text) or stays(text):
        yield original
    elif not parts:
        yield TextUnit(MarkedText(text), original, escaped)
    else:
        prefix = source.prefix(parts[0])
        is_alone = len(parts) == 1 and parts[0].name == "s:t"

        def write(text: str, style: str, _: str) -> str:
            inside = f'<{prefix}t xml:space="preserve">{escaped(text)}</{prefix}t>'
            return inside if is_alone else f"<{prefix}r>{style}{inside}</{prefix}r>"

        yield unit_of(items, [original], write)


def _item(source: XmlSource, part: Element) -> Item[Mark]:
    if part.name not in ("s:r", "s:t"):
        return Item("stands", mark=Mark((source.cut(part.start, part.end),)))
    text = part if part.name == "s:t" else part.child("s:t")
    properties = part.child("s:rPr")
    style = source.cut(properties.start, properties.end) if properties else ""
    return Item("text", text.text if text else "", Mark(style=style))


_FORMULA = re.compile(
    r"(<(?:\w+:)?(?:f|formula[12]?|definedName|calculatedColumnFormula|totalsRowFormula"
    r"|FmlaLink|FmlaRange|FmlaTxbx)\b[^<>]*>)([^<>]+)(?=</)"
)
_ADDRESS = re.compile(
    r"(\s(?:location|textlink|fmlaLink|fmlaRange|fmlaTxbx)\s*=\s*\"|\sTarget\s*=\s*\"#)([^\"<>]+)"
)
_SOURCE = re.compile(
    r"(<(?:\w+:)?(?:worksheetSource|dataRef|rangeSet)\b[^<>]*?\ssheet\s*=\s*\")([^\"<>]*)"
)
_SHEET = re.compile(r"(<(?:\w+:)?sheet\b[^<>]*?\sname\s*=\s*\")([^\"<>]*)")
_TITLE = re.compile(r"(<vt:lpstr>)([^<>]*)(?=</)")
_REFERENCE = re.compile(
    r'"(?:[^"]|"")*"'  # a text
    r"|'(?P<quoted>(?:[^'\[]|'')+)'!"  # with a bracket, it is in another file
    r"|(?<![\w.\]'!])(?P<bare>[^\W\d][\w.]*(?::[^\W\d][\w.]*)?)!"
)
_WITH_REFERENCES = re.compile(r"xl/(?!externalLinks/).*\.(?:xml|rels|vml)")
_TITLES = "docProps/app.xml"

Write = Callable[[str], str]


def sheets_of(workbook: XmlSource) -> list[str]:
    """Return the names of all sheets, from the part that lists them."""
    found = workbook.elements(frozenset({"s:sheet"}))
    return [element.attributes.get("name", "") for element, _ in found]


def formulas_of(archive: Archive) -> Iterator[str]:
    """Yield all formulas of a package."""
    for member in archive.names:
        if _WITH_REFERENCES.fullmatch(member):
            text = archive.read(member).decode("utf-8", "replace")
            yield from (html.unescape(formula[1]) for formula in _FORMULA.findall(text))


def rename(name: str, data: bytes, workbook: str, renames: Renames) -> bytes:
    """Return a file with other names of sheets; `workbook` is the member that lists them."""
    archive, contents = Archive(name, data), {}
    for member in archive.names:
        if member == _TITLES or _WITH_REFERENCES.fullmatch(member):
            source = XmlSource(f"{name}, {member}", archive.read(member), {})
            before = source.cut(0, source.size)
            after = _renamed(before, member, workbook, renames)
            if after != before:
                contents[member] = [source.encoding.encode_markup(after)]
    return archive.with_contents(contents.get)


def _renamed(text: str, member: str, workbook: str, renames: Renames) -> str:
    def replaced(text: str, pattern: re.Pattern[str], change: Write, write: Write) -> str:
        def new_value(found: re.Match[str]) -> str:
            old = html.unescape(found[2])
            new = change(old)
            return found[0] if new == old else found[1] + write(new)

        return pattern.sub(new_value, text)

    def by_name(old: str) -> str:
        return renames.get(old, old)

    def by_reference(old: str) -> str:
        return in_formula(old, renames)

    if member == _TITLES:
        return replaced(replaced(text, _TITLE, by_reference, escaped), _TITLE, by_name, escaped)
    text = replaced(text, _FORMULA, by_reference, escaped)
    text = replaced(text, _ADDRESS, by_reference, escaped_value)
    text = replaced(text, _SOURCE, by_name, escaped_value)
    return replaced(text, _SHEET, by_name, escaped_value) if member == workbook else text


def in_formula(formula: str, renames: Renames) -> str:
    """Return a formula that refers to sheets by their new names; texts in it stay."""

    def one(found: re.Match[str]) -> str:
        name = found["bare"] or (found["quoted"] or "").replace("''", "'")
        old = name.split(":")  # from one sheet to another
        if not any(sheet in renames for sheet in old):
            return found[0]
        new = ":".join(renames.get(sheet, sheet) for sheet in old).replace("'", "''")
        return f"'{new}'!"

    return _REFERENCE.sub(one, formula)
