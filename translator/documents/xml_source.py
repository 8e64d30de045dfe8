"""XML with the places of its elements, read safely and in pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

from translator.documents.document import FileDocument, Piece
from translator.documents.encoding import as_utf8, declared_by_xml
from translator.errors import InputError

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

MAX_BYTES = 64 << 20
MAX_DEPTH = 256
MAX_ELEMENTS = 200_000
"""In one paragraph, or whatever is held as a tree; more would take gigabytes of memory."""

_BLOCK = 1 << 20
_WIDEST_MARGIN = 200
_PREFIX = re.compile(r"<([\w.-]+:)?")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_IN_TEXT = str.maketrans(_ESCAPES)
_IN_VALUE = str.maketrans({**_ESCAPES, '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})

Edit = tuple[int, int, Iterable[Piece]]
"""Two offsets of a source, and what takes the place of all between them."""


@dataclass(slots=True, eq=False)
class Text:
    """Characters between tags, without entities; the offsets are those of the source."""

    start: int
    end: int
    text: str


@dataclass(slots=True, eq=False)
class Element:
    """An element.

    Attributes:
        name: with the prefix that the reader gave its name space; names in others have their URI.
        attributes: named in the same way.
        start: offset of its start tag.
        inside: offset after its start tag.
        outside: offset of its end tag.
        end: offset after it.
        children: only of elements that a reader has asked for, and of what they contain.
    """

    name: str
    attributes: Mapping[str, str]
    start: int
    inside: int = -1
    outside: int = -1
    end: int = -1
    children: list[Element | Text] = field(default_factory=list)

    @property
    def elements(self) -> Iterator[Element]:
        """The children that are elements."""
        return (child for child in self.children if isinstance(child, Element))

    def child(self, *names: str) -> Element | None:
        """Return the first child element with one of some names."""
        return next((child for child in self.elements if child.name in names), None)

    @property
    def text(self) -> str:
        """The characters in it and in all elements inside."""
        return "".join(child.text for child in self.children)


class XmlSource:
    """A file of XML.

    Attributes:
        encoding: how it is written.
        size: its number of bytes; offsets count bytes in UTF-8, whatever the encoding.
    """

    def __init__(self, name: str, data: bytes, prefixes: Mapping[str, str]) -> None:
        """Read nothing yet; `prefixes` are those that names get, by the URI of a name space.

        Raises:
            InputError: the encoding is unknown, or it is too large.
        """
        if len(data) > MAX_BYTES:
            raise InputError(
                f"{name}: has {len(data):,} bytes of XML, and {MAX_BYTES:,} is the most",
                "file_too_large",
            )
        self._bytes, self.encoding = as_utf8(data, name, declared_by_xml(data) or "utf-8")
        self._name, self._prefixes = name, prefixes
        self.size = len(self._bytes)

    def cut(self, start: int, end: int) -> str:
        """Return the source between two offsets."""
        return self._bytes[start:end].decode()

    def place(self, element: Element) -> tuple[int, int, Callable[[str], str]]:
        """Return where the text of an element begins and ends, and what writes one there.

        That is inside a section `<![CDATA[…]]>` if there is only white space beside it.
        """
        parts = [one for one in element.children if isinstance(one, Element) or one.text.strip()]
        if len(parts) == 1 and self._bytes.endswith(b"<![CDATA[", 0, parts[0].start):
            return parts[0].start, parts[0].end, in_cdata
        return element.inside, element.outside, escaped

    def document(self, edits: Iterable[Edit]) -> FileDocument:
        """Return the file as a document; see `replaced`.

        Raises:
            InputError: it has too many units.
        """
        return FileDocument(self.replaced(edits), self._name, self.encoding.encode_markup)

    def root(self, name: str) -> Element | None:
        """Return the element around all others, if it has a name; it is read as a whole."""
        element, around = next(self.elements(frozenset({name})), (None, ()))
        return None if around else element

    def replaced(self, edits: Iterable[Edit]) -> Iterator[Piece]:
        """Yield the whole source, with what takes the place of some parts of it, in order."""
        done = 0
        for start, end, pieces in edits:
            yield self.cut(done, start)
            yield from pieces
            done = end
        yield self.cut(done, self.size)

    def prefix(self, element: Element) -> str:
        """Return the prefix of an element's name as the file has it, with its colon: `w:`."""
        name = _PREFIX.match(self.cut(element.start, element.inside))
        return (name[1] or "") if name else ""

    def margin(self, place: int) -> str:
        """Return the white space before an offset: what is new stands in the same column."""
        before = self._bytes[max(place - _WIDEST_MARGIN, 0) : place]  # may begin inside a letter
        return before[len(before.rstrip()) :].decode()

    def elements(self, wanted: frozenset[str]) -> Iterator[tuple[Element, tuple[Element, ...]]]:
        """Yield the outermost elements of some names, whole, with the elements around each.

        Raises:
            InputError: it is not well-formed, declares entities, or is nested too deeply.
        """
        yield from _Events(self._name, self._prefixes, wanted).read(self._bytes)


