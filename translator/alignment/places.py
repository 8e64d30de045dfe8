"""Where in a translation the words of a region of its source are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from translator.alignment.regions import Region
from translator.alignment.words import WORD, Floats, word_weights, words_in
from translator.text.characters import PLACEHOLDER
from translator.text.lone_numbers import CURRENCY_SIGN
from translator.text.spans import Span

if TYPE_CHECKING:
    from translator.alignment.alignment import Alignment

_LONGEST_WORD = 60
_LEAST_SHARE = 0.5
"""A word belongs to a region if more of its attention goes there, or less beside such words."""

_QUOTES = "\"'„“”‚‘’«»‹›"
_QUOTED = re.compile(rf"(?<![^\W_])[{_QUOTES}]([^{_QUOTES}]+)[{_QUOTES}](?!\w)")
_SIGN, _NUMBER = re.compile(CURRENCY_SIGN), re.compile(r"\b[0-9]+(?:[.,\u00a0][0-9]+)*\b")
_MONEY = re.compile(
    rf"{CURRENCY_SIGN}\s?{_NUMBER.pattern}|{_NUMBER.pattern}(?:\s?{CURRENCY_SIGN}(?!\s?[0-9]))?"
)
_SUFFIX = re.compile(r"st|nd|rd|th|er|re|ème|e|o|a|[ªº.]")
"""What makes a number an ordinal one, such as the `st` of `21<sup>st</sup>`."""


def find_places(
    regions: Sequence[Region], source: str, target: str, alignment: Alignment | None
) -> None:
    """Set the targets of regions, from the outer to the inner ones; they do not overlap.

    Args:
        regions: of the source.
        source: as the model reads it.
        target: as the model writes it.
        alignment: of both; without one, places are in proportion.
    """
    if alignment is None:
        _place_in_proportion(regions, (0, len(source)), target, (0, len(target)))
    elif regions:
        _Sentence(source, target, alignment).place(regions, (0, len(target)))


def _place_in_proportion(
    regions: Sequence[Region], source: Span, target: str, within: Span
) -> None:
    """Set the targets of regions in order, at ends of words."""
    scale = (within[1] - within[0]) / max(source[1] - source[0], 1)
    done = within[0]
    for region in regions:
        start, end = (within[0] + round((place - source[0]) * scale) for place in region.source)
        start = _next_gap(target, min(max(start, done), within[1]), within[1])
        end = _next_gap(target, min(max(end, start), within[1]), within[1])
        region.target, done = (start, end), end
        _place_in_proportion(region.inner, region.source, target, region.target)


def _next_gap(target: str, place: int, stop: int) -> int:
    """Return the next place that is not inside a word, or `place` if a word is very long."""
    for end in range(place, min(place + _LONGEST_WORD, stop)):
        if end == 0 or not (target[end - 1].isalnum() and target[end].isalnum()):
            return end
    return place if place + _LONGEST_WORD < stop else stop


class _Sentence:
    """A sentence and its translation, word by word."""

    def __init__(self, source: str, target: str, alignment: Alignment) -> None:
        self._source, self._target = source, target
        self._words, read = words_in(target), words_in(source)
        self._columns = np.array(read, dtype=np.int64).reshape(-1, 2)
        self._weights = word_weights(read, self._words, alignment)

    def place(self, regions: Sequence[Region], within: Span) -> None:
        """Find those of one level, the surest first, then what is inside them."""
        is_free = np.array(
            [within[0] <= start and end <= within[1] for start, end in self._words], dtype=bool
        )
        words = np.flatnonzero(is_free)
        sure: list[tuple[float, int, Floats]] = []
        for number, region in enumerate(regions):
            if known := self._suffix(region.source, within) or self._full_stop(region, within):
                region.target = known
            elif region.source[0] < region.source[1]:
                shares = self._shares(region.source)
                sure.append((float(shares[words].max(initial=0.0)), -number, shares))
        sure.sort(key=lambda one: one[:2], reverse=True)
        for (_, number, shares), run in zip(sure, self._runs(sure, is_free), strict=True):
            region = regions[-number]
            region.target = self._quoted(region, shares, within) or self._edges(region, run, within)
            self.place(region.inner, region.target)
        for region in regions:
            if region.source[0] == region.source[1]:
                place = self._point(region.source[0], words, within)
                region.target = (place, place)

    def _runs(
        self, sure: Sequence[tuple[float, int, Floats]], is_free: npt.NDArray[np.bool_]
    ) -> list[slice]:
        """Return the words of regions, the surest first.

        One that would be left without any gets the word that attends most to it.
        """
        free, runs = is_free.copy(), list[slice]()
        for _, _, shares in sure:
            runs.append(_best_run(shares, free))
            free[runs[-1]] = False
        empty = [number for number, run in enumerate(runs) if run.start == run.stop]
        if not empty or np.count_nonzero(is_free) < len(sure):
            return runs
        free = is_free.copy()
        for number in empty:
            place = int(np.where(free, sure[number][2], -1.0).argmax())
            runs[number], free[place] = slice(place, place + 1), False
        for number in (number for number in range(len(sure)) if number not in empty):
            runs[number] = _best_run(sure[number][2], free)
            free[runs[number]] = False
        return runs

    def _suffix(self, region: Span, within: Span) -> Span | None:
        """Return where the suffix of an ordinal number is; None if the region is none."""
        number = re.search("[0-9]+$", self._source[: region[0]])
        if number is None or not _SUFFIX.fullmatch(self._source, *region):
            return None
        there = re.compile(
            rf"(?<![0-9]){number[0]}(?P<suffix>(?:{_SUFFIX.pattern})(?!\w))?(?![0-9])"
        )
        found = there.search(self._target, *within)
        if found is None:
            return None
        return found.span("suffix") if found["suffix"] else (found.end(), found.end())

    def _full_stop(self, region: Region, within: Span) -> Span | None:
        """Return the marks at the end of the translation for a region of those at the source's."""
        (start, end), (first, last) = region.source, within
        inner = self._source[start:end].strip()
        if region.is_replaced or not inner or end < len(self._source) or last < len(self._target):
            return None
        there = last - len(inner)
        if not _is_punctuation(inner) or there < first:
            return None
        return (there, last) if _is_punctuation(self._target[there:last]) else None

    def _quoted(self, region: Region, shares: Floats, within: Span) -> Span | None:
        """Return what stands in quotes and has most of a region that stands in quotes."""
        start, end = region.source
        around = self._source[start - 1 : start] + self._source[end : end + 1]
        if len(around) < 2 or {*around} - {*_QUOTES} or start == end:
            return None
        found = [quoted.span(1) for quoted in _QUOTED.finditer(self._target, *within)]
        own = [
            (sum(s for s, word in zip(shares, self._words, strict=True) if a <= word[0] < b), a, b)
            for a, b in found
        ]
        best = max(own, default=(0.0, 0, 0))
        return best[1:] if best[0] > 0 else None

    def _shares(self, region: Span) -> Floats:
        inside = (self._columns[:, 0] < region[1]) & (region[0] < self._columns[:, 1])
        shares: Floats = self._weights[:, inside].sum(axis=1)
        return shares

    def _edges(self, region: Region, run: slice, within: Span) -> Span:
        """Return start and end of a run of words, with such punctuation as the region has."""
        if run.start == run.stop:
            return (within[1], within[1])
        start, end = self._words[run.start][0], self._words[run.stop - 1][1]
        inner = self._source[slice(*region.source)].strip()
        if region.is_replaced or not inner:
            return (start, end)
        while end < within[1] and _is_punctuation(inner[-1] + self._target[end]):
            end += 1
        while start > within[0] and _is_punctuation(inner[0] + self._target[start - 1]):
            start -= 1
        for number in (_MONEY if _SIGN.search(inner) else _NUMBER).finditer(self._target, *within):
            is_same = re.sub(r"\D", "", number[0]) == re.sub(r"\W", "", inner)
            if is_same and self._target.count(number[0]) == 1:
                return number.span()
            if number.start() < end and start < number.end():
                start, end = min(start, number.start()), max(end, number.end())
        is_first, is_last = region.source[0] == 0, region.source[1] >= len(self._source)
        if is_first and (is_last or self._num_words(within[0], start) <= run.stop - run.start):
            start = within[0]
        if is_last and (is_first or self._num_words(end, within[1]) <= run.stop - run.start):
            end = within[1]
        return (start, end)

    def _num_words(self, start: int, end: int) -> int:
        return sum(start <= word[0] < end for word in self._words)

    def _point(self, place: int, words: npt.NDArray[np.intp], within: Span) -> int:
        """Return where a mark that stands alone is: before the word that follows it.

        One that touches the word before it, and not the one behind, stays behind that.
        """
        if 0 < place < len(self._source) and not self._source[place - 1].isspace():
            before = [n for n, (_, end) in enumerate(self._columns.tolist()) if end <= place]
            if before and words.size and not self._source[place].isalnum():
                return self._behind(tuple(self._columns[before[-1]].tolist()), place, words, within)
        following = WORD.search(self._source, place)
        if place == 0 or following is None or not words.size:
            return within[0] if place == 0 else within[1]
        best = int(words[self._shares(following.span())[words].argmax()])
        return self._words[best][0]

    def _behind(self, word: Span, place: int, words: npt.NDArray[np.intp], within: Span) -> int:
        """Return the end of the word that attends most to one, and of the marks up to `place`."""
        end = self._words[int(words[self._shares(word)[words].argmax()])][1]
        while word[1] < place and end < within[1] and _is_punctuation(self._target[end]):
            end += 1
        return end


def _is_punctuation(characters: str) -> bool:
    is_read = (char.isalnum() or char.isspace() or PLACEHOLDER.match(char) for char in characters)
    return not any(is_read)


def _best_run(shares: Floats, is_free: npt.NDArray[np.bool_]) -> slice:
    """Return the free neighbours with the most share above the least; one at least, if any."""
    best, chosen = float("-inf"), slice(0, 0)
    total, start = float("-inf"), 0
    for place, (share, free) in enumerate(zip(shares.tolist(), is_free.tolist(), strict=True)):
        gain = share - _LEAST_SHARE if free else float("-inf")
        if total <= 0:
            total, start = gain, place
        else:
            total += gain
        if total > best:
            best, chosen = total, slice(start, place + 1)
    return chosen
