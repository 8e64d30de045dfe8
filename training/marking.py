"""Placeholders put around words that translate each other, as emphasis and links have them.

Training text has hardly any mark-up: a model learns that what stands beside a placeholder is a name
to be copied, and leaves the words of `**Close the window**` or of a link as they are. Here some
pairs get a placeholder before and behind a phrase and its translation, found by a small lexicon of
words that occur together.

Source: Dice 1945; Melamed 2000, §3 (mutually best words); Och & Ney 2004, §3 (phrases whose words
are linked within them only); Bogoychev et al. 2023, §3.3 (inline tags for training).
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from translator.placeholders import placeholders_in, symbols

WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
TITLE = re.compile(r"([^:.]{1,40}):\s")
ENDS = re.compile(r"[.!?…:]*$")
LEXICON_PAIRS = 300_000
MAX_WORDS = 25  # of a sentence that the lexicon learns from
MIN_DICE = 0.3
MAX_PHRASE = 4  # words
LONG_WORD = 4  # characters; little words are often linked wrongly
WHOLE_WORDS = 8  # of a sentence that may be marked as a whole

Span = tuple[int, int]


class Lexicon:
    """Words of two languages that occur in the same pairs."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Count which words of source and target occur together."""
        numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
        counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        keys: list[NDArray[np.int64]] = []
        for pair in pairs:
            sides = [{word.lower() for word in WORD.findall(text)} for text in pair]
            if max(map(len, sides)) > MAX_WORDS:
                continue
            ids = []
            for side, known, count in zip(sides, numbers, counts, strict=True):
                found = [known.setdefault(word, len(known)) for word in side]
                count.update(found)
                ids.append(np.array(found, dtype=np.int64))
            keys.append(((ids[0] << 32)[:, None] | ids[1]).ravel())
        self._dice = self._similar(keys, numbers, counts)

    @staticmethod
    def _similar(
        keys: list[NDArray[np.int64]],
        numbers: tuple[dict[str, int], dict[str, int]],
        counts: tuple[Counter[int], Counter[int]],
    ) -> dict[str, dict[str, float]]:
        """Return Dice's coefficient of the words with which each source word often occurs."""
        words = [list(known) for known in numbers]
        together, num_times = np.unique(
            np.concatenate(keys) if keys else np.empty(0, np.int64), return_counts=True
        )
        first, second = together >> 32, together & 0xFFFFFFFF
        alone = [np.array([count[n] for n in range(len(count))] or [0]) for count in counts]
        dice = 2 * num_times / (alone[0][first] + alone[1][second])
        chosen = np.flatnonzero((num_times > 2) & (dice >= MIN_DICE)).tolist()
        found: dict[str, dict[str, float]] = {}
        for n in chosen:
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
        for i, j in sorted(scores, key=lambda link: scores[link]):
            best[0][i], best[1][j] = j, i
        return {i: j for i, j in best[0].items() if best[1][j] == i}


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


class Marker:
    """Marks a share of the pairs it is shown; which ones depends on their sources alone."""

    def __init__(self, lexicon: Lexicon, share: float, num_placeholders: int) -> None:
        """Mark so many of all pairs, with so many placeholders at most."""
        self.lexicon, self.share, self.num_placeholders = lexicon, share, num_placeholders

    def mark(self, source: str, target: str) -> tuple[str, str]:
        """Return the pair, with a placeholder before and behind some phrase and its translation."""
        chance = zlib.crc32(source.encode())
        used = len(placeholders_in(source))
        if chance % 10_000 >= self.share * 10_000 or used + 2 > self.num_placeholders:
            return source, target
        chance //= 10_000
        found = self._spans(source, target, chance)
        return self._insert(source, target, found, chance) if found else (source, target)

    def _spans(self, source: str, target: str, chance: int) -> tuple[Span, Span] | None:
        """Return the characters to be marked: a title, everything, or a phrase."""
        words = [list(WORD.finditer(text)) for text in (source, target)]
        titles = [TITLE.match(text) for text in (source, target)]
        if titles[0] and titles[1]:
            return titles[0].span(1), titles[1].span(1)
        if max(map(len, words)) <= WHOLE_WORDS and chance % 2:
            ends = [ENDS.search(text) for text in (source, target)]
            assert ends[0]
            assert ends[1]
            return (0, ends[0].start()), (0, ends[1].start())
        links = self.lexicon.links(*([word[0].lower() for word in side] for side in words))
        runs = [run for run in phrases(links) if self._is_content(words, run)]
        if not runs:
            return None
        lengths = sorted({last - first for (first, last), _ in runs})
        wanted = lengths[chance // 2 % len(lengths)]
        fitting = [run for run in runs if run[0][1] - run[0][0] == wanted]
        ours, theirs = fitting[chance // 8 % len(fitting)]
        return (
            (words[0][ours[0]].start(), words[0][ours[1]].end()),
            (words[1][theirs[0]].start(), words[1][theirs[1]].end()),
        )

    @staticmethod
    def _is_content(words: list[list[re.Match[str]]], run: tuple[Span, Span]) -> bool:
        """Whether there is a word of some length in either language."""
        sides = zip(words, run, strict=True)
        return all(max(len(w[0]) for w in side[a : b + 1]) >= LONG_WORD for side, (a, b) in sides)

    def _insert(
        self, source: str, target: str, spans: tuple[Span, Span], chance: int
    ) -> tuple[str, str]:
        """Put two placeholders in, and number all anew in the order of the source."""
        names = symbols(self.num_placeholders)
        free = [name for name in names if name not in source + target][:2]
        marked = []
        for text, (start, end) in zip((source, target), spans, strict=True):
            marked.append(text[:start] + free[0] + text[start:end] + free[1] + text[end:])
        order = list(dict.fromkeys(char for char in marked[0] if char in set(names)))
        first = chance % len(names)
        table = str.maketrans({old: names[(first + n) % len(names)] for n, old in enumerate(order)})
        return marked[0].translate(table), marked[1].translate(table)
