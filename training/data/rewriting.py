"""Training pairs are written otherwise: as people also write, with forms of address, with marks.

**Variants.** Training text is mostly whole sentences with a full stop. Users write headings, chat
and two sentences in a line as well, and a model that has never seen such forms copies words in
capitals or writes on where a sentence does not end. Both sides are changed alike, so that a
translation has the form of its source.

**Forms of address.** Sources of German are marked with the form of address of their translation, in
some pairs. With the mark, the model learns to write the form that is asked for. Pairs without it
keep the model as it is for everybody who asks for no form. Source: Sennrich, Haddow & Birch 2016,
"Controlling Politeness in Neural Machine Translation via Side Constraints", §3.

**Marks.** Training text has hardly any mark-up. A model that sees placeholders only beside names
learns to copy what is there, and does not translate the words of `**Close the window**` or of a
link. So some pairs get placeholders around a phrase and its translation, as emphasis and links
have. Which words translate each other is found by counting pairs of sentences. Source: Dice 1945;
after Melamed 2000 (words that are each other's best) and Och & Ney 2004 (phrases whose words are
linked within them only).
"""

from __future__ import annotations

import itertools
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from translator.rules.formality import Formality, formality_of
from translator.text.characters import PLACEHOLDER, placeholders_in, symbols

Sides = tuple[str, str]

MAX_HEADING = 90  # characters of what is written in capitals
MAX_JOINED = 240  # characters of two sentences together

_STOP = re.compile(r"(?<![.!?…])[.!?]$")
_CODE = re.compile(r"[{}<>%@\\/_=]")  # what must keep its capitals


def without_stop(pair: Sides) -> Sides | None:
    """Return a pair without the mark at its end; None if the sides do not end with the same one."""
    ends = [_STOP.search(text) for text in pair]
    if not ends[0] or not ends[1] or ends[0][0] != ends[1][0]:
        return None
    return pair[0][:-1], pair[1][:-1]


def with_colon(pair: Sides) -> Sides | None:
    """Return a pair with colons in the place of full stops; None if there are none."""
    bare = without_stop(pair)
    return (f"{bare[0]}:", f"{bare[1]}:") if bare and pair[0].endswith(".") else None


def in_lower_case(pair: Sides) -> Sides | None:
    """Return a pair without capitals; None if it has code, or none on some side."""
    return _written(pair, str.lower)


def in_capitals(pair: Sides) -> Sides | None:
    """Return a short pair in capitals; None if it is long or has code."""
    return _written(pair, str.upper) if max(map(len, pair)) <= MAX_HEADING else None


def _written(pair: Sides, case: Callable[[str], str]) -> Sides | None:
    changed = case(pair[0]), case(pair[1])
    is_text = not any(map(_CODE.search, pair)) and changed[0] != pair[0] and changed[1] != pair[1]
    return changed if is_text else None


def joined(first: Sides, second: Sides) -> Sides | None:
    """Return two pairs in a line; None if that is long, or the first one has no end.

    Placeholders are numbered within a pair, so pairs that have some are not joined.
    """
    sides = f"{first[0]} {second[0]}", f"{first[1]} {second[1]}"
    is_fit = max(map(len, sides)) <= MAX_JOINED and all(map(_STOP.search, first))
    return sides if is_fit and not any(map(PLACEHOLDER.search, sides)) else None


