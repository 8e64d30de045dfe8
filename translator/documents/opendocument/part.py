"""One member of a document of OpenDocument, cut into pieces: paragraphs, titles, descriptions."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from translator.documents.markup.code import Code, is_a_code, is_for_code, literals
from translator.documents.markup.formats import unit_of
from translator.documents.markup.paragraph import attribute_unit, joined_pieces
from translator.documents.markup.source import Element, XmlSource, escaped
from translator.documents.opendocument.content import Content
from translator.text.characters import has_letters
from translator.text.formats.pieces import Piece, TextUnit
from translator.text.marked import MarkedText

_PARAGRAPHS = frozenset({"text:p", "text:h"})
_TITLES = frozenset({"svg:title", "svg:desc"})
_COMMENT = "office:annotation"
_LEFT = frozenset({"text:tracked-changes", "table:tracked-changes"})
_STYLE = "style:style"
_CELLS = frozenset({"table:table-cell", "table:covered-table-cell"})
_COMPARES = re.compile(
    rb"\stable:(formula|condition|value|source-field-name|data-field)\s*=\s*"
    rb"(?:\"([^\"]{1,10000})\"|'([^']{1,10000})')"
)
_VALUE = "office:string-value"
_VALUE_IN_TAG = re.compile(r"\s[\w.-]+:string-value\s*=\s*(\"[^\"]*\"|'[^']*')")
_WHOLE = frozenset({b"value", b"source-field-name", b"data-field"})
_WANTED = _PARAGRAPHS | _TITLES | _LEFT | {_STYLE, _COMMENT}


class Part:
    """One member."""

    def __init__(
        self,
        source: XmlSource,
        values: frozenset[str] | None = None,
        code: Code | None = None,
        *,
        is_object: bool = False,
    ) -> None:
        """Read nothing yet.

        Args:
            source: of the member.
            values: of cells that stay, in small letters; None in anything but sheets.
            code: tells which text stays; all in a format for code if None.
            is_object: whether it is a chart or the like inside another document. What it calls a
                description is where its figures are from.
        """
        self._source, self._values, self._is_object = source, values, is_object
        self._code = code or Code()
        self._made: dict[int, list[Piece]] = {}
        self._unseen = set[str]()  # styles of text that do not change its looks
        self._for_code = set[str]()

    def pieces(self) -> Iterator[Piece]:
        """Yield the whole member."""
        done = 0
        for element, around in self._source.elements(_WANTED):
            if element.name == _STYLE:
                self._note_style(element)
            elif not (
                self._stays(element)
                or self._is_in_cell_that_stays(element, around)
                or _is_a_prompt(around)
            ):
                cell = around[-1] if around else element
                if _VALUE in cell.attributes and cell.start >= done:
                    yield self._source.cut(done, cell.start)
                    yield from self._tag_with_value(cell)
                    done = cell.inside
                yield self._source.cut(done, element.start)
                yield from self._with_units(element)
                self._made.clear()
                done = element.end
        yield self._source.cut(done, self._source.size)

    def _tag_with_value(self, cell: Element) -> list[Piece]:
        """Return the start tag of a cell whose text stands in it once more; programs show that."""
        tag = self._source.cut(cell.start, cell.inside)
        found = _VALUE_IN_TAG.search(tag)
        value = cell.attributes[_VALUE]
        if found is None or not has_letters(value):
            return [tag]
        return [tag[: found.start(1)], attribute_unit(value, found[1]), tag[found.end(1) :]]

    def _stays(self, element: Element) -> bool:
        """Return whether nothing in an element is translated."""
        is_comment = element.name == _COMMENT and self._values is None
        is_source = element.name in _TITLES and self._is_object
        return element.name in _LEFT or is_comment or is_source

    def _is_in_cell_that_stays(self, element: Element, around: Sequence[Element]) -> bool:
        """Return whether this is what a cell shows, and computed, no text, or named in formulas."""
        cell = next((one for one in reversed(around) if one.name in _CELLS), None)
        if cell is None or element.name not in _PARAGRAPHS:
            return False
        kind = cell.attributes.get("office:value-type", "string")
        if kind != "string" or "table:formula" in cell.attributes:
            return True
        return self._values is not None and (
            is_a_code(element.text) or element.text.strip().lower() in self._values
        )

    def _note_style(self, style: Element) -> None:
        """Remember a style that is for code, or that only numbers the times of changes."""
        name = style.attributes.get("style:name", "")
        parent = style.attributes.get("style:parent-style-name", "")
        fonts = "".join(inside.attributes.get("style:font-name", "") for inside in style.elements)
        if is_for_code(f"{name} {parent} {fonts}"):
            self._for_code.add(name)
        if style.attributes.get("style:family") == "text":
            names = {name for inside in style.elements for name in inside.attributes}
            if names <= {"officeooo:rsid", "officeooo:paragraph-rsid"}:
                self._unseen.add(name)

    def _with_units(self, element: Element) -> list[Piece]:
        """Return an element as it stands, with units for what people read inside."""
        if element.start not in self._made:  # asked for twice: as a mark, and as a part of what is
            self._made[element.start] = self._new_pieces(element)
        return self._made[element.start]

    def _new_pieces(self, element: Element) -> list[Piece]:
        if self._stays(element):
            return [self._source.cut(element.start, element.end)]
        if element.name in _TITLES and has_letters(element.text):
            inside = self._source.cut(element.inside, element.outside)
            tag = self._source.cut(element.start, element.inside)
            unit = TextUnit(MarkedText(element.text), inside, escaped)
            return [tag, unit, self._source.cut(element.outside, element.end)]
        tag = self._source.cut(element.start, element.inside)
        original = self._between(element)
        if element.name in _PARAGRAPHS:
            content = Content(self._source, self._with_units, self._unseen, self._is_for_code, tag)
            items = content.items(element)
            text = "".join(item.text for item in items)
            if has_letters(text) and not self._is_for_code(element, text):
                original = [unit_of(items, original, content.write, self._code)]
        return joined_pieces([tag, *original, self._source.cut(element.outside, element.end)])

    def _is_for_code(self, element: Element, text: str = "") -> bool:
        """Return whether an element stays; a text that it has is counted."""
        style = element.attributes.get("text:style-name", "")
        is_code = style in self._for_code or is_for_code(style)
        return is_code and self._code.has(text, is_in_format=True)

    def _between(self, element: Element) -> list[Piece]:
        pieces, done = list[Piece](), element.inside
        for child in element.elements:
            pieces += [self._source.cut(done, child.start), *self._with_units(child)]
            done = child.end
        return joined_pieces([*pieces, self._source.cut(done, element.outside)])


def _is_a_prompt(around: Sequence[Element]) -> bool:
    """Return whether a master asks an author here to write something on a slide."""
    names = {element.name for element in around}
    return "style:master-page" in names and any(
        "presentation:class" in element.attributes for element in around
    )


def values_that_formulas_name(content: bytes) -> frozenset[str]:
    """Return the texts, in small letters, that formulas, conditions and filters compare cells with.

    Fields of pivot tables are among them.

    Args:
        content: the main member of a sheet.
    """
    found = set[str]()
    for attribute in _COMPARES.finditer(content):
        value = html.unescape((attribute[2] or attribute[3]).decode("utf-8", "replace"))
        found |= {value} if attribute[1] in _WHOLE else literals(value)
    return frozenset(value.strip().lower() for value in found)
