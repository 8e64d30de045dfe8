"""JSON with the places of its values, and how a file of it writes its texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Escape = Callable[[str], str]
DECODER = json.JSONDecoder()
_SPACE = re.compile(r"\s*")


class Member(NamedTuple):
    """A member of an object, or an item of a list, and where its value stands."""

    key: str
    value: Any
    start: int
    end: int


def members(text: str, start: int = 0) -> Iterator[Member]:
    """Yield the members of what begins at an offset of valid JSON; items of lists have no key."""
    place = _skip(text, start)
    is_object = text[place] == "{"
    if text[place] not in "{[":
        return
    place = _skip(text, place + 1)
    while text[place] not in "}]":
        key = ""
        if is_object:
            key, place = DECODER.raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)
        value, end = DECODER.raw_decode(text, place)
        yield Member(key, value, place, end)
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def has_halves(text: str) -> bool:
    """Return whether there is half a character in a text, which no file can have."""
    return any("\ud800" <= char <= "\udfff" for char in text)


def escaping(text: str) -> Escape:
    r"""Return what escapes a string as this file does it: `ä` or `\u00e4`, `/` or `\/`."""
    only_ascii = text.isascii() and re.search(r"\\u(?!00[0-7])[0-9a-fA-F]{4}", text) is not None
    escapes_slashes = r"\/" in text and not re.search(r"(?<!\\)(?:\\\\)*/", text)

    def escape(string: str) -> str:
        escaped = json.dumps(string, ensure_ascii=only_ascii)[1:-1]
        return escaped.replace("/", r"\/") if escapes_slashes else escaped

    return escape
