"""Translation memories (`.tmx`): units without the language wanted get a translation."""

from __future__ import annotations

from collections.abc import Iterator

from translator.documents.document import Document
from translator.documents.markup.inline import Item, Kind
from translator.documents.paragraph import Mark, ParagraphUnit, enclosed, mark_of
from translator.documents.xml_source import Edit, Element, Text, XmlSource, escaped, escaped_value
from translator.errors import InputError
from translator.text.characters import has_letters, primary_language

_LANGUAGE = "xml:lang"
_PREFIXES = {"http://www.w3.org/XML/1998/namespace": "xml", "http://www.lisa.org/tmx14": ""}
_HALVES: dict[str, Kind] = {"bpt": "opens", "ept": "closes"}
_WANTED = frozenset({"header", "tu"})


def read_tmx(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a translation memory.

    Raises:
        InputError: it is not well-formed, or no translation memory.
    """
    source = XmlSource(name, data, _PREFIXES)
    return source.document(_edits(name, source, target))


def _edits(name: str, source: XmlSource, target: str | None) -> Iterator[Edit]:
    language = None
    for element, around in source.elements(_WANTED):
        if not around or around[0].name != "tmx":
            break
        if element.name == "header":
            said = element.attributes.get("srclang", "")
            language = None if said.lower() == "*all*" else said
            continue
        language = language if language is not None else ""
        text = _source_of(element, element.attributes.get("srclang", language))
        if target is None or text is None:
            continue
        if any(_language(child) == primary_language(target) for child in element.elements):
            continue  # there is a translation already
        segment = text.child("seg")
        if segment is not None and has_letters(segment.text):
            unit = ParagraphUnit(
                _items(source, segment),
                [source.cut(segment.inside, segment.outside)],
                lambda words, *_: escaped(words),
            )
            tag = f'{source.margin(text.start)}<tuv xml:lang="{escaped_value(target)}"><seg>'
            yield text.end, text.end, [tag, unit, "</seg></tuv>"]
    if language is None:
        raise InputError(f"{name}: is no translation memory, which has <tmx> with a <header>")


def _source_of(unit: Element, language: str) -> Element | None:
    """Return what is to be translated: the text in the language of the file, or the first."""
    texts = [child for child in unit.elements if child.name == "tuv"]
    same = [text for text in texts if language and _language(text) == primary_language(language)]
    return next(iter(same or texts), None)


def _language(text: Element) -> str:
    return primary_language(text.attributes.get(_LANGUAGE, text.attributes.get("lang", "")))


def _items(source: XmlSource, parent: Element) -> Iterator[Item[Mark]]:
    for child in parent.children:
        if isinstance(child, Text):
            yield Item("text", child.text)
        elif child.name == "hi":
            yield from enclosed(source, child, _items(source, child))
        else:
            kind = _HALVES.get(child.name, "stands")
            read = child.attributes.get("x", "1") if child.name == "ph" else ""
            mark = mark_of(source, child.start, child.end)
            yield Item(kind, mark=mark, pair=("i", child.attributes.get("i")), read=read)
