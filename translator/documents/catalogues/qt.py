"""Catalogues of Qt (`.ts`): translations that are missing are filled in, and stay unfinished."""

from __future__ import annotations

import re
from collections.abc import Iterator

from translator.documents.xml_source import Element, XmlSource, escaped, escaped_value
from translator.errors import InputError
from translator.text.characters import has_letters
from translator.text.formats.document import Document, FileDocument, Piece, TextUnit
from translator.text.icu.program import label

_ROOT = "TS"
_LANGUAGE = re.compile(r"(?<=\s)language\s*=\s*(?:\"[^\"]*\"|'[^']*')")


def read_qt(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a catalogue of Qt.

    A translation that somebody has made stays, finished or not; so do obsolete ones. What is
    filled in stays unfinished, so that it is reviewed. All plural forms of a message are alike.

    Raises:
        InputError: it is not well-formed, or no catalogue of Qt.
    """
    source = XmlSource(name, data, {})
    root = next(source.elements(frozenset({_ROOT})), None)
    if root is None or root[1]:
        raise InputError(f"{name}: is no catalogue of Qt, which begins with <{_ROOT}>")
    return FileDocument(_pieces(source, root[0], target), name, source.encoding.encode_markup)


def _pieces(source: XmlSource, root: Element, target: str | None) -> Iterator[Piece]:
    tag = source.cut(root.start, root.inside)
    if target is not None and "language" in root.attributes:
        tag = _LANGUAGE.sub(lambda _: f'language="{escaped_value(target)}"', tag, count=1)
    yield source.cut(0, root.start) + tag
    done = root.inside
    for message, _ in source.elements(frozenset({"message"})):
        text, translation = message.child("source"), message.child("translation")
        if text is None or translation is None or not _is_wanted(text, translation):
            continue
        forms = [child for child in translation.elements if child.name == "numerusform"]
        for place in forms or [translation]:
            yield source.cut(done, place.start)
            yield from _filled(source, place, text.text)
            done = place.end
    yield source.cut(done, source.size)


def _is_wanted(text: Element, translation: Element) -> bool:
    """Return whether there is something to translate, and no translation yet."""
    return (
        translation.attributes.get("type") == "unfinished"
        and not translation.text.strip()
        and has_letters(text.text)
        and not any(text.elements)
    )


def _filled(source: XmlSource, place: Element, text: str) -> Iterator[Piece]:
    """Yield an empty element with the translation in it."""
    message = label(text)
    tag = source.cut(place.start, place.inside)
    yield f"{tag.removesuffix('/>').rstrip()}>" if tag.endswith("/>") else tag
    yield TextUnit(message.marked, None, lambda words: escaped(message.finished(words)))
    yield f"</{place.name}>"
