"""Documents of Word (`.docx`): text, tables, headers, footers, notes, boxes, alternative texts.

Charts and diagrams are read too. A paragraph is a unit. Runs of the most common format in it are
its plain text; other formats, links and the like are marks. Fields whose content Word computes, and
deleted text, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from translator.documents.markup.code import Code, is_for_code, unless_all_is_code
from translator.documents.markup.formats import unit_of
from translator.documents.markup.paragraph import joined_pieces, tag_with_units
from translator.documents.markup.source import Element, XmlSource
from translator.documents.office import drawing
from translator.documents.office.drawing import DRAWN, read_drawing
from translator.documents.office.package import Package, types_of
from translator.documents.office.runs import PREFIXES, SHOWN, Runs
from translator.text.characters import has_letters
from translator.text.formats.document import Document
from translator.text.formats.pieces import Piece

_MAIN = types_of("wordprocessingml", "word", "document|template")
_TEXT = types_of("wordprocessingml", "word", "document|template|header|footer|footnotes|endnotes")
_PREFIXES = {**drawing.PREFIXES, **PREFIXES}
_PARAGRAPH = frozenset({"w:p"})


def read_docx(name: str, data: bytes) -> Document[bytes]:
    """Read a document of Word.

    Raises:
        InputError: it is damaged, encrypted or too large, or no such document.
    """
    package = Package(name, data, "Word")

    def read(code: Code) -> Document[bytes]:
        readers = {_TEXT: lambda source: _Part(source, code).pieces(), DRAWN: read_drawing}
        return package.document(_MAIN, readers, _PREFIXES)

    return unless_all_is_code(read)


class _Part:
    """One member, cut into pieces."""

    def __init__(self, source: XmlSource, code: Code) -> None:
        self._source, self._code = source, code
        self._made: dict[int, list[Piece]] = {}

    def pieces(self) -> Iterator[Piece]:
        done = 0
        for paragraph, _ in self._source.elements(_PARAGRAPH):
            yield self._source.cut(done, paragraph.start)
            yield from self._paragraph(paragraph)
            self._made.clear()
            done = paragraph.end
        yield self._source.cut(done, self._source.size)

    def _paragraph(self, paragraph: Element) -> Iterator[Piece]:
        properties = paragraph.child("w:pPr")
        start = properties.end if properties else paragraph.inside
        content = [child for child in paragraph.elements if child is not properties]
        prefix = _prefix(self._source.cut(paragraph.start, paragraph.inside))
        runs = Runs(self._source, self._with_units, prefix)
        items = runs.items(content)
        yield self._source.cut(paragraph.start, start)
        original = self._between(start, paragraph.outside, content)
        style = self._source.cut(properties.start, properties.end) if properties else ""
        named = re.search(r"<(?:\w+:)?pStyle\b[^<>]*", style)
        text = "".join(item.text for item in items)
        is_code = named is not None and is_for_code(named[0])
        stays = is_code and self._code.has(text, is_in_format=True)
        if has_letters(text) and not stays:
            yield unit_of(items, original, runs.write, self._code)
        else:
            yield from original
        yield self._source.cut(paragraph.outside, paragraph.end)

    def _with_units(self, element: Element) -> list[Piece]:
        """Return an element as it stands, with units for the paragraphs and texts inside."""
        if element.start not in self._made:  # asked for twice: as a mark, and as a part of what is
            self._made[element.start] = self._new_pieces(element)
        return self._made[element.start]

    def _new_pieces(self, element: Element) -> list[Piece]:
        if element.name == "w:p":
            return [*self._paragraph(element)]
        shown = SHOWN.get(element.name.rpartition(":")[2])
        tag: list[Piece] = [self._source.cut(element.start, element.inside)]
        if shown:
            tag = tag_with_units(self._source, element, shown)
        inside = self._between(element.inside, element.outside, [*element.elements])
        return joined_pieces([*tag, *inside, self._source.cut(element.outside, element.end)])

    def _between(self, start: int, end: int, elements: Sequence[Element]) -> list[Piece]:
        pieces: list[Piece] = []
        for element in elements:
            pieces += [self._source.cut(start, element.start), *self._with_units(element)]
            start = element.end
        return joined_pieces([*pieces, self._source.cut(start, end)])


def _prefix(tag: str) -> str:
    """Return the prefix of a tag's name with its colon, such as `w:`."""
    found = re.match(r"<([\w.-]+:)?", tag)
    return (found[1] or "") if found else ""
