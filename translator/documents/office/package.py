"""Packages of Microsoft's Office: the members that have text, by the list of types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from translator.documents.archive import Archive, ArchiveDocument, Finish, ReadMember
from translator.documents.document import Document, Piece
from translator.documents.encoding import TextEncoding
from translator.documents.xml_source import XmlSource
from translator.errors import InputError

_TYPES = "[Content_Types].xml"
_TYPE_NAMES = {"http://schemas.openxmlformats.org/package/2006/content-types": ""}
_OLD = b"\xd0\xcf\x11\xe0"
"""A container of Office before 2007, which encrypted documents of today are in as well."""

ReadPart = Callable[[XmlSource], Iterable[Piece]]


def types_of(family: str, program: str, names: str) -> str:
    """Return a pattern for types of parts with some names, such as `header|footer`.

    `family` is of the standard, as `wordprocessingml`, and `program` of Microsoft's own, as `word`.
    """
    return (
        rf"application/vnd\.(?:openxmlformats-officedocument\.{family}|ms-{program})"
        rf"\.(?:{names})\b.*\+xml"
    )


class Package:
    """An open package."""

    def __init__(self, name: str, data: bytes, program: str) -> None:
        """Open it; `program`, such as Word, is what such documents are of.

        Raises:
            InputError: it is damaged, encrypted, too large, or of another kind.
        """
        if data.startswith(_OLD):
            ending = name.rpartition(".")[2]
            raise InputError(
                f"{name}: is encrypted, or of {program} before 2007; save it as .{ending} without "
                "a password",
                "encrypted_file",
            )
        self.name, self._program = name, program
        self.archive = Archive(name, data)
        source = XmlSource(f"{name}, {_TYPES}", self.archive.read(_TYPES), _TYPE_NAMES)
        self._types, self._types_by_ending = dict[str, str](), dict[str, str]()
        for element, _ in source.elements(frozenset({"Override", "Default"})):
            said = element.attributes
            if element.name == "Override":
                member = said.get("PartName", "").removeprefix("/").lower()
                self._types[member] = said.get("ContentType", "")
            else:
                ending = said.get("Extension", "").lower()
                self._types_by_ending[ending] = said.get("ContentType", "")

    def members(self, pattern: str) -> list[str]:
        """Return the members whose type matches a pattern, in the order of the archive."""
        wanted = re.compile(pattern)
        return [name for name in self.archive.names if wanted.fullmatch(self._type_of(name))]

    def _type_of(self, member: str) -> str:
        """Return the type of a member: its own, or that of its ending; letters of any size."""
        name = member.lower()
        return self._types.get(name) or self._types_by_ending.get(name.rpartition(".")[2], "")

    def document(
        self,
        main: str,
        readers: Mapping[str, ReadPart],
        prefixes: Mapping[str, str],
        finish: Finish = lambda written: written,
    ) -> Document[bytes]:
        """Return the package as a document, which `finish` changes when it is written.

        `main` is a pattern for the types of which there must be one, and `readers` cut parts into
        pieces, by patterns for types.

        Raises:
            InputError: it is another kind of document, or a part is damaged.
        """
        if not self.members(main):
            raise InputError(
                f"{self.name}: is no document of {self._program}; its {_TYPES} lists no text"
            )
        parts: dict[str, ReadMember] = {
            member: partial(self._part, member, read, prefixes)
            for pattern, read in readers.items()
            for member in self.members(pattern)
        }
        return ArchiveDocument(self.name, self.archive, parts, finish)

    def _part(
        self, member: str, read: ReadPart, prefixes: Mapping[str, str]
    ) -> tuple[Iterable[Piece], TextEncoding]:
        source = XmlSource(f"{self.name}, {member}", self.archive.read(member), prefixes)
        return read(source), source.encoding
