"""The content of OpenDocument's paragraphs: text, spans, links, fields, and white space."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from translator.documents.markup.paragraph import Mark
from translator.documents.markup.source import Element, Text, XmlSource, escaped
from translator.documents.nesting import Item, Kind
from translator.text.formats.pieces import Piece

_AROUND = frozenset({"text:span", "text:a", "text:meta"})
_RANGES: dict[str, Kind] = {}
for _name in ("bookmark", "reference-mark", "change", "alphabetical-index-mark", "toc-mark"):
    _RANGES |= {f"text:{_name}-start": "opens", f"text:{_name}-end": "closes"}
_WHITE_SPACE = frozenset({"text:s", "text:tab", "text:line-break"})
_SPACE = re.compile(r"[ \t\r\n]+")
_WRITTEN = re.compile(r"(?P<spaces>(?<=[\t\n]) +| {2,})|[\t\n]")


def write_text(prefix: str, text: str, style: str, before: str) -> str:
    """Return a text in its span, with elements for what would collapse.

    That are tabs, breaks and several spaces. A unit keeps this for as long as the document is
    there, so it holds no more than a prefix.
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

    written = lead + _WRITTEN.sub(char, escaped(text))
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
        tag: str,
    ) -> None:
        """Set up.

        Args:
            source: that the paragraph stands in.
            with_units: returns an element as it stands, with units for what people read inside.
            unseen: styles that do not change the looks of text.
            is_for_code: whether an element has a style for code.
            tag: that the paragraph begins with.
        """
        self._is_for_code = is_for_code
        self._source, self._with_units, self._unseen = source, with_units, unseen
        prefix = re.match(r"<([\w.-]+:)?", tag)
        self.write = partial(write_text, (prefix[1] or "") if prefix else "")
        self._items: list[Item[Mark]] = []
        self._last = " "  # character: white space at the beginning is none
        self._style = ""

    def items(self, paragraph: Element) -> Sequence[Item[Mark]]:
        """Return the items, with the white space that readers see."""
        self._add_all(paragraph)
        return self._items

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


def _count(spaces: Element) -> int:
    """Return how many spaces an element stands for."""
    count = spaces.attributes.get("text:c", "1")
    return min(int(count), 1_000) if count.isdecimal() else 1


def _verbatim(item: Item[Mark]) -> Item[Mark]:
    return replace(item, kind="verbatim") if item.kind == "text" else item
