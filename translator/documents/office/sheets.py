"""Sheets of Excel (`.xlsx`): texts of cells, comments, text boxes, charts.

A text that stands in many cells is one unit, as it is one in the file. What a formula, a filter, a
table or a pivot table names stays as it is, so that it is still found; so do codes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator

from translator.documents.kind import NO_OPTIONS, FileOptions
from translator.documents.markup.code import is_a_code, literals
from translator.documents.markup.formats import unit_of
from translator.documents.markup.paragraph import Mark
from translator.documents.markup.source import Element, XmlSource, escaped
from translator.documents.nesting import Item
from translator.documents.office import drawing
from translator.documents.office.drawing import DRAWN, read_drawing
from translator.documents.office.package import Package, types_of
from translator.documents.office.renaming import formulas_of, rename, sheets_of
from translator.documents.sheet_names import NamedSheets, Renames
from translator.text.characters import has_letters
from translator.text.formats.document import Document
from translator.text.formats.pieces import Piece, TextUnit
from translator.text.marked import MarkedText

_PREFIXES = {
    **drawing.PREFIXES,
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "s",
    "http://purl.oclc.org/ooxml/spreadsheetml/main": "s",
    "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments": "t",
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
_CELL_TEXTS = frozenset({"s:si", "s:is"})
_COMMENT_TEXTS = frozenset({"s:text", "t:text"})
_SOUNDS = frozenset({"s:rPh", "s:phoneticPr"})
"""How a text in Japanese is spoken: it is left out of a translation."""


def read_xlsx(name: str, data: bytes, options: FileOptions = NO_OPTIONS) -> Document[bytes]:
    """Read sheets of Excel.

    Args:
        name: of the file, for errors.
        data: the file.
        options: whether to translate the names of sheets too.

    Raises:
        InputError: they are damaged, encrypted or too large, or no such document.
    """
    package = Package(name, data, "Excel")
    members = package.members(_NAMING)
    named = values_that_are_named(package.archive.read(member) for member in members)

    def stays(text: str) -> bool:
        return is_a_code(text) or text.strip().lower() in named

    document = package.document(
        _MAIN,
        {
            _STRINGS: lambda source: _texts(source, _CELL_TEXTS, stays),
            _SHEETS: lambda source: _texts(source, _CELL_TEXTS, stays),
            _COMMENTS: lambda source: _texts(source, _COMMENT_TEXTS, lambda _: False),
            _SHAPES: read_drawing,
            DRAWN: read_drawing,
        },
        _PREFIXES,
    )
    return _with_names(name, package, document) if options.sheet_names else document


def _with_names(name: str, package: Package, document: Document[bytes]) -> Document[bytes]:
    """Return a document that has the names of sheets as units, too."""
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


def _texts(
    source: XmlSource, wanted: frozenset[str], stays: Callable[[str], bool]
) -> Iterator[Piece]:
    """Cut a part into pieces."""
    done = 0
    for element, _ in source.elements(wanted):
        yield source.cut(done, element.inside)
        yield from _content(source, element, stays)
        done = element.outside
    yield source.cut(done, source.size)


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
        name = re.match(r"<([\w.-]+:)?", source.cut(parts[0].start, parts[0].inside))
        prefix = (name[1] or "") if name else ""
        is_alone = len(parts) == 1 and parts[0].name == "s:t"

        def write(text: str, style: str, _: str) -> str:
            inside = f'<{prefix}t xml:space="preserve">{escaped(text)}</{prefix}t>'
            return inside if is_alone else f"<{prefix}r>{style}{inside}</{prefix}r>"

        yield unit_of(items, [original], write)


def _item(source: XmlSource, part: Element) -> Item[Mark]:
    """Return a run, or a text without a format."""
    if part.name not in ("s:r", "s:t"):
        return Item("stands", mark=Mark((source.cut(part.start, part.end),)))
    text = part if part.name == "s:t" else part.child("s:t")
    properties = part.child("s:rPr")
    style = source.cut(properties.start, properties.end) if properties else ""
    return Item("text", text.text if text else "", Mark(style=style))
