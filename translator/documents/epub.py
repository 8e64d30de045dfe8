"""Books (`.epub`, versions 2 and 3): chapters in reading order, contents, title and description.

Chapters are pages of XHTML, so they are read as HTML is. The language that a book says it is in
becomes that of the translation.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import partial
from urllib.parse import unquote

from translator.documents.archive import Archive, ArchiveDocument, ReadMember
from translator.documents.document import Document, Piece, TextUnit
from translator.documents.encoding import TextEncoding, declared_by_xml, decode
from translator.documents.markup.html import markup_pieces
from translator.documents.markup.html_tokens import XHTML
from translator.documents.xml_source import Element, XmlSource, escaped, escaped_value
from translator.errors import InputError
from translator.text.characters import has_letters
from translator.text.marked import MarkedText

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_PREFIXES = {
    "urn:oasis:names:tc:opendocument:xmlns:container": "",
    "http://www.w3.org/2001/04/xmlenc#": "enc",
    "http://www.idpf.org/2007/opf": "",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.daisy.org/z3986/2005/ncx/": "",
}
_OF_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_CONTENTS = "application/x-dtbncx+xml"
_IS_MARKUP = re.compile(r"xml|html|oeb1|^$")
_LANGUAGE = "dc:language"
_TEXTS = frozenset({"dc:title", "dc:description", _LANGUAGE, "text"})
_ROOT = re.compile(r"<(?:html|package|ncx)\b[^<>]*>")
_ATTRIBUTE = re.compile(r"(?<=\s)((?:xml:)?lang\s*=\s*)(?:\"[^\"]*\"|'[^']*')")


def read_epub(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a book.

    Raises:
        InputError: it is damaged, encrypted or too large, or no book.
    """
    return _Book(name, Archive(name, data), target).document()


class _Book:
    def __init__(self, name: str, archive: Archive, target: str | None) -> None:
        self._name, self._archive, self._target = name, archive, target
        if _ENCRYPTION in archive.names:
            methods = self._elements(_ENCRYPTION, "enc:EncryptionMethod")
            if any(method.attributes.get("Algorithm") not in _OF_FONTS for method in methods):
                raise InputError(
                    f"{name}: is protected against copying; only an open book can be translated",
                    "encrypted_file",
                )
        roots = [*self._elements(_CONTAINER, "rootfile")]
        if not roots:
            raise InputError(f"{name}: is no book; its {_CONTAINER} names no package")
        self._package = roots[0].attributes.get("full-path", "")

    def document(self) -> Document[bytes]:
        """Return the book in pieces: what describes it, chapters in reading order, contents."""
        types, is_navigation, spine = dict[str, str](), list[str](), list[str]()
        for element in self._elements(self._package, "item", "itemref"):
            if element.name == "itemref":
                spine.append(element.attributes.get("idref", ""))
                continue
            member = self._member(element.attributes.get("href", ""))
            media_type = element.attributes.get("media-type", "")
            if _IS_MARKUP.search(media_type):  # reading order may have pictures too
                types[element.attributes.get("id", "")] = member
            if media_type == _CONTENTS:
                types["\0contents"] = member
            if "nav" in element.attributes.get("properties", "").split():
                is_navigation.append(member)
        parts: dict[str, ReadMember] = {self._package: partial(self._described, self._package)}
        for member in (*(types.get(one, "") for one in spine), *is_navigation):
            if member in self._archive.names and member not in parts:
                parts[member] = partial(self._chapter, member)
        contents = types.get("\0contents", "")
        if contents in self._archive.names:
            parts[contents] = partial(self._described, contents)
        return ArchiveDocument(self._name, self._archive, parts)

    def _member(self, address: str) -> str:
        """Return which member an address in the package names, if any."""
        path = unquote(address.partition("#")[0])
        return posixpath.normpath(posixpath.join(posixpath.dirname(self._package), path))

    def _source(self, member: str) -> XmlSource:
        return XmlSource(f"{self._name}, {member}", self._archive.read(member), _PREFIXES)

    def _elements(self, member: str, *names: str) -> Iterator[Element]:
        return (element for element, _ in self._source(member).elements(frozenset(names)))

    def _chapter(self, member: str) -> tuple[Iterable[Piece], TextEncoding]:
        data, label = self._archive.read(member), f"{self._name}, {member}"
        text, encoding = decode(data, label, declared_by_xml(data))
        text = _ROOT.sub(lambda tag: self._naming(tag[0]), text, count=1)
        return markup_pieces(text, XHTML), encoding

    def _described(self, member: str) -> tuple[Iterable[Piece], TextEncoding]:
        """Return the package or the contents: titles, a description, and names of chapters."""
        source = self._source(member)
        return self._pieces(source), source.encoding

    def _pieces(self, source: XmlSource) -> Iterator[Piece]:
        done, is_named = 0, False
        for element, around in source.elements(_TEXTS):
            if not done:
                root = around[0]
                yield source.cut(0, root.start) + self._naming(source.cut(root.start, root.inside))
                done = root.inside
            original = source.cut(element.inside, element.outside)
            yield source.cut(done, element.inside)
            done = element.outside
            if element.name == _LANGUAGE and self._target and not is_named:
                is_named = True
                yield escaped(self._target)
            elif (
                element.name == _LANGUAGE
                or around[-1].name == "docAuthor"
                or not has_letters(element.text)
            ):
                yield original
            else:
                yield TextUnit(MarkedText(element.text), original, escaped)
        yield source.cut(done, source.size)

    def _naming(self, tag: str) -> str:
        if self._target is None:
            return tag
        said = f'"{escaped_value(self._target)}"'
        return _ATTRIBUTE.sub(lambda found: found[1] + said, tag)
