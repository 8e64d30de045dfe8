"""The content of OpenDocument's paragraphs: text, spans, links, fields, and white space."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from translator.documents.code import Code, is_for_code, literals
from translator.documents.document import Piece, TextUnit
from translator.documents.markup.inline import Item, Kind
from translator.documents.paragraph import (
    CUTS,
    Mark,
    char_for,
    is_raised,
    is_read,
    joined_pieces,
    tag_with_units,
    unit_of,
    with_cuts,
)
from translator.documents.xml_source import Element, Text, XmlSource, escaped
from translator.text.characters import has_letters
from translator.text.marked import MarkedText

_AROUND = frozenset({"text:span", "text:a", "text:meta"})
_RANGES: dict[str, Kind] = {}
for _name in ("bookmark", "reference-mark", "change", "alphabetical-index-mark", "toc-mark"):
    _RANGES |= {f"text:{_name}-start": "opens", f"text:{_name}-end": "closes"}
_WHITE_SPACE = frozenset({"text:s", "text:tab", "text:line-break"})
_SPACE = re.compile(r"[ \t\r\n]+")
_CUT = re.compile(f"([{CUTS}])")
_WRITTEN = re.compile(r"(?P<spaces>(?<=[\t\n]) +| {2,})|[\t\n]")


def write_text(prefix: str, cuts: Mapping[str, str], text: str, style: str, before: str) -> str:
    """Return a text in its span, with elements for what would collapse.

    That are tabs, breaks and several spaces; `cuts` has the elements that other characters stand
    for. A unit keeps this for as long as the document is there, so it holds no more than these two.
    """
    lead = ""
    if text[0] == " " and before in ("", " ", "\t", "\n"):
        lead, text = f"<{prefix}s/>", text[1:]

    def char(found: re.Match[str]) -> str:
        if found["spaces"]:
            count = len(found[0])
            if found.start() and found.string[found.start() - 1] in "\t\n":
                return f'<{prefix}s {prefix}c="{count}"/>'  # a plain one could be lost there
            return f' <{prefix}s {prefix}c="{count - 1}"/>'
        return f"<{prefix}tab/>" if found[0] == "\t" else f"<{prefix}line-break/>"

    parts = _CUT.split(text)
    written = lead + "".join(cuts.get(part) or _WRITTEN.sub(char, escaped(part)) for part in parts)
    return f"{style}{written}</{prefix}span>" if style else written


class Content:
    """Makes items of the content of one paragraph.

    Attributes:
        write: writes a text of it; see `write_text`.
    """

    def __init__(
        self,
        source: XmlSource,
        with_units: Callable[[Element], list[Piece]],
        unseen: set[str],
        is_for_code: Callable[[Element], bool],
        paragraph: Element,
    ) -> None:
        """Take a paragraph, and what returns an element with units for what people read inside.

        `unseen` are styles that do not change the looks of text.
        """
        self._is_for_code = is_for_code
        self._source, self._with_units, self._unseen = source, with_units, unseen
        self._paragraph = paragraph
        self._cuts = dict[str, str]()
        self.write = partial(write_text, source.prefix(paragraph), self._cuts)
        self._items: list[Item[Mark]] = []
        self._last = " "  # character: white space at the beginning is none
        self._style = ""

    def items(self) -> Sequence[Item[Mark]]:
        """Return the items, with the white space that readers see."""
        self._add_all(self._paragraph)
        return with_cuts(self._items)

    def _add_all(self, parent: Element) -> None:
        for child in parent.children:
            if isinstance(child, Text):
                text = _SPACE.sub(" ", child.text)
                self._add_text(text[1:] if self._last == " " and text[:1] == " " else text)
            elif child.name == "text:s":
                self._add_text(" " * _count(child))
                self._last = "\0"  # a space after it counts
            elif child.name in ("text:tab", "text:line-break"):
                self._add_text("\t" if child.name == "text:tab" else "\n")
                self._last = " "
            elif child.name == "text:span" and (self._is_unseen(child) or self._is_run(child)):
                outer = self._style
                if not self._is_unseen(child):
                    self._style = self._source.cut(child.start, child.inside)
                self._add_all(child)
                self._style = outer
            elif child.name in _AROUND:
                pair = ("around", child.start)
                self._add(Item("opens", mark=self._cut(child.start, child.inside), pair=pair))
                first = len(self._items)
                self._add_all(child)
                if self._is_for_code(child):
                    self._items[first:] = [
                        replace(item, kind="verbatim") if item.kind == "text" else item
                        for item in self._items[first:]
                    ]
                self._add(Item("closes", mark=self._cut(child.outside, child.end), pair=pair))
            elif child.name in _RANGES:
                names = (child.attributes.get(f"text:{key}") for key in ("name", "id", "change-id"))
                whose = (child.name.rpartition("-")[0], next(filter(None, names), None))
                mark = self._cut(child.start, child.end)
                self._add(Item(_RANGES[child.name], mark=mark, pair=whose))
            elif child.name == "draw:control":
                self._add_control(child)
            elif child.name != "text:soft-page-break":
                is_read = child.name.startswith("text:") and child.name != "text:note"
                read = child.text if is_read else ""
                self._add(Item("stands", mark=Mark(tuple(self._with_units(child))), read=read))
                self._last = "\0"

    def _add_control(self, control: Element) -> None:
        markup = Mark(tuple(self._with_units(control)), self._style)
        char = char_for(self._source.cut(control.start, control.end), self._cuts)
        self._add(Item("break", char, mark=markup) if char else Item("stands", mark=markup))
        self._last = "\0"

    def _is_run(self, span: Element) -> bool:
        """Return whether a span is a run of text in one format, and not for code."""
        return not self._is_for_code(span) and all(
            isinstance(child, Text) or child.name in _WHITE_SPACE for child in span.children
        )

    def _is_unseen(self, span: Element) -> bool:
        return span.attributes.get("text:style-name") in self._unseen

    def _add_text(self, text: str) -> None:
        if text:
            self._items.append(Item("text", text, Mark(style=self._style)))
            self._last = text[-1]

    def _add(self, item: Item[Mark]) -> None:
        self._items.append(item)

    def _cut(self, start: int, end: int) -> Mark:
        return Mark((self._source.cut(start, end),))


_MOST_SPACES = 1_000


def _count(spaces: Element) -> int:
    count = spaces.attributes.get("text:c", "1")
    if not count.isdecimal():
        return 1
    return int(count) if len(count) < len(str(_MOST_SPACES)) else _MOST_SPACES


_PARAGRAPHS = frozenset({"text:p", "text:h"})
_TITLES = frozenset({"svg:title", "svg:desc"})
_PLAIN = _TITLES | {"presentation:footer-decl", "presentation:header-decl"}
"""What has a text without paragraphs."""

_SHOWN = {
    **dict.fromkeys(("table:help-message", "table:error-message"), "table:title"),
    "text:label": "text:value",
    "form:combobox": "form:value",
    **{
        f"form:{name}": "form:label"
        for name in ("button", "checkbox", "fixed-text", "frame", "item", "option", "radio")
    },
}
"""Elements with an attribute that is shown: titles of what cells tell, and what forms offer."""

_COMBO, _DROP_DOWN = "form:combobox", "text:drop-down"
_COMMENT = "office:annotation"
_LEFT = frozenset({"text:tracked-changes", "table:tracked-changes"})
_STYLE = "style:style"
_CELLS = frozenset({"table:table-cell", "table:covered-table-cell"})
_COMPARES = re.compile(
    rb"\s(table:(?:formula|condition|value|source-field-name|data-field)"
    rb"|calcext:value|style:condition)\s*=\s*"
    rb"(?:\"([^\"]{1,10000})\"|'([^']{1,10000})')"
)
_VALUE = "office:string-value"  # of a cell: its text once more, which programs show
_STYLE_NAME = re.compile(r":style-name\s*=\s*[\"']([^\"']*)")
_WHOLE = frozenset({b"table:value", b"table:source-field-name", b"table:data-field"})
_WANTED = _PARAGRAPHS | _PLAIN | _SHOWN.keys() | _LEFT | {_STYLE, _COMMENT}


class MemberReader:
    """One member."""

    def __init__(
        self,
        source: XmlSource,
        stays: Callable[[str], bool] | None = None,
        code: Code | None = None,
        *,
        is_object: bool = False,
    ) -> None:
        """Read nothing yet.

        Args:
            source: of the member.
            stays: tells whether the text of a cell does; None in anything but sheets.
            code: tells which text stays; all in a format for code if None.
            is_object: whether it is a chart or the like inside another document. What it calls a
                description is where its figures are from.
        """
        self._source, self._is_stable, self._is_object = source, stays, is_object
        self._code = code or Code()
        self._made: dict[int, list[Piece]] = {}
        self._unseen = set[str]()  # styles of text that do not change its looks
        self._for_code = set[str]()
        self._raised = set[str]()  # styles that raise or lower text

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
                    yield from tag_with_units(self._source, cell, (_VALUE,))
                    done = cell.inside
                yield self._source.cut(done, element.start)
                yield from self._with_units(element)
                self._made.clear()
                done = element.end
        yield self._source.cut(done, self._source.size)

    def _stays(self, element: Element) -> bool:
        is_comment = element.name == _COMMENT and self._is_stable is None
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
        return self._is_stable is not None and self._is_stable(element.text)

    def _note_style(self, style: Element) -> None:
        """Remember a style that is for code, or that only numbers the times of changes."""
        name = style.attributes.get("style:name", "")
        parent = style.attributes.get("style:parent-style-name", "")
        fonts = "".join(inside.attributes.get("style:font-name", "") for inside in style.elements)
        if is_for_code(f"{name} {parent} {fonts}"):
            self._for_code.add(name)
        places = [inside.attributes.get("style:text-position", "0") for inside in style.elements]
        if any(not place.startswith("0") for place in places):
            self._raised.add(name)
        if style.attributes.get("style:family") == "text":
            names = {name for inside in style.elements for name in inside.attributes}
            if names <= {"officeooo:rsid", "officeooo:paragraph-rsid"}:
                self._unseen.add(name)

    def _with_units(self, element: Element) -> list[Piece]:
        if element.start not in self._made:  # asked for twice: as a mark, and as a part of what is
            self._made[element.start] = self._new_pieces(element)
        return self._made[element.start]

    def _new_pieces(self, element: Element) -> list[Piece]:
        if self._stays(element):
            return [self._source.cut(element.start, element.end)]
        shown = _SHOWN.get(element.name)
        tag: list[Piece] = [self._source.cut(element.start, element.inside)]
        if shown and (element.name != _COMBO or _is_chosen(element)):
            tag = tag_with_units(self._source, element, (shown,))
        if element.name in _PLAIN and has_letters(element.text):
            inside = self._source.cut(element.inside, element.outside)
            unit = TextUnit(MarkedText(element.text), inside, escaped)
            return [*tag, unit, self._source.cut(element.outside, element.end)]
        original = self._between(element)
        if element.name in _PARAGRAPHS:
            content = Content(
                self._source, self._with_units, self._unseen, self._is_for_code, element
            )
            items = content.items()
            text = "".join(item.text for item in items)
            if is_read(text) and not self._is_for_code(element, text):
                original = [unit_of(items, original, content.write, self._code, self._is_raised)]
        return joined_pieces([*tag, *original, self._source.cut(element.outside, element.end)])

    def _is_for_code(self, element: Element, text: str = "") -> bool:
        style = element.attributes.get("text:style-name", "")
        is_code = style in self._for_code or is_for_code(style)
        return is_code and self._code.has(text, is_in_format=True)

    def _is_raised(self, tag: str) -> bool:
        """Return whether a span, of which this is the tag, raises or lowers its text."""
        named = _STYLE_NAME.search(tag)
        return named is not None and (named[1] in self._raised or is_raised(named[1]))

    def _between(self, element: Element) -> list[Piece]:
        pieces, done = list[Piece](), element.inside
        for child in element.children:
            if isinstance(child, Element):
                pieces += [self._source.cut(done, child.start), *self._with_units(child)]
                done = child.end
            elif element.name == _DROP_DOWN and has_letters(child.text):
                original = self._source.cut(child.start, child.end)
                unit = TextUnit(MarkedText(child.text), original, escaped)
                pieces += [self._source.cut(done, child.start), unit]
                done = child.end
        return joined_pieces([*pieces, self._source.cut(done, element.outside)])


def _is_chosen(combo: Element) -> bool:
    """Return whether what stands in a field is one of what it offers, and not what people write."""
    offered = {item.attributes.get("form:label") for item in combo.elements}
    return combo.attributes.get("form:value") in offered


def _is_a_prompt(around: Sequence[Element]) -> bool:
    """Return whether a master asks an author here to write something on a slide."""
    names = {element.name for element in around}
    return "style:master-page" in names and any(
        "presentation:class" in element.attributes for element in around
    )


def cells_of(source: XmlSource) -> Iterator[tuple[Hashable, str]]:
    """Yield the column and the text of each cell that has one, from the main member."""
    row, number = -1, 0
    for cell, around in source.elements(_CELLS):
        of_row = around[-1].start if around else 0
        row, number = of_row, number if of_row == row else 0
        sheet = tuple(one.start for one in around if one.name == "table:table")
        if text := " ".join(one.text for one in cell.elements if one.name in _PARAGRAPHS).strip():
            yield (sheet, number), text
        repeated = cell.attributes.get("table:number-columns-repeated", "")
        number += int(repeated) if repeated.isdecimal() else 1


def values_that_formulas_name(content: bytes) -> frozenset[str]:
    """Return the texts, in small letters, that formulas, conditions and filters compare cells with.

    Fields of pivot tables are among them. The content is that of the main member.
    """
    found = set[str]()
    for attribute in _COMPARES.finditer(content):
        value = html.unescape((attribute[2] or attribute[3]).decode("utf-8", "replace"))
        found |= {value} if attribute[1] in _WHOLE else literals(value)
    return frozenset(value.strip().lower() for value in found)
