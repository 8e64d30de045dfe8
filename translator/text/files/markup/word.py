"""Documents of Word (`.docx`): text, tables, headers, footers, notes, boxes, alternative texts.

A paragraph is a unit. Runs of the most common format in it are its plain text; other formats, links
and the like are marks. Fields whose content Word computes, and deleted text, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from translator.errors import InputError
from translator.text.characters import has_letters
from translator.text.files.markup.archive import Archive, ArchiveDocument
from translator.text.files.markup.code import is_for_code
from translator.text.files.markup.paragraph import (
    Mark,
    ParagraphUnit,
    joined_pieces,
    tag_with_units,
)
from translator.text.files.markup.runs import PREFIXES, SHOWN, Runs
from translator.text.files.markup.source import Element, XmlSource
from translator.text.files.nesting import Item
from translator.text.formats.document import Document
from translator.text.formats.pieces import Piece, gathered

_TYPES = "[Content_Types].xml"
_TYPE_NAMES = {"http://schemas.openxmlformats.org/package/2006/content-types": ""}
_WITH_TEXT = re.compile(
    r"application/vnd\.(?:openxmlformats-officedocument\.wordprocessingml|ms-word)"
    r"\.(?:document|template|header|footer|footnotes|endnotes)\b.*\+xml"
)
_PARAGRAPH = frozenset({"w:p"})


def read_docx(name: str, data: bytes) -> Document[bytes]:
    """Read a document of Word.

    Raises:
        InputError: it is damaged, encrypted or too large, or no such document.
    """
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError(
            f"{name}: is encrypted, or of Word before 2007; save it as .docx without a password",
            "encrypted_file",
        )
    archive = Archive(name, data)
    parts = {}
    for member in _members_with_text(name, archive):
        source = XmlSource(f"{name}, {member}", archive.read(member), PREFIXES)
        parts[member] = (gathered(_Part(source).pieces(), name), source.encoding.encode_markup)
    return ArchiveDocument(name, archive, parts)


def _members_with_text(name: str, archive: Archive) -> list[str]:
    """Return the members that the list of types says to have text.

    Raises:
        InputError: there are none, so it is another kind of document.
    """
    source = XmlSource(f"{name}, {_TYPES}", archive.read(_TYPES), _TYPE_NAMES)
    members = {
        element.attributes.get("PartName", "").removeprefix("/")
        for element, _ in source.elements(frozenset({"Override"}))
        if _WITH_TEXT.fullmatch(element.attributes.get("ContentType", ""))
    }
    found = [member for member in archive.names if member in members]
    if not found:
        raise InputError(f"{name}: is no document of Word; its {_TYPES} lists no text")
    return found


class _Part:
    """One member, cut into pieces."""

    def __init__(self, source: XmlSource) -> None:
        self._source = source
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
        is_code = named is not None and is_for_code(named[0])
        if not is_code and has_letters("".join(item.text for item in items)):
            yield unit_of(items, original, runs)
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


def unit_of(items: Sequence[Item[Mark]], original: Sequence[Piece], runs: Runs) -> ParagraphUnit:
    """Return the unit of a paragraph's content."""
    items, style = runs.with_formats(items)
    return ParagraphUnit(items, original, runs.write, style)


def _prefix(tag: str) -> str:
    """Return the prefix of a tag's name with its colon, such as `w:`."""
    found = re.match(r"<([\w.-]+:)?", tag)
    return (found[1] or "") if found else ""
