"""Whether a date still is in its month: `3. Februar 2024` is not `3 March 2024`.

A name such as `May` counts only beside a day or a year, and only if both texts have such a date.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from translator.text.characters import primary_language
from translator.text.numbers.digits import Atom, Mention
from translator.text.numbers.words import number_words

_BEFORE = re.compile(r"(?<![0-9])[0-9]{1,4}(?:\.|st|nd|rd|th)?(?:[\s-]|(?<=\.))(?:(?:of|de)\s)?$")
_BEHIND = re.compile(
    r"\.?(?:-|,?\s)(?:(?:of|de)\s)?['’]?[0-9]{1,4}(?:st|nd|rd|th)?(?!\w|[.,:][0-9])"
)
_LOOK_BACK = 12
_IN_CAPITALS = frozenset(["de", "en"])
"""Languages whose months begin with a capital letter: `may` is none."""


def changed_months(
    own: tuple[str, Sequence[Mention]],
    other: tuple[str, Sequence[Mention]],
    languages: tuple[str, str],
) -> tuple[list[Mention], list[Mention]]:
    """Return the months of dates that the other text has nowhere, of the own and of the other.

    Args:
        own: a text, and the mentions in it.
        other: the other text, and the mentions in it.
        languages: codes of the own and of the other text.
    """
    ours, theirs = _months(own[1], languages[0]), _months(other[1], languages[1])
    if not ours or not theirs:
        return [], []
    missing = _unsaid(own[0], ours, _said(other[1], theirs))
    added = _unsaid(other[0], theirs, _said(own[1], ours))
    return (missing, added) if missing and added else ([], [])


def _months(mentions: Sequence[Mention], language: str) -> list[Mention]:
    """Return the mentions that are names of months."""
    names = number_words(language).months
    needs_capital = primary_language(language) in _IN_CAPITALS
    return [
        one
        for one in mentions
        if one.kind == "related"
        and one.text.casefold() in names
        and (one.text[0].isupper() or not needs_capital)
    ]


def _said(mentions: Sequence[Mention], months: Sequence[Mention]) -> set[Atom]:
    """Return the numbers that may be a month: of names, and of dates in digits."""
    parts = {
        atom
        for one in mentions
        if one.kind == "digits"
        for reading in one.readings
        if len(reading) > 1
        for atom in reading
    }
    return {*parts, *(one.value for one in months if one.value is not None)}


def _unsaid(text: str, months: Sequence[Mention], said: set[Atom]) -> list[Mention]:
    """Return the months beside a day or a year that are not said."""
    return [
        one
        for one in months
        if one.value not in said
        and (
            _BEHIND.match(text, one.end)
            or _BEFORE.search(text[max(0, one.start - _LOOK_BACK) : one.start])
        )
    ]
