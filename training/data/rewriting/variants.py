"""Training pairs are written as people also write: in capitals, in lower case, without a full stop.

Training text is mostly whole sentences with a full stop. Users write headings, chat and two
sentences in a line as well, and a model that has never seen such forms copies words in capitals or
writes on where a sentence does not end. Both sides are changed alike, so that a translation has the
form of its source.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from translator.text.placeholders import PLACEHOLDER

Pair = tuple[str, str]

MAX_HEADING = 90  # characters of what is written in capitals
MAX_JOINED = 240  # characters of two sentences together

_STOP = re.compile(r"(?<![.!?…])[.!?]$")
_CODE = re.compile(r"[{}<>%@\\/_=]")  # what must keep its capitals


def without_stop(pair: Pair) -> Pair | None:
    """Return a pair without the mark at its end; None if the sides do not end with the same one."""
    ends = [_STOP.search(text) for text in pair]
    if not ends[0] or not ends[1] or ends[0][0] != ends[1][0]:
        return None
    return pair[0][:-1], pair[1][:-1]


def with_colon(pair: Pair) -> Pair | None:
    """Return a pair with colons in the place of full stops; None if there are none."""
    bare = without_stop(pair)
    return (f"{bare[0]}:", f"{bare[1]}:") if bare and pair[0].endswith(".") else None


def in_lower_case(pair: Pair) -> Pair | None:
    """Return a pair without capitals; None if it has code, or none on some side."""
    return _written(pair, str.lower)


def in_capitals(pair: Pair) -> Pair | None:
    """Return a short pair in capitals; None if it is long or has code."""
    return _written(pair, str.upper) if max(map(len, pair)) <= MAX_HEADING else None


def _written(pair: Pair, case: Callable[[str], str]) -> Pair | None:
    changed = case(pair[0]), case(pair[1])
    is_text = not any(map(_CODE.search, pair)) and changed[0] != pair[0] and changed[1] != pair[1]
    return changed if is_text else None


def joined(first: Pair, second: Pair) -> Pair | None:
    """Return two pairs in a line; None if that is long, or the first one has no end.

    Placeholders are numbered within a pair, so pairs that have some are not joined.
    """
    found = f"{first[0]} {second[0]}", f"{first[1]} {second[1]}"
    is_fit = max(map(len, found)) <= MAX_JOINED and all(map(_STOP.search, first))
    return found if is_fit and not any(map(PLACEHOLDER.search, found)) else None


class Varier:
    """Writes a share of the pairs that it is shown in another way."""

    def __init__(self, share: float) -> None:
        """Change so many of all pairs; which ones depends on their sources alone."""
        self.share = share
        self._former: Pair | None = None

    def vary(self, source: str, target: str) -> Pair:
        """Return the pair, changed or as it is."""
        pair, former = (source, target), self._former
        self._former = pair
        chance = random.Random(f"vary {source}")
        if chance.random() >= self.share:
            return pair
        kinds: list[Callable[[Pair], Pair | None]] = [
            without_stop,
            with_colon,
            in_lower_case,
            in_capitals,
            lambda second: joined(former, second) if former else None,
        ]
        chance.shuffle(kinds)
        varied = next(filter(None, (kind(pair) for kind in kinds)), pair)
        is_case = varied[0].casefold() == source.casefold() and varied[0] != source
        if is_case and chance.random() < 0.5:  # who leaves out capitals leaves out full stops, too
            return without_stop(varied) or varied
        return varied
