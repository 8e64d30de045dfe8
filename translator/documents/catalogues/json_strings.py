"""JSON of texts, such as the catalogues of web applications: values are translated, keys never."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from translator.documents.document import Document, FileDocument, Piece, TextUnit
from translator.documents.encoding import decode_json
from translator.documents.json_source import DECODER, escaping, has_halves
from translator.documents.markup.icu import text_or_choices
from translator.documents.markup.program import marked_message
from translator.text.characters import has_letters

_TOKEN = re.compile(r'["{}\[\]]')
_COLON = re.compile(r"\s*:")
_DATE_PATTERN = re.compile(
    r"\W*(?:Y{2,4}|y{2,4}|M{1,4}|Do|D{1,4}|d{1,4}|E{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|[aA])"
    r"(?:[\W_]+(?:Y{2,4}|y{2,4}|M{1,4}|Do|D{1,4}|d{1,4}|E{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|[aA]))+\W*"
)
_LONGEST_DATE = 40


def read_json(
    name: str, data: bytes, target: str | None = None, *, names_locale: bool = False
) -> Document[bytes]:
    """Read JSON: each value that is a string and has letters is a unit.

    Left as they are: what stands under a key that begins with `@` (notes in Flutter's catalogues),
    patterns of dates such as `MM/DD/YYYY`, and in a `messages.json` of a browser's extension all
    but each `message`. Order, white space, numbers and the way of escaping stay.

    Raises:
        InputError: it is no JSON; the message has line and column.
    """
    text, parsed, encoding = decode_json(data, name)
    only_key = "message" if _is_of_extension(parsed) else None
    del parsed
    return FileDocument(_pieces(text, only_key, target, names_locale), name, encoding.encode)


def read_arb(name: str, data: bytes, target: str | None = None) -> Document[bytes]:
    """Read a catalogue of Flutter: JSON whose `@@locale` is to name the language.

    Raises:
        InputError: as for `read_json`.
    """
    return read_json(name, data, target, names_locale=True)


def _is_of_extension(parsed: object) -> bool:
    """Return whether this is `{name: {"message": text, "description": text}}`, as browsers read."""
    return (
        isinstance(parsed, dict)
        and bool(parsed)
        and all(isinstance(v, dict) and isinstance(v.get("message"), str) for v in parsed.values())
    )


def _pieces(
    text: str, only_key: str | None, target: str | None, names_locale: bool
) -> Iterator[Piece]:
    """Yield valid JSON in pieces; the target takes the place of the locale that the file names."""
    escape = escaping(text)

    def write(translation: str) -> str:
        return f'"{escape(translation)}"'

    done, place, keys, key = 0, 0, list[str](), ""
    num_notes = 0  # keys above that begin with @
    while token := _TOKEN.search(text, place):
        start, place = token.span()
        if token[0] in "{[":
            keys.append(key)
            num_notes += key.startswith("@")
            continue
        if token[0] in "}]":
            key = keys.pop()
            num_notes -= key.startswith("@")
            continue
        value, place = DECODER.raw_decode(text, start)
        if _COLON.match(text, place):
            key = value
        elif names_locale and key == "@@locale" and len(keys) == 1 and target is not None:
            yield text[done:start] + json.dumps(target.replace("-", "_"))
            done = place
        elif (
            not (num_notes or key.startswith("@"))
            and (only_key is None or (key == only_key and len(keys) == 2))
            and _is_language(value)
        ):
            yield text[done:start]
            unit = TextUnit(marked_message(value), text[start:place], write)
            yield from text_or_choices(value, target, escape, unit)
            done = place
    yield text[done:]


def _is_language(value: str) -> bool:
    """Return whether a string may be translated; one with half a character is no text."""
    is_date = len(value) <= _LONGEST_DATE and _DATE_PATTERN.fullmatch(value)
    return has_letters(value) and not has_halves(value) and not is_date