class _Events:
    """Takes what the parser reports; an element ends where the next report is."""

    def __init__(self, name: str, prefixes: Mapping[str, str], wanted: frozenset[str]) -> None:
        self._name, self._prefixes, self._wanted = name, prefixes, wanted
        self._names: dict[str, str] = {}
        self._stack: list[Element] = []
        self._depth_wanted: int | None = None
        self._found: list[tuple[Element, tuple[Element, ...]]] = []
        self._opened: Element | None = None
        self._ended: Element | Text | None = None
        self._parts: list[str] = []
        self._count = 0
        self._parser = self._new_parser()

    def _new_parser(self) -> XMLParserType:
        parser = expat.ParserCreate("utf-8", " ")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._refuse_entities
        parser.SkippedEntityHandler = self._refuse_entities
        for handler in ("Comment", "ProcessingInstruction", "StartCdataSection", "EndCdataSection"):
            setattr(parser, f"{handler}Handler", lambda *_: self._at())
        return parser

    def read(self, source: bytes) -> Iterator[tuple[Element, tuple[Element, ...]]]:
        """Parse, and yield what is found after each block; it can be done once."""
        try:
            yield from self._parsed(source)
        finally:
            del self._parser  # it refers to this, and no one collects circles in a large file

    def _parsed(self, source: bytes) -> Iterator[tuple[Element, tuple[Element, ...]]]:
        try:
            for start in range(0, len(source), _BLOCK):
                self._parser.Parse(source[start : start + _BLOCK], False)
                is_whole = self._ended is None and self._depth_wanted is None
                ready = self._found if is_whole else self._found[:-1]
                self._found = self._found[len(ready) :]
                yield from ready
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise InputError(
                f"{self._name}, line {error.lineno}: is not well-formed XML ({what})"
            ) from error
        self._close_last(len(source))
        yield from self._found

    def _at(self) -> int:
        """Return the offset of this report: here ends what was reported before."""
        place = self._parser.CurrentByteIndex
        if self._opened:
            self._opened.inside = place
        self._close_last(place)
        self._opened = self._ended = None
        return place

    def _close_last(self, place: int) -> None:
        if self._ended:
            self._ended.end = place
        if isinstance(self._ended, Text):
            self._ended.text = "".join(self._parts)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        place = self._at()
        if len(self._stack) == MAX_DEPTH:
            raise InputError(f"{self._name}: is nested more than {MAX_DEPTH} elements deep")
        named = {self._known(key): value for key, value in attributes.items()}
        element = Element(self._known(name), named, place)
        if self._depth_wanted is not None:
            self._stack[-1].children.append(element)
            self._count_one()
        elif element.name in self._wanted:
            self._depth_wanted, self._count = len(self._stack), 0
            self._found.append((element, tuple(self._stack)))
        self._stack.append(element)
        self._opened = element

    def _end(self, name: str) -> None:
        place = self._at()
        element = self._stack.pop()
        element.outside = place
        self._ended = element
        if self._depth_wanted == len(self._stack):
            self._depth_wanted = None

    def _text(self, text: str) -> None:
        if isinstance(self._ended, Text):  # the parser reports a text in several parts
            self._parts.append(text)
            return
        place = self._at()
        if self._depth_wanted is not None:
            self._ended, self._parts = Text(place, place, ""), [text]
            self._stack[-1].children.append(self._ended)
            self._count_one()

    def _count_one(self) -> None:
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise InputError(
                f"{self._name}: has a paragraph of more than {MAX_ELEMENTS:,} elements; split it"
            )

    def _known(self, name: str) -> str:
        if name not in self._names:
            uri, _, local = name.rpartition(" ")
            prefix = self._prefixes.get(uri, uri)
            self._names[name] = f"{prefix}:{local}" if prefix else local
        return self._names[name]

    def _refuse_entities(self, *_: object) -> NoReturn:
        raise InputError(
            f"{self._name}: declares or uses entities of its own, which are not read; write "
            "characters in their places"
        )


def escaped(text: str) -> str:
    """Return text as XML has it between tags, without characters that XML cannot have."""
    return _FORBIDDEN.sub("", text).translate(_IN_TEXT)


def opened(tag: str) -> str:
    """Return a start tag without an end in it."""
    return f"{tag.removesuffix('/>').rstrip()}>" if tag.endswith("/>") else tag


def with_attribute(tag: str, name: str, value: str | None) -> str:
    """Return a start tag with another value of an attribute, also a new one; None drops it."""
    said = "" if value is None else f' {name}="{escaped_value(value)}"'
    tag, count = re.subn(rf"\s{name}\s*=\s*(?:\"[^\"]*\"|'[^']*')", lambda _: said, tag, count=1)
    end = "/>" if tag.endswith("/>") else ">"
    return tag if count else f"{tag.removesuffix(end).rstrip()}{said}{end}"


def in_cdata(text: str) -> str:
    """Return text as XML has it in a section `<![CDATA[…]]>`."""
    return _FORBIDDEN.sub("", text).replace("]]>", "]]]]><![CDATA[>")


def escaped_value(text: str) -> str:
    """Return text as XML has it in the quotes of an attribute."""
    return _FORBIDDEN.sub("", text).translate(_IN_VALUE)
