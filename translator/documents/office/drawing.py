"""Text of shapes, tables, diagrams and charts, which all programs of Office draw alike.

A paragraph is a unit. What is computed (a number of a slide, a date) stays, and so do formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from translator.documents.document import Document, Piece, TextUnit
from translator.documents.language_marks import OFFICE, marking
from translator.documents.markup.inline import Item
from translator.documents.office.package import Package, types_of
from translator.documents.paragraph import (
    Mark,
    is_read,
    joined_pieces,
    style_of,
    tag_with_units,
    unit_of,
)
from translator.documents.xml_source import Edit, Element, XmlSource, escaped
from translator.text.characters import has_letters
from translator.text.marked import MarkedText

_SCHEMAS = "http://schemas.openxmlformats.org"
_PURL = "http://purl.oclc.org/ooxml"
_NAMES = {
    "a": ("drawingml/2006/main", "drawingml/main"),
    "c": ("drawingml/2006/chart", "drawingml/chart"),
    "p": ("presentationml/2006/main", "presentationml/main"),
    "x": ("drawingml/2006/spreadsheetDrawing", "drawingml/spreadsheetDrawing"),
}
PREFIXES = {
    **{f"{_SCHEMAS}/{names[0]}": prefix for prefix, names in _NAMES.items()},
    **{f"{_PURL}/{names[1]}": prefix for prefix, names in _NAMES.items()},
}
"""Of name spaces, by their URIs."""

DRAWN = (
    r"application/vnd\.(?:openxmlformats-officedocument\.drawingml\.(?:chart|diagramData)"
    r"|ms-office\.(?:drawingml\.diagramDrawing|chartex))\+xml"
)
"""Types of charts and of diagrams (SmartArt), with what is drawn for programs that know none."""

_PARAGRAPH = "a:p"
_SHAPES = frozenset({"p:cNvPr", "x:cNvPr"})
_CACHES = frozenset({"c:strCache", "c:strLit"})
_SHOWN = ("title", "descr")
_HINTS = frozenset({"a:pPr", "a:endParaRPr"})
_NOT_FORMAT = re.compile(r"\s(?:lang|altLang|dirty|err|smtClean|noProof)\s*=\s*\"[^\"]*\"")
_EMPTY = re.compile(r"<[^<>\s]*\s*/>|<([^<>\s]*)\s*>\s*</\1\s*>")
_LINES = re.compile(r"[\n\v]|[^\n\v]+")


def read_drawing(source: XmlSource) -> Iterator[Piece]:
    """Cut a part into pieces: paragraphs, alternative texts of pictures, and texts of charts."""
    return source.replaced(_edits(source))


def _edits(source: XmlSource) -> Iterator[Edit]:
    for element, _ in source.elements(frozenset({_PARAGRAPH, *_SHAPES, *_CACHES})):
        if element.name == _PARAGRAPH:
            yield element.start, element.end, _Paragraph(source, element).pieces()
        elif element.name in _SHAPES:
            yield element.start, element.inside, tag_with_units(source, element, _SHOWN)
        else:
            yield from _cached(source, element)


def _cached(source: XmlSource, cache: Element) -> Iterator[Edit]:
    """Yield what a chart remembers of the names in its table."""
    for point in cache.elements:
        value = point.child("c:v")
        if value and has_letters(value.text):
            inside = source.cut(value.inside, value.outside)
            unit = TextUnit(MarkedText(value.text), inside, escaped)
            yield value.inside, value.outside, [unit]


class _Paragraph:
    def __init__(self, source: XmlSource, paragraph: Element) -> None:
        self._source, self._element = source, paragraph
        self._items: list[Item[Mark]] = []

    def pieces(self) -> Sequence[Piece]:
        content = [child for child in self._element.elements if child.name not in _HINTS]
        if not content:
            return [self._source.cut(self._element.start, self._element.end)]
        for child in content:
            self._add(child)
        start, end = content[0].start, content[-1].end
        original: list[Piece] = [self._source.cut(start, end)]
        if is_read("".join(item.text for item in self._items)):
            original = [
                unit_of(self._items, original, partial(_write, self._source.prefix(self._element)))
            ]
        before = self._source.cut(self._element.start, start)
        return joined_pieces([before, *original, self._source.cut(end, self._element.end)])

    def _add(self, child: Element) -> None:
        text = child.child("a:t")
        if child.name == "a:r":
            properties = child.child("a:rPr")
            style = self._style(properties) if properties else ""
            self._items.append(Item("text", text.text if text else "", Mark(style=style)))
        elif child.name == "a:br":
            style = style_of(self._items[-1]) if self._items else ""
            self._items.append(Item("text", "\n", Mark(style=style)))
        else:
            markup = (self._source.cut(child.start, child.end),)
            self._items.append(Item("stands", mark=Mark(markup), read=child.text.strip()))

    def _style(self, properties: Element) -> str:
        """Return the properties of a run without what says nothing about its looks."""
        style = self._source.cut(properties.start, properties.end)
        tag = self._source.cut(properties.start, properties.inside)
        style = _NOT_FORMAT.sub("", tag) + style[len(tag) :]
        return "" if _EMPTY.fullmatch(style) else style


def _write(prefix: str, text: str, style: str, _: str) -> str:
    """Return a text in runs, with elements for the breaks of lines."""
    a, written = prefix, ""
    for part in _LINES.findall(text):
        if part in "\n\v":
            written += f"<{a}br>{style}</{a}br>" if style else f"<{a}br/>"
        else:
            written += f"<{a}r>{style}<{a}t>{escaped(part)}</{a}t></{a}r>"
    return written


_MAIN = types_of("presentationml", "powerpoint", "presentation|slideshow|template")
_SLIDES = types_of("presentationml", "powerpoint", "slide|notesSlide")


def read_pptx(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read slides of PowerPoint.

    Raises:
        InputError: they are damaged, encrypted or too large, or no such document.
    """
    package = Package(name, data, "PowerPoint")
    readers = {_SLIDES: read_drawing, DRAWN: read_drawing}
    return package.document(_MAIN, readers, PREFIXES, marking(name, target, OFFICE))
