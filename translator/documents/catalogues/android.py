"""Texts of Android (`strings.xml`): strings, arrays and plurals; names and comments stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from translator.documents.document import Document, Piece, embedded
from translator.documents.encoding import escapes, unescaped
from translator.documents.markup.html import read_html
from translator.documents.markup.icu import choices_in_markup
from translator.documents.markup.inline import Item
from translator.documents.paragraph import (
    Mark,
    ParagraphUnit,
    enclosed,
    mark_of,
    message_items,
    parts_of,
)
from translator.documents.xml_source import Edit, Element, Text, XmlSource, escaped, in_cdata
from translator.errors import InputError
from translator.text.characters import has_letters

_PREFIXES = {"urn:oasis:names:tc:xliff:document:1.2": "xliff"}
_ROOT = "resources"
_LISTS = frozenset({"string-array", "plurals"})
_REFERENCE = re.compile(r"\s*[@?](?!\s)[\w.:+/-]+\s*")
_ESCAPE = re.compile(r"\\(?:u(?P<code>[0-9a-fA-F]{4})|(?P<char>.))", re.DOTALL)
_CONTROLS = {"n": "\n", "t": "\t"}
_WRITTEN = {"\\": "\\\\", "'": "\\'", '"': '\\"', "\n": "\\n", "\t": "\\t"}
_TAG = re.compile(r"(<[^<>]*>?|\A[\"'][^<>]*>)")  # or its parts before and behind a unit
_SPACES = re.compile(r"\s+")


def read_android(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read the texts of an application for Android.

    Texts with `translatable="false"` and references to others stay. Tags inside a text follow
    their words, and what stands in `<xliff:g>` comes back as it is. A text in `<![CDATA[…]]>` is
    HTML, and stays there.

    Raises:
        InputError: it is not well-formed, or other XML.
    """
    source = XmlSource(name, data, _PREFIXES)
    if source.root(_ROOT) is None:
        raise InputError(
            f"{name}: is no file of texts for Android; of XML, only such with <{_ROOT}> are read"
        )
    return source.document(_edits(source, target))


def _edits(source: XmlSource, target: str | None) -> Iterator[Edit]:
    for element, _ in source.elements(frozenset({"string", *_LISTS})):
        if element.attributes.get("translatable") == "false":
            continue
        texts = [element] if element.name == "string" else element.elements
        for text in texts:
            start, end, escape = source.place(text)
            if escape is in_cdata:
                yield start, end, _html(source.cut(start, end), target)
                continue
            items = [*_items(source, text)]
            words = "".join(item.text for item in items if item.kind == "text")
            if has_letters(words) and not _REFERENCE.fullmatch(text.text):
                original = [source.cut(text.inside, text.outside)]
                choices = choices_in_markup(
                    parts_of(items), original, target, lambda words: _written(words, "{")
                )
                unit = ParagraphUnit(
                    items, original, lambda words, _, before: _written(words, before)
                )
                yield text.inside, text.outside, [unit] if choices is None else choices


def _html(raw: str, target: str | None) -> Iterator[Piece]:
    """Yield a section; what its text, or its tags, have without a backslash gets none there."""
    parts = _TAG.split(raw)  # a text, a tag, a text and so on
    tables = [escapes("".join(parts[first::2]), _ESCAPE, _WRITTEN) for first in (0, 1)]

    def written(text: str) -> str:
        parts = _TAG.split(text)
        return in_cdata("".join(part.translate(tables[n % 2]) for n, part in enumerate(parts)))

    return embedded(read_html(unescaped(raw, _ESCAPE, _CONTROLS), target=target).pieces, written)


def _items(source: XmlSource, parent: Element) -> Iterator[Item[Mark]]:
    for child in parent.children:
        if isinstance(child, Text):
            yield from message_items(_unescaped(child.text))
        elif child.name == "xliff:g":
            yield Item("stands", mark=mark_of(source, child.start, child.end), read=child.text)
        else:
            yield from enclosed(source, child, _items(source, child))


def _unescaped(raw: str) -> str:
    """Return a text as people see it: white space is one space, unless it stands in quotes."""
    parts = re.split(r"(?<!\\)\"", raw)
    read = [part if number % 2 else _SPACES.sub(" ", part) for number, part in enumerate(parts)]
    return unescaped("".join(read), _ESCAPE, _CONTROLS)


def _written(text: str, before: str) -> str:
    written = "".join(_WRITTEN.get(char, char) for char in text)
    if not before and written[:1] in ("@", "?"):
        written = f"\\{written}"
    written = re.sub(r" {2,}", lambda spaces: f'"{spaces[0]}"', written)
    return escaped(written)
