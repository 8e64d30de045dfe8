"""Which words of two languages translate each other, found by counting pairs of sentences.

Source: Dice 1945; after Melamed 2000 (words that are each other's best) and Och & Ney 2004 (phrases
whose words are linked within them only).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
LEXICON_PAIRS = 300_000
PAIRS_AT_ONCE = 50_000  # counted at a time, in some 100 MB of memory
MAX_WORDS = 25  # the lexicon does not learn from sentences with more different words
MIN_DICE = 0.3
MAX_PHRASE = 4  # words

Span = tuple[int, int]
Counts = tuple[NDArray[np.int64], NDArray[np.int64]]  # keys in order, and how often each occurred


class Lexicon:
    """Words of two languages that occur in the same pairs."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Count which words of source and target occur together."""
        numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
        counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        together = np.empty(0, np.int64), np.empty(0, np.int64)
        stream = iter(pairs)
        while portion := list(itertools.islice(stream, PAIRS_AT_ONCE)):
            keys = [_keys(pair, numbers, counts) for pair in portion]
            together = _merged(together, np.unique(np.concatenate(keys), return_counts=True))
        self._dice = self._similar(together, numbers, counts)

    @staticmethod
    def _similar(
        together: Counts,
        numbers: tuple[dict[str, int], dict[str, int]],
        counts: tuple[Counter[int], Counter[int]],
    ) -> dict[str, dict[str, float]]:
        """Return Dice's coefficient of the words with which each source word often occurs."""
        words = [list(known) for known in numbers]
        keys, num_times = together
        first, second = keys >> 32, keys & 0xFFFFFFFF
        alone = [np.array([count[n] for n in range(len(count))] or [0]) for count in counts]
        dice = 2 * num_times / (alone[0][first] + alone[1][second])
        found: dict[str, dict[str, float]] = {}
        for n in np.flatnonzero((num_times > 2) & (dice >= MIN_DICE)).tolist():
            found.setdefault(words[0][first[n]], {})[words[1][second[n]]] = float(dice[n])
        return found

    def links(self, source: list[str], target: list[str]) -> dict[int, int]:
        """Return the places of words that are each other's best; repeated words have no links."""
        once = [
            {word: n for n, word in enumerate(side) if side.count(word) == 1}
            for side in (source, target)
        ]
        scores = {
            (place, once[1][t]): dice
            for s, place in once[0].items()
            for t, dice in self._dice.get(s, {}).items()
            if t in once[1]
        }
        best: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for i, j in sorted(scores, key=lambda link: (scores[link], link)):
            best[0][i], best[1][j] = j, i
        return {i: j for i, j in best[0].items() if best[1][j] == i}


def _keys(
    pair: tuple[str, str],
    numbers: tuple[dict[str, int], dict[str, int]],
    counts: tuple[Counter[int], Counter[int]],
) -> NDArray[np.int64]:
    """Number and count the words of a pair; return all its combinations, two numbers in one."""
    sides = [dict.fromkeys(word.lower() for word in WORD.findall(text)) for text in pair]
    if max(map(len, sides)) > MAX_WORDS:
        return np.empty(0, np.int64)
    ids = []
    for side, known, count in zip(sides, numbers, counts, strict=True):
        found = [known.setdefault(word, len(known)) for word in side]
        count.update(found)
        ids.append(np.array(found, dtype=np.int64))
    return ((ids[0] << 32)[:, None] | ids[1]).ravel()


def _merged(first: Counts, second: Counts) -> Counts:
    """Add counts up by their keys."""
    keys, places = np.unique(np.concatenate([first[0], second[0]]), return_inverse=True)
    sums = np.bincount(places, np.concatenate([first[1], second[1]]), minlength=len(keys))
    return keys, sums.astype(np.int64)


def phrases(links: dict[int, int]) -> Iterator[tuple[Span, Span]]:
    """Yield runs of at most `MAX_PHRASE` source words that are linked to a run of target words.

    Every word of either run is linked to one of the other. Runs are pairs of first and last place.
    """
    for first in links:
        for last in range(first, first + MAX_PHRASE):
            if last not in links:
                break
            theirs = [links[place] for place in range(first, last + 1)]
            if max(theirs) - min(theirs) == last - first:
                yield (first, last), (min(theirs), max(theirs))
