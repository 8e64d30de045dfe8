"""Catalogues of Apple's systems (`.strings`): values are translated, keys and comments stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from translator.documents.document import Document, FileDocument, Piece, TextUnit
from translator.documents.encoding import decode, escapes, unescaped
from translator.documents.markup.icu import text_or_choices
from translator.documents.markup.program import marked_message
from translator.errors import InputError
from translator.text.characters import has_letters

_STRING = r"\"(?:[^\"\\]|\\[\s\S])*\""
_TOKEN = re.compile(
    rf"(?P<other>\s+|/\*[\s\S]*?\*/|//[^\n]*)"
    rf"|(?P<key>(?:{_STRING}|[\w.$/:-]+)\s*=\s*)(?P<value>{_STRING})\s*;"
    rf"|(?:{_STRING}|[\w.$/:-]+)\s*;"
)
_ESCAPE = re.compile(r"\\(?:[Uu](?P<code>[0-9a-fA-F]{4})|(?P<char>[\s\S]))")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}
_WRITTEN = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def read_strings(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a catalogue of Apple's systems.

    Raises:
        InputError: it is none; the message has the line.
    """
    text, encoding = decode(data, name)
    return FileDocument(_pieces(text, name, target), name, encoding.encode)


def _pieces(text: str, name: str, target: str | None) -> Iterator[Piece]:
    done = 0
    while done < len(text):
        found = _TOKEN.match(text, done)
        if found is None:
            line = text.count("\n", 0, done) + 1
            raise InputError(
                f"{name}, line {line}: {text[done : done + 40].partition(chr(10))[0]!r} is no line "
                'of a catalogue of strings; they are "key" = "value";'
            )
        value = unescaped(found["value"][1:-1], _ESCAPE, _CONTROLS) if found["value"] else ""
        if has_letters(value):
            yield text[done : found.start("value")]
            yield from _value(value, found["value"], target)
            done = found.end("value")
        yield text[done : found.end()]
        done = found.end()


def _value(value: str, quoted: str, target: str | None) -> Iterator[Piece]:
    table = escapes(quoted[1:-1], _ESCAPE, _WRITTEN)
    unit = TextUnit(marked_message(value), quoted, lambda text: f'"{text.translate(table)}"')
    return text_or_choices(value, target, lambda text: text.translate(table), unit)
