"""Messages of ICU with a choice inside: `{count, plural, one {# file} other {# files}}`.

The text of each branch is a unit, and so is the text around the choice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from translator.text.characters import has_letters
from translator.text.files.catalogues.messages import marked_message
from translator.text.formats.inline import Inline
from translator.text.formats.pieces import Piece, Unit
from translator.text.marked import MarkedText

_CHOICE = re.compile(r"\{\s*(?P<argument>[\w.-]{1,100})\s*,\s*(?:plural|select|selectordinal)\s*,")
_BRANCH = re.compile(r"\s*(?:offset:\s*\d+\s*)?(?:=\d+|[\w-]{1,100})\s*\{")
_NUMBER = re.compile(r"#")
_MOST_DEPTH = 8


class _MalformedError(Exception):
    """The braces do not fit; the message is not one of ICU after all."""


@dataclass(frozen=True, slots=True, eq=False)
class IcuUnit:
    """A message or a branch of one; its choices are marks that stand in its text."""

    marked: MarkedText
    inner: Sequence[Unit]
    inline: Inline[tuple[Piece, ...]]
    escape: Callable[[str], str]
    around: tuple[str, str]

    def render(self, translation: str) -> Iterable[Piece]:
        """Return the translation with its choices."""
        yield self.around[0]
        for piece in self.inline.pieces(translation):
            if isinstance(piece, str):
                yield self.escape(piece)
            else:
                yield from piece[0]
        yield self.around[1]


def icu_unit(text: str, original: str, escape: Callable[[str], str]) -> Unit | None:
    """Return the unit of a message with choices, and None for any other text.

    Args:
        text: of the message.
        original: how it stands in the file, in quotes.
        escape: writes text as the file does.
    """
    if not _CHOICE.search(text):
        return None
    try:
        return _unit(text, escape, (original[0], original[-1]), 0)
    except _MalformedError:
        return None


def _unit(text: str, escape: Callable[[str], str], around: tuple[str, str], depth: int) -> IcuUnit:
    if depth > _MOST_DEPTH:
        raise _MalformedError
    inline: Inline[tuple[Piece, ...]] = Inline()
    inner: list[Unit] = []
    done = 0
    while choice := _CHOICE.search(text, done):
        _add_text(inline, text[done : choice.start()], is_branch=depth > 0)
        pieces, done = _choice(text, choice, escape, depth)
        inline.stands(tuple(pieces), choice["argument"])
        inner += [piece for piece in pieces if not isinstance(piece, str)]
    _add_text(inline, text[done:], is_branch=depth > 0)
    return IcuUnit(inline.marked(), tuple(inner), inline, escape, around)


def _choice(
    text: str, choice: re.Match[str], escape: Callable[[str], str], depth: int
) -> tuple[list[Piece], int]:
    """Return the pieces of a choice, and where it ends."""
    pieces: list[Piece] = []
    done, place = choice.start(), choice.end()
    while branch := _BRANCH.match(text, place):
        place = _closing(text, branch.end())
        content = text[branch.end() : place]
        if has_letters(content):
            pieces.append(escape(text[done : branch.end()]))
            pieces.append(_unit(content, escape, ("", ""), depth + 1))
            done = place
        place += 1
    end = re.compile(r"\s*\}").match(text, place)
    if not end:
        raise _MalformedError
    pieces.append(escape(text[done : end.end()]))
    return pieces, end.end()


def _closing(text: str, start: int) -> int:
    """Return where the brace is that closes the one before `start`."""
    depth = 1
    for found in re.compile(r"'[{}][^']*'|[{}]").finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    raise _MalformedError


def _add_text(inline: Inline[tuple[Piece, ...]], text: str, is_branch: bool) -> None:
    done = 0
    spans = list(marked_message(text).spans)
    if is_branch:
        taken = {place for span in spans for place in range(*span)}
        numbers = (found.span() for found in _NUMBER.finditer(text))
        spans = sorted([*spans, *(span for span in numbers if span[0] not in taken)])
    for start, end in spans:
        inline.add_text(text[done:start])
        inline.add_verbatim(text[start:end])
        done = end
    inline.add_text(text[done:])