class Varier:
    """Writes a share of the pairs that it is shown in another way."""

    def __init__(self, share: float) -> None:
        """Change so many of all pairs; which ones depends on their sources alone."""
        self.share = share
        self._former: Sides | None = None

    def vary(self, source: str, target: str) -> Sides:
        """Return the pair, changed or as it is."""
        pair, former = (source, target), self._former
        self._former = pair
        chance = random.Random(f"vary {source}")
        if chance.random() >= self.share:
            return pair
        kinds: list[Callable[[Sides], Sides | None]] = [
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


def formality_mark(source: str, target: str, share: float) -> Formality | None:
    """Return the mark of a pair: the form of its German target, in a share of all such pairs.

    Which pairs get one depends on their sources alone.
    """
    form = formality_of(target, source)
    return form if form and random.Random(f"formality {source}").random() < share else None


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
        words = [list(numbers_of_side) for numbers_of_side in numbers]
        keys, num_times = together
        first, second = keys >> 32, keys & 0xFFFFFFFF
        alone = [np.array([count[n] for n in range(len(count))] or [0]) for count in counts]
        dice = 2 * num_times / (alone[0][first] + alone[1][second])
        similar: dict[str, dict[str, float]] = {}
        for n in np.flatnonzero((num_times > 2) & (dice >= MIN_DICE)).tolist():
            similar.setdefault(words[0][first[n]], {})[words[1][second[n]]] = float(dice[n])
        return similar

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
    for side, known_words, count in zip(sides, numbers, counts, strict=True):
        word_ids = [known_words.setdefault(word, len(known_words)) for word in side]
        count.update(word_ids)
        ids.append(np.array(word_ids, dtype=np.int64))
    return ((ids[0] << 32)[:, None] | ids[1]).ravel()


def _merged(first: Counts, second: Counts) -> Counts:
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


TITLE = re.compile(r"([^:.]{1,40}):\s")
ENDS = re.compile(r"[.!?…:]*$")
LONG_WORD = 4  # characters of some word of a phrase; short words are often linked wrongly
WHOLE_WORDS, WHOLE_SHARE = 8, 0.5  # of sentences with at most 8 words, half are marked as a whole


class Marker:
    """Marks a share of the pairs it is shown; which ones depends on their sources alone."""

    def __init__(self, lexicon: Lexicon, share: float, num_placeholders: int) -> None:
        """Mark so many of all pairs, with so many placeholders at most."""
        self.lexicon, self.share, self.num_placeholders = lexicon, share, num_placeholders

    def mark(self, source: str, target: str) -> tuple[str, str]:
        """Return the pair, with a placeholder before and after some phrase and its translation."""
        chance = random.Random(zlib.crc32(source.encode()))
        used = placeholders_in(source)
        if chance.random() >= self.share or used != placeholders_in(target):
            return source, target
        is_room = len(used) + 2 <= self.num_placeholders
        spans = self._spans(source, target, chance) if is_room else None
        return self._insert(source, target, spans, chance) if spans else (source, target)

    def _spans(self, source: str, target: str, chance: random.Random) -> tuple[Span, Span] | None:
        """Return the characters to be marked: a title, everything, or a phrase; None for nothing.

        Both spans have a letter and the same placeholders, and they differ: marked names would
        teach the model to copy.
        """
        sides = source, target
        words = [list(WORD.finditer(text)) for text in sides]
        titles = [TITLE.match(text) for text in sides]
        if titles[0] and titles[1]:
            candidates = [(titles[0].span(1), titles[1].span(1))]
        elif max(map(len, words)) <= WHOLE_WORDS and chance.random() < WHOLE_SHARE:
            candidates = [((0, len(ENDS.sub("", source))), (0, len(ENDS.sub("", target))))]
        else:
            candidates = self._phrases(words, chance)
        spans = chance.choice(candidates) if candidates else None
        if spans is None:
            return None
        texts = [text[start:end] for text, (start, end) in zip(sides, spans, strict=True)]
        is_fit = texts[0] != texts[1] and all(WORD.search(text) for text in texts)
        is_fit = is_fit and placeholders_in(texts[0]) == placeholders_in(texts[1])
        return spans if is_fit else None

    def _phrases(
        self, words: list[list[re.Match[str]]], chance: random.Random
    ) -> list[tuple[Span, Span]]:
        """Return the characters of all phrases of one length, and of their translations."""
        links = self.lexicon.links(*([word[0].lower() for word in side] for side in words))
        by_length: dict[int, list[tuple[Span, Span]]] = {}
        for run in phrases(links):
            if self._is_content(words, run):
                ours, theirs = (
                    (side[first].start(), side[last].end())
                    for side, (first, last) in zip(words, run, strict=True)
                )
                by_length.setdefault(run[0][1] - run[0][0], []).append((ours, theirs))
        return by_length[chance.choice(sorted(by_length))] if by_length else []

    @staticmethod
    def _is_content(words: list[list[re.Match[str]]], run: tuple[Span, Span]) -> bool:
        sides = zip(words, run, strict=True)
        return all(max(len(w[0]) for w in side[a : b + 1]) >= LONG_WORD for side, (a, b) in sides)

    def _insert(
        self, source: str, target: str, spans: tuple[Span, Span], chance: random.Random
    ) -> tuple[str, str]:
        """Put two placeholders in, and number all anew in the order of the source."""
        names = symbols(self.num_placeholders)
        free = [name for name in names if name not in source + target][:2]
        marked = []
        for text, (start, end) in zip((source, target), spans, strict=True):
            # a word after the first keeps its pieces; see `Protected.apart`
            marked.append(f"{text[:start]}{free[0]} {text[start:end]}{free[1]}{text[end:]}")
        order = list(dict.fromkeys(char for char in marked[0] if char in set(names)))
        first = chance.randrange(len(names))
        table = str.maketrans({old: names[(first + n) % len(names)] for n, old in enumerate(order)})
        return marked[0].translate(table), marked[1].translate(table)
