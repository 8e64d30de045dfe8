"""The syntax of ICU's messages: `{count, plural, one {# file} other {# files}} for {name}`.

It is read strictly, since braces are common in texts: whatever is not such a message to the last
character is none.

Source: ICU User Guide, Formatting Messages, with the default mode of apostrophes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_DEPTH = 6
_LONGEST_MESSAGE = 20_000

_CHOICE = re.compile(
    r"\{\s*(?P<argument>[A-Za-z_][\w.-]{0,99}|\d{1,3})\s*,\s*(?P<kind>plural|selectordinal|select)\s*,"
    r"(?:\s*offset:\s*(?P<offset>\d{1,9})(?=\s))?"
)
_ARGUMENT = re.compile(
    r"\{\s*(?P<argument>[A-Za-z_][\w.-]{0,99}|\d{1,3})\s*"
    r"(?:,\s*(?:number|date|time|spellout|ordinal|duration)\s*(?:,[^{}']{1,200})?)?\}"
)
_KEYS = {
    "plural": re.compile(r"\s*(=\d{1,9}|zero|one|two|few|many|other)\s*\{"),
    "selectordinal": re.compile(r"\s*(=\d{1,9}|zero|one|two|few|many|other)\s*\{"),
    "select": re.compile(r"\s*([\w-]{1,100})\s*\{"),
}
_END = re.compile(r"\s*\}")
_TEXT = re.compile(r"[^{}'#]+")
_QUOTED = re.compile(r"'[{}#](?:[^']|'')*(?:'|\Z)")


@dataclass(frozen=True, slots=True)
class Text:
    """What people read, without quotes of ICU."""

    text: str


@dataclass(frozen=True, slots=True)
class Verbatim:
    """What comes back as it is: an argument, or quoted braces.

    Attributes:
        raw: as it stands in the message.
        argument: name of a plain argument; empty for anything else.
    """

    raw: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """`#`: the number that a plural chooses by.

    Attributes:
        argument: of that plural.
        has_offset: whether something is taken from it before.
    """

    argument: str
    has_offset: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A plural, or a choice by a word.

    Attributes:
        argument: that it chooses by.
        kind: `plural`, `selectordinal` or `select`.
        head: as it stands in the message, up to the first key.
        branches: by key, in order; each with how it begins in the message, and its parts.
        tail: behind the last branch.
    """

    argument: str
    kind: str
    head: str
    branches: dict[str, tuple[str, Parts]]
    tail: str


Part = Text | Verbatim | Number | Choice
Parts = tuple[Part, ...]


class _NoMessageError(Exception):
    """The text is no such message."""


def may_be_message(text: str) -> bool:
    """Return whether a text has the beginning of a choice, as nearly none has."""
    return _CHOICE.search(text) is not None


def read_message(text: str) -> Parts | None:
    """Return the parts of a message with a choice inside, and None for any other text."""
    if len(text) > _LONGEST_MESSAGE or not may_be_message(text):
        return None
    try:
        parts, end = _parts(text, 0, None, 0)
    except _NoMessageError:
        return None
    has_choice = any(isinstance(part, Choice) for part in parts)
    return parts if has_choice and end == len(text) else None


def _parts(text: str, place: int, plural: Number | None, depth: int) -> tuple[Parts, int]:
    """Return the parts from a place to the brace that ends them, or to the end of the message."""
    if depth > MOST_DEPTH:
        raise _NoMessageError
    parts, written = list[Part](), ""
    while place < len(text) and text[place] != "}":
        part: Part | None = None
        if found := _TEXT.match(text, place):
            written += found[0]
        elif text.startswith("''", place):
            written += "'"
            place += 2
            continue
        elif found := _QUOTED.match(text, place):
            if found[0][1] == "#" and plural is None:
                written += "'"  # quotes only what would mean something
                place += 1
                continue
            part = Verbatim(found[0])
        elif found := _CHOICE.match(text, place):
            part, end = _choice(text, found, plural, depth)
        elif found := _ARGUMENT.match(text, place):
            is_plain = "," not in found[0]
            part = Verbatim(found[0], found["argument"] if is_plain else "")
        elif text[place] == "#" and plural is not None:
            part, found = plural, re.compile("#").match(text, place)
        elif text[place] in "#'":
            written += text[place]
            place += 1
            continue
        else:
            raise _NoMessageError
        if part is not None:
            parts += [*([Text(written)] if written else []), part]
            written = ""
        place = end if isinstance(part, Choice) else found.end() if found else place + 1
    if depth == 0 and place < len(text):
        raise _NoMessageError
    return (*parts, *([Text(written)] if written else [])), place


def _choice(
    text: str, found: re.Match[str], around: Number | None, depth: int
) -> tuple[Choice, int]:
    """Return a choice, and where it ends."""
    argument, kind, place = found["argument"], found["kind"], found.end()
    is_plural = kind != "select"
    if found["offset"] and not is_plural:
        raise _NoMessageError
    number = Number(argument, bool(int(found["offset"] or 0))) if is_plural else around
    branches: dict[str, tuple[str, Parts]] = {}
    while key := _KEYS[kind].match(text, place):
        parts, end = _parts(text, key.end(), number, depth + 1)
        if end >= len(text) or key[1] in branches:
            raise _NoMessageError
        branches[key[1]] = (key[0], parts)
        place = end + 1
    closing = _END.match(text, place)
    if closing is None or "other" not in branches:
        raise _NoMessageError
    return Choice(argument, kind, found[0], branches, closing[0]), closing.end()
