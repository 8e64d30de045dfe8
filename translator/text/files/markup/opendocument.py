"""Texts of OpenDocument (`.odt`): paragraphs, headings, tables, notes, boxes, alternative texts.

A paragraph is a unit. Spans with a format, links and the like are marks. Fields that are computed,
comments and deleted text stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from translator.errors import InputError
from translator.text.characters import has_letters
from translator.text.files.markup.archive import Archive, ArchiveDocument
from translator.text.files.markup.code import is_for_code
from translator.text.files.markup.paragraph import Mark, ParagraphUnit, joined_pieces
from translator.text.files.markup.source import Element, Text, XmlSource, escaped
from translator.text.files.nesting import Item, Kind
from translator.text.formats.document import Document
from translator.text.formats.pieces import Piece, TextUnit, gathered
from translator.text.marked import MarkedText

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_PREFIXES = {
    f"{_OASIS}text:1.0": "text",
    f"{_OASIS}office:1.0": "office",
    f"{_OASIS}style:1.0": "style",
    f"{_OASIS}svg-compatible:1.0": "svg",
    "http://openoffice.org/2009/office": "officeooo",
}
_MEMBERS = ("content.xml", "styles.xml")
_PARAGRAPHS = frozenset({"text:p", "text:h"})
_TITLES = frozenset({"svg:title", "svg:desc"})
_LEFT = frozenset({"text:tracked-changes", "office:annotation"})
_STYLE = "style:style"
_WANTED = _PARAGRAPHS | _TITLES | _LEFT | {_STYLE}
_AROUND = frozenset({"text:span", "text:a", "text:meta"})
_RANGES: dict[str, Kind] = {}
for _name in ("bookmark", "reference-mark", "change", "alphabetical-index-mark", "toc-mark"):
    _RANGES |= {f"text:{_name}-start": "opens", f"text:{_name}-end": "closes"}
_SPACE = re.compile(r"[ \t\r\n]+")
_WRITTEN = re.compile(r"(?P<spaces> {2,})|[\t\n]")


def read_odt(name: str, data: bytes) -> Document[bytes]:
    """Read a text of OpenDocument.

    Raises:
        InputError: it is damaged, encrypted or too large, or no such document.
    """
    archive = Archive(name, data)
    manifest = "META-INF/manifest.xml"
    if manifest in archive.names and b"encryption-data" in archive.read(manifest):
        raise InputError(f"{name}: is encrypted; save it without a password", "encrypted_file")
    archive.read("content.xml")
    parts = {}
    for member in _MEMBERS:
        if member in archive.names:
            source = XmlSource(f"{name}, {member}", archive.read(member), _PREFIXES)
            parts[member] = (gathered(_Part(source).pieces(), name), source.encoding.encode_markup)
    return ArchiveDocument(name, archive, parts)


class _Part:
    """One member, cut into pieces."""

    def __init__(self, source: XmlSource) -> None:
        self._source = source
        self._made: dict[int, list[Piece]] = {}
        self._unseen = set[str]()  # styles of text that do not change its looks
        self._for_code = set[str]()

    def pieces(self) -> Iterator[Piece]:
        done = 0
        for element, _ in self._source.elements(_WANTED):
            if element.name == _STYLE:
                self._note_style(element)
            elif element.name not in _LEFT:
                yield self._source.cut(done, element.start)
                yield from self._with_units(element)
                self._made.clear()
                done = element.end
        yield self._source.cut(done, self._source.size)

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
        if element.name in _LEFT:
            return [self._source.cut(element.start, element.end)]
        if element.name in _TITLES and has_letters(element.text):
            inside = self._source.cut(element.inside, element.outside)
            tag = self._source.cut(element.start, element.inside)
            unit = TextUnit(MarkedText(element.text), inside, escaped)
            return [tag, unit, self._source.cut(element.outside, element.end)]
        tag = self._source.cut(element.start, element.inside)
        original = self._between(element)
        if element.name in _PARAGRAPHS:
            content = _Content(self._source, self._with_units, self._unseen, self._is_for_code, tag)
            items = content.items(element)
            if not self._is_for_code(element) and has_letters("".join(item.text for item in items)):
                original = [ParagraphUnit(items, original, content.write)]
        return joined_pieces([tag, *original, self._source.cut(element.outside, element.end)])

    def _is_for_code(self, element: Element) -> bool:
        style = element.attributes.get("text:style-name", "")
        return style in self._for_code or is_for_code(style)

    def _between(self, element: Element) -> list[Piece]:
        pieces, done = list[Piece](), element.inside
        for child in element.elements:
            pieces += [self._source.cut(done, child.start), *self._with_units(child)]
            done = child.end
        return joined_pieces([*pieces, self._source.cut(done, element.outside)])


class _Content:
    """Makes items of the content of one paragraph."""

    def __init__(
        self,
        source: XmlSource,
        with_units: Callable[[Element], list[Piece]],
        unseen: set[str],
        is_for_code: Callable[[Element], bool],
        tag: str,
    ) -> None:
        self._is_for_code = is_for_code
        self._source, self._with_units, self._unseen = source, with_units, unseen
        prefix = re.match(r"<([\w.-]+:)?", tag)
        self._prefix = (prefix[1] or "") if prefix else ""
        self._items: list[Item[Mark]] = []
        self._last = " "  # character: white space at the beginning is none

    def items(self, paragraph: Element) -> Sequence[Item[Mark]]:
        self._add_all(paragraph)
        return self._items

    def write(self, text: str, _: str, before: str) -> str:
        """Return a text with elements for what would collapse: tabs, breaks and several spaces."""
        prefix, lead = self._prefix, ""
        if text[0] == " " and before in ("", " ", "\t", "\n"):
            lead, text = f"<{prefix}s/>", text[1:]

        def char(found: re.Match[str]) -> str:
            if found["spaces"]:
                return f' <{prefix}s {prefix}c="{len(found[0]) - 1}"/>'
            return f"<{prefix}tab/>" if found[0] == "\t" else f"<{prefix}line-break/>"

        return lead + _WRITTEN.sub(char, escaped(text))

    def _add_all(self, parent: Element) -> None:
        for child in parent.children:
            if isinstance(child, Text):
                text = _SPACE.sub(" ", child.text)
                self._add_text(text[1:] if self._last == " " and text[:1] == " " else text)
            elif child.name == "text:s":
                self._add_text(" " * _count(child))
                self._last = "\0"  # a space behind it counts
            elif child.name in ("text:tab", "text:line-break"):
                self._add_text("\t" if child.name == "text:tab" else "\n")
                self._last = " "
            elif child.name == "text:span" and self._is_unseen(child):
                self._add_all(child)
            elif child.name in _AROUND:
                pair = ("around", child.start)
                self._add(Item("opens", mark=self._cut(child.start, child.inside), pair=pair))
                first = len(self._items)
                self._add_all(child)
                if self._is_for_code(child):
                    self._items[first:] = [_verbatim(item) for item in self._items[first:]]
                self._add(Item("closes", mark=self._cut(child.outside, child.end), pair=pair))
            elif child.name in _RANGES:
                names = (child.attributes.get(f"text:{key}") for key in ("name", "id", "change-id"))
                whose = (child.name.rpartition("-")[0], next(filter(None, names), None))
                mark = self._cut(child.start, child.end)
                self._add(Item(_RANGES[child.name], mark=mark, pair=whose))
            elif child.name != "text:soft-page-break":
                is_read = child.name.startswith("text:") and child.name != "text:note"
                read = child.text if is_read else ""
                self._add(Item("stands", mark=Mark(tuple(self._with_units(child))), read=read))
                self._last = "\0"

    def _is_unseen(self, span: Element) -> bool:
        return span.attributes.get("text:style-name") in self._unseen

    def _add_text(self, text: str) -> None:
        if text:
            self._items.append(Item("text", text))
            self._last = text[-1]

    def _add(self, item: Item[Mark]) -> None:
        self._items.append(item)

    def _cut(self, start: int, end: int) -> Mark:
        return Mark((self._source.cut(start, end),))


def _count(spaces: Element) -> int:
    """Return how many spaces an element stands for."""
    count = spaces.attributes.get("text:c", "1")
    return min(int(count), 1_000) if count.isdecimal() else 1


def _verbatim(item: Item[Mark]) -> Item[Mark]:
    return replace(item, kind="verbatim") if item.kind == "text" else item
