r"""Catalogues of Java (`.properties`): values are translated, keys and comments stay.

They are in UTF-8, or in Latin letters with `\u0105` for all others, and are written so again.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator

from translator.documents.code import is_a_code
from translator.documents.document import Document, FileDocument, Piece, TextUnit
from translator.documents.encoding import decode, unescaped
from translator.documents.markup.icu import text_or_choices
from translator.documents.markup.program import label
from translator.text.characters import has_letters

_LINE = re.compile(r"(?:[^\\\r\n]|\\(?:\r\n|[\s\S]))*(?:\r\n|\r|\n|\\?\Z)")
_ENTRY = re.compile(
    r"(?P<key>[ \t\f]*(?![#!])(?:[^\\\s=:]|\\(?:\r\n|[\s\S]))+[ \t\f]*[=:]?[ \t\f]*)"
    r"(?P<value>(?:[^\\\r\n]|\\(?:\r\n|[\s\S]))*)"
)
_ESCAPE = re.compile(r"\\(?:u(?P<code>[0-9a-fA-F]{4})|(?:\r\n|\r|\n)[ \t\f]*|(?P<char>[\s\S]))")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
_WRITTEN_AS = {"\\": "\\\\", **{char: f"\\{letter}" for letter, char in _CONTROLS.items()}}
_ARGUMENT = re.compile(r"\{\d{1,3}[,}]")


def read_properties(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a catalogue of Java.

    In a pattern with arguments such as `{0}`, an apostrophe is written twice, as Java wants it.

    Raises:
        InputError: it is in another encoding, or no text.
    """
    text, encoding = decode(data, name)
    has_others = not text.isascii() and encoding.codec != "cp1252"
    return FileDocument(_pieces(text, target, only_ascii=not has_others), name, encoding.encode)


def _pieces(text: str, target: str | None, only_ascii: bool) -> Iterator[Piece]:
    for line in _LINE.findall(text):
        found = _ENTRY.match(line)
        value = unescaped(found["value"], _ESCAPE, _CONTROLS) if found else ""
        if found is None or not has_letters(value) or is_a_code(value):
            yield line
            continue
        yield found["key"]
        unit = _unit(value, found["value"], only_ascii)
        escape = functools.partial(_written, only_ascii=only_ascii)
        yield from text_or_choices(value, target, escape, unit, ("", ""))
        yield line[found.end() :]


def _unit(value: str, original: str, only_ascii: bool) -> TextUnit:
    is_pattern = _ARGUMENT.search(value) is not None and "'" not in value.replace("''", "")
    message = label(value.replace("''", "'") if is_pattern else value, "&")

    def write(translation: str) -> str:
        written = message.finished(translation)
        written = written.replace("'", "''") if is_pattern else written
        escaped = _written(written, only_ascii)
        return f"\\{escaped}" if escaped[:1] in (" ", "\t") else escaped

    return TextUnit(message.marked, original, write)


def _written(text: str, only_ascii: bool) -> str:
    escaped = "".join(_WRITTEN_AS.get(char, char) for char in text)
    if only_ascii:  # with two parts for what needs two
        escaped = re.sub(r"[^\x00-\x7f]+", lambda found: json.dumps(found[0])[1:-1], escaped)
    return escaped
