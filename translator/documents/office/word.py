"""The content of Word's paragraphs: runs of text in one format, links, fields and other things."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from translator.documents.code import Code, is_for_code, unless_all_is_code
from translator.documents.document import Document, Piece, TextUnit
from translator.documents.language_marks import OFFICE, marking
from translator.documents.markup.inline import Item, Kind
from translator.documents.office import drawing
from translator.documents.office.drawing import DRAWN, read_drawing
from translator.documents.office.package import Package, types_of
from translator.documents.paragraph import (
    CUTS,
    Mark,
    char_for,
    is_read,
    joined_pieces,
    style_of,
    tag_with_units,
    unit_of,
    with_cuts,
)
from translator.documents.xml_source import Edit, Element, XmlSource, escaped
from translator.text.marked import MarkedText

PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
}
_MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
SHOWN = {"docPr": ("title", "descr"), "cNvPr": ("title", "descr"), "shape": ("alt",)}
"""Attributes that people read, by the names of elements: alternative texts of pictures."""

_AROUND = frozenset(
    f"w:{name}"
    for name in ("hyperlink", "ins", "moveTo", "smartTag", "customXml", "sdt", "dir", "bdo")
)
_RANGES: dict[str, tuple[Kind, str]] = {}
for _name in ("bookmark", "commentRange", "moveToRange"):
    _RANGES |= {f"w:{_name}Start": ("opens", _name), f"w:{_name}End": ("closes", _name)}
_READ = frozenset({"w:fldSimple", f"{_MATH}:oMath"})
_HINTS = frozenset({"w:proofErr", "w:lastRenderedPageBreak", "w:softHyphen", "w:rPr"})
"""They mean nothing for a translation: marks of a spelling checker, places of hyphens."""

_BINDINGS = frozenset(
    f"{space}:dataBinding"
    for space in ("w", "http://schemas.microsoft.com/office/word/2012/wordml")
)
"""Of a content control to another part, with whose text Word replaces its own: that is let go."""

_CHOICES = {"w:listItem": "w:displayText", "w:listEntry": "w:val"}
"""Of a list to choose from: elements, and the attribute of each that is shown."""

_CHARACTERS = {"w:tab": "\t", "w:cr": "\n", "w:noBreakHyphen": "\u2011"}
_WRITTEN = {"\t": "tab", "\n": "br", "\u2011": "noBreakHyphen"}
_SPECIAL = f"\t\n\u2011{CUTS}"
_PARTS = re.compile(rf"[{_SPECIAL}]|[^{_SPECIAL}]+")
_OF_LANGUAGE = re.compile(r"<(?:\w+:)?(?:lang|noProof)\b[^<>]*/>")
_SHOWN_FIELD = re.compile(r"\s*(?:HYPERLINK|TOC|INDEX|TOA)\b")


def write_run(prefix: str, cuts: Mapping[str, str], text: str, style: str, _: str) -> str:
    """Return a text in a run; `cuts` has the elements that characters of it stand for.

    A unit keeps this for as long as the document is there, so it holds no more than these two.
    """
    w, inside = prefix, ""
    for part in _PARTS.findall(text):
        if part in cuts:
            inside += cuts[part]
        elif part in _WRITTEN:
            inside += f"<{w}{_WRITTEN[part]}/>"
        else:
            inside += f'<{w}t xml:space="preserve">{escaped(part)}</{w}t>'
    return f"<{w}r>{style}{inside}</{w}r>"


class Runs:
    """Makes items of the content of one paragraph.

    Attributes:
        write: writes a text of it; see `write_run`.
    """

    def __init__(
        self, source: XmlSource, with_units: Callable[[Element], list[Piece]], prefix: str
    ) -> None:
        """Take the source of a paragraph, and the prefix of its elements, with the colon.

        `with_units` returns an element as it stands, with units for what people read inside.
        """
        self._source, self._with_units, self._prefix = source, with_units, prefix
        self._cuts = dict[str, str]()
        self.write = partial(write_run, prefix, self._cuts)
        self._items: list[Item[Mark]] = []
        self._fields: list[tuple[int, str]] = []  # index of the item, code

    def items(self, content: Iterable[Element]) -> list[Item[Mark]]:
        """Return the items; a text has a mark with its format."""
        self._add_all(content)
        return with_cuts(self._items)

    def _add_all(self, content: Iterable[Element]) -> None:
        for element in content:
            if element.name == "w:r":
                self._add_run(element)
            elif element.name in _AROUND:
                self._add_around(element)
            elif element.name in _RANGES:
                kind, name = _RANGES[element.name]
                pair = (name, element.attributes.get("w:id"))
                self._add(kind, self._with_units(element), pair)
            elif element.name not in _HINTS:
                read = element.text if element.name in _READ else ""
                self._items.append(
                    Item("stands", mark=Mark(tuple(self._with_units(element))), read=read)
                )

    def _add_around(self, element: Element) -> None:
        """Add what stands around runs; its properties belong to the mark that opens."""
        inner = element.child("w:sdtContent") if element.name == "w:sdt" else element
        if inner is None:
            self._add("stands", self._with_units(element))
            return
        if chosen := _chosen(element):
            markup = Mark(tuple(self._with_units(element)))
            self._items.append(Item("stands", mark=markup, read=chosen.text))
            return
        properties = [child for child in inner.elements if child.name.endswith("Pr")]
        content = [child for child in inner.elements if child not in properties]
        first = content[0].start if content else inner.outside
        pair = ("around", element.start)
        opening, done = list[Piece](), element.start
        for child in (child for child in element.elements if child.end <= first):
            opening += [self._source.cut(done, child.start), *self._with_units(child)]
            done = child.end
        self._add("opens", [*opening, self._source.cut(done, first)], pair)
        self._add_all(content)
        self._add("closes", [self._source.cut(inner.outside, element.end)], pair)

    def _add_run(self, run: Element) -> None:
        properties = run.child("w:rPr")
        style = ""
        if properties:
            style = self._source.cut(properties.start, properties.end)
            style = _OF_LANGUAGE.sub("", style)
            style = "" if re.fullmatch(r"<[^<>]*>\s*</[^<>]*>|<[^<>]*/>", style) else style
        for child in run.elements:
            char = _CHARACTERS.get(child.name)
            is_break = child.name == "w:br"
            if is_break and child.attributes.get("w:type", "textWrapping") == "textWrapping":
                char = "\n"
            if child.name == "w:t" or char:
                text = child.text if char is None else char
                self._items.append(Item("text", text, Mark(style=style)))
            elif is_break or child.name == "w:ptab" or child.child("w:control"):
                self._add_cut(child, style)
            elif child.name == "w:fldChar":
                self._add_field(child, style)
            elif child.name not in _HINTS:
                self._stand_in_run(child, style)
                if child.name == "w:instrText" and self._fields:
                    first, code = self._fields[-1]
                    self._fields[-1] = (first, code + child.text)

    def _add_cut(self, child: Element, style: str) -> None:
        """Add a break of a page or a column, a tab at a place of its own, or a form's control."""
        self._stand_in_run(child, style)
        char = char_for(self._source.cut(child.start, child.end), self._cuts)
        markup = self._items[-1].mark
        assert markup is not None  # it stands
        if char:
            self._items[-1] = Item("break", char, replace(markup, style=style))

    def _stand_in_run(self, child: Element, style: str) -> None:
        w = self._prefix
        self._add("stands", [f"<{w}r>{style}", *self._with_units(child), f"</{w}r>"])

    def _add_field(self, char: Element, style: str) -> None:
        """Add the begin, the middle or the end of a field; at the end, see what kind it is.

        A link or a table of contents shows text. What any other shows is computed by Word.
        """
        kind = char.attributes.get("w:fldCharType")
        if kind == "begin":
            self._fields.append((len(self._items), ""))
        self._stand_in_run(char, style)
        if kind == "separate" and self._fields and _SHOWN_FIELD.match(self._fields[-1][1]):
            first, _ = self._fields[-1]
            self._items[first:] = [
                Item("opens", mark=Mark(self._markup(self._items[first:])), pair=("field", first))
            ]
        elif kind == "end" and self._fields:
            first, _ = self._fields.pop()
            pair = ("field", first)
            if self._items[first].pair == pair:
                self._items[-1] = replace(self._items[-1], kind="closes", pair=pair)
            else:
                inside = self._items[first:]
                shown = "".join(item.text for item in inside)
                self._items[first:] = [Item("stands", mark=Mark(self._markup(inside)), read=shown)]

    def _markup(self, items: Iterable[Item[Mark]]) -> tuple[Piece, ...]:
        markup: list[Piece] = []
        for item in items:
            if item.kind == "text":
                markup.append(self.write(item.text, style_of(item), ""))
            elif item.mark:
                markup += item.mark.markup
        return tuple(markup)

    def _add(self, kind: Kind, markup: Sequence[Piece], pair: Hashable = None) -> None:
        self._items.append(Item(kind, mark=Mark(tuple(markup)), pair=pair))


_MAIN = types_of("wordprocessingml", "word", "document|template")
_TEXT = types_of("wordprocessingml", "word", "document|template|header|footer|footnotes|endnotes")
_PREFIXES = {**drawing.PREFIXES, **PREFIXES}
_PARAGRAPH = frozenset({"w:p"})


def read_docx(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a document of Word.

    Raises:
        InputError: it is damaged, encrypted or too large, or no such document.
    """
    package = Package(name, data, "Word")

    def read(code: Code) -> Document[bytes]:
        readers = {_TEXT: lambda source: _MemberReader(source, code).pieces(), DRAWN: read_drawing}
        return package.document(_MAIN, readers, _PREFIXES, marking(name, target, OFFICE))

    return unless_all_is_code(read)


def _chosen(control: Element) -> Element | None:
    """Return the text that a list to choose from shows, if it is one of its items."""
    lists = [child.child("w:dropDownList", "w:comboBox") for child in control.elements]
    items = [item for found in lists if found for item in found.elements]
    content = control.child("w:sdtContent")
    runs = [*content.elements] if items and content else []
    text = runs[0].child("w:t") if len(runs) == 1 else None
    shown = {item.attributes.get(_CHOICES.get(item.name, "")) for item in items}
    return text if text and text.text in shown else None


class _MemberReader:
    def __init__(self, source: XmlSource, code: Code) -> None:
        self._source, self._code = source, code
        self._made: dict[int, list[Piece]] = {}

    def pieces(self) -> Iterator[Piece]:
        return self._source.replaced(self._edits())

    def _edits(self) -> Iterator[Edit]:
        for element, _ in self._source.elements(_PARAGRAPH | _BINDINGS | _CHOICES.keys()):
            yield element.start, element.end, self._with_units(element)
            self._made.clear()

    def _paragraph(self, paragraph: Element) -> Iterator[Piece]:
        properties = paragraph.child("w:pPr")
        start = properties.end if properties else paragraph.inside
        content = [child for child in paragraph.elements if child is not properties]
        runs = Runs(self._source, self._with_units, self._source.prefix(paragraph))
        items = runs.items(content)
        yield self._source.cut(paragraph.start, start)
        original = self._between(start, paragraph.outside, content)
        style = self._source.cut(properties.start, properties.end) if properties else ""
        named = re.search(r"<(?:\w+:)?pStyle\b[^<>]*", style)
        text = "".join(item.text for item in items)
        is_code = named is not None and is_for_code(named[0])
        stays = is_code and self._code.has(text, is_in_format=True)
        if is_read(text) and not stays:
            yield unit_of(items, original, runs.write, self._code)
        else:
            yield from original
        yield self._source.cut(paragraph.outside, paragraph.end)

    def _with_units(self, element: Element) -> list[Piece]:
        if element.start not in self._made:  # asked for twice: as a mark, and as a part of what is
            self._made[element.start] = self._new_pieces(element)
        return self._made[element.start]

    def _new_pieces(self, element: Element) -> list[Piece]:
        if element.name == "w:p":
            return [*self._paragraph(element)]
        if element.name in _BINDINGS:
            return []
        shown = SHOWN.get(element.name.rpartition(":")[2])
        if choice := _CHOICES.get(element.name):
            shown = (choice,)
        if chosen := _chosen(element):
            unit = TextUnit(MarkedText(chosen.text), escaped(chosen.text), escaped)
            tag = self._source.cut(chosen.start, chosen.inside)
            self._made[chosen.start] = [tag, unit, self._source.cut(chosen.outside, chosen.end)]
        opening: list[Piece] = [self._source.cut(element.start, element.inside)]
        if shown:
            opening = tag_with_units(self._source, element, shown)
        inside = self._between(element.inside, element.outside, [*element.elements])
        return joined_pieces([*opening, *inside, self._source.cut(element.outside, element.end)])

    def _between(self, start: int, end: int, elements: Sequence[Element]) -> list[Piece]:
        pieces: list[Piece] = []
        for element in elements:
            pieces += [self._source.cut(start, element.start), *self._with_units(element)]
            start = element.end
        return joined_pieces([*pieces, self._source.cut(start, end)])
