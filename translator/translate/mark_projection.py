"""Marks are taken out of a text before it is translated, and put back where their words went.

So the model reads plain sentences, and a model without placeholders can keep marks, too. A pair
goes around the words that attend most to those it was around; see `alignment`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from torch import Tensor

from translator.text.formats.inline import TOKEN
from translator.text.marked import MarkedText
from translator.text.spans import Span
from translator.translate.alignment import Alignment

_WORD = re.compile(r"\w+(?:[-'’.]\w+)*|[\ue001-\ue040]")
_LEAST = 0.5  # of a word's attention, for it to belong to a pair for certain


class Mark(NamedTuple):
    """A token that has been taken out; `place` is where it stood in the text that is left."""

    token: str
    place: int
    number: str
    is_end: bool
    is_alone: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """A text without its marks, and those.

    Attributes:
        text: to be translated.
        marks: in order.
    """

    text: MarkedText
    marks: tuple[Mark, ...] = ()


def take_out(marked: MarkedText) -> Taken:
    """Return a text without the marks that are no part of a sentence: pairs, images, comments."""
    pieces, length = list[str](), 0
    spans, marks = list[Span](), list[Mark]()
    done = 0

    def add(text: str, is_span: bool) -> None:
        nonlocal length
        was_between = bool(pieces and marks) and marks[-1].place == length
        if was_between and text.startswith(" ") and pieces[-1].endswith(" "):
            text = text[1:]
        if text:
            pieces.append(text)
            if is_span:
                spans.append((length, length + len(text)))
            length += len(text)

    for start, end in marked.spans:
        add(marked.text[done:start], is_span=False)
        inner = start
        for token in TOKEN.finditer(marked.text, start, end):
            if token["text"]:
                continue
            add(marked.text[inner : token.start()], is_span=True)
            marks.append(
                Mark(token[0], length, token["number"], bool(token["end"]), bool(token["alone"]))
            )
            inner = token.end()
        add(marked.text[inner:end], is_span=True)
        done = end
    add(marked.text[done:], is_span=False)
    return Taken(MarkedText("".join(pieces), tuple(spans)), tuple(marks))


@dataclass(slots=True)
class Region:
    """What a pair encloses in a sentence, or where a single mark stands (then it is empty).

    Attributes:
        source: start and end in the source sentence.
        opens: token to put before; may be empty if the pair began in an earlier sentence.
        closes: token to put behind.
        inner: regions inside.
        target: start and end in the translation.
    """

    source: Span
    opens: str
    closes: str
    inner: list[Region] = field(default_factory=list)
    target: Span = (0, 0)


def regions_of(marks: Sequence[Mark], length: int) -> list[Region]:
    """Return the marks of a sentence as regions, nested.

    Args:
        marks: of the sentence, places counted from its start.
        length: of the sentence.
    """
    outer = Region((0, length), "", "")
    opened: list[tuple[str, Region]] = [("", outer)]
    for mark in marks:
        if mark.is_alone:
            opened[-1][1].inner.append(Region((mark.place, mark.place), mark.token, ""))
        elif not mark.is_end:
            region = Region((mark.place, length), mark.token, "")
            opened[-1][1].inner.append(region)
            opened.append((mark.number, region))
        elif opened[-1][0] == mark.number:
            _, region = opened.pop()
            region.source, region.closes = (region.source[0], mark.place), mark.token
        else:  # it began in an earlier sentence, so all before it is inside
            region = Region((0, mark.place), "", mark.token, outer.inner)
            outer.inner = [region]
    return outer.inner


def project(
    regions: Sequence[Region], source: str, target: str, alignment: Alignment | None
) -> None:
    """Find the targets of regions, from the outer to the inner; they do not overlap.

    Args:
        regions: in places of `source`.
        source: as the model read it.
        target: as the model wrote it.
        alignment: of both; without one, places are proportional.
    """
    words = [found.span() for found in _WORD.finditer(target)]
    _project(regions, (0, len(target)), _Context(source, target, words, alignment))


class _Context(NamedTuple):
    source: str
    target: str
    words: Sequence[Span]
    alignment: Alignment | None

    def shares(self, region: Span) -> list[float]:
        """Return for each word of the translation how much of it comes from a region."""
        if self.alignment is None:
            return self._proportional(region)
        columns = [
            number
            for number, (start, end) in enumerate(self.alignment.source)
            if start < region[1] and region[0] < end
        ]
        is_text = [
            number
            for number, (start, end) in enumerate(self.alignment.source)
            if any(char.isalnum() or "\ue000" < char < "\ue041" for char in self.source[start:end])
        ]
        inside: Tensor = self.alignment.weights[:, [c for c in columns if c in set(is_text)]].sum(1)
        whole: Tensor = self.alignment.weights[:, is_text].sum(1).clamp_min(1e-6)
        by_piece: list[float] = (inside / whole).tolist()
        return [self._mean(by_piece, word) for word in self.words]

    def _mean(self, by_piece: Sequence[float], word: Span) -> float:
        assert self.alignment is not None
        own = [
            share
            for share, (start, end) in zip(by_piece, self.alignment.target, strict=True)
            if start < word[1] and word[0] < end
        ]
        return sum(own) / len(own) if own else 0.0

    def _proportional(self, region: Span) -> list[float]:
        scale = len(self.source) / max(len(self.target), 1)
        middles = [(start + end) / 2 * scale for start, end in self.words]
        return [float(region[0] <= middle <= region[1]) for middle in middles]


def _project(regions: Sequence[Region], within: Span, context: _Context) -> None:
    words = [
        number
        for number, (start, end) in enumerate(context.words)
        if within[0] <= start and end <= within[1]
    ]
    pairs = [region for region in regions if region.source[0] < region.source[1]]
    shares = [context.shares(region.source) for region in pairs]
    free = dict.fromkeys(words, True)
    by_certainty = sorted(
        range(len(pairs)), key=lambda n: -max((shares[n][word] for word in words), default=0)
    )
    for number in by_certainty:
        region, chosen = pairs[number], _best_run(words, shares[number], free)
        for word in chosen:
            free[word] = False
        region.target = _widened(region, chosen, within, context)
        _project(region.inner, region.target, context)
    for region in regions:
        if region.source[0] == region.source[1]:
            region.target = _point(region, words, within, context)


def _best_run(words: Sequence[int], shares: Sequence[float], free: dict[int, bool]) -> list[int]:
    """Return the neighbouring free words with the most share above `_LEAST` each; one at least."""
    best: tuple[float, int, int] = (float("-inf"), 0, 0)
    total, start = float("-inf"), 0
    for place, word in enumerate(words):
        gain = shares[word] - _LEAST if free[word] else float("-inf")
        if total <= 0 or total == float("-inf"):
            total, start = gain, place
        else:
            total += gain
        best = max(best, (total, -start, place))
    if best[0] == float("-inf"):
        return []
    return list(words[-best[1] : best[2] + 1])


def _widened(region: Region, chosen: Sequence[int], within: Span, context: _Context) -> Span:
    """Return the span of some words, with the punctuation that the source has at its edges."""
    if not chosen:
        return (within[1], within[1])
    start, end = context.words[chosen[0]][0], context.words[chosen[-1]][1]
    inner = context.source[slice(*region.source)].strip()
    while end < within[1] and inner and _is_mark(inner[-1]) and _is_mark(context.target[end]):
        end += 1
    before = context.target[:start]
    while start > within[0] and inner and _is_mark(inner[0]) and _is_mark(before[start - 1]):
        start -= 1
    if region.source[0] == 0:
        start = within[0] if within[0] == 0 else start
    if region.source[1] >= len(context.source) and within[1] == len(context.target):
        end = within[1]
    return (start, end)


def _is_mark(char: str) -> bool:
    return not char.isalnum() and not char.isspace()


def _point(region: Region, words: Sequence[int], within: Span, context: _Context) -> Span:
    """Return where a single mark stands: before the word that followed it."""
    place = region.source[0]
    following = _WORD.search(context.source, place)
    if following is None or not words:
        return (within[1], within[1])
    shares = context.shares(following.span())
    best = max(words, key=lambda word: shares[word])
    return (context.words[best][0], context.words[best][0])


def with_tokens(target: str, regions: Sequence[Region]) -> str:
    """Return a translation with the tokens of its regions."""
    places = list(_insertions(regions))
    pieces, done = [], 0
    for place, token in places:
        pieces += [target[done:place], token]
        done = max(done, place)
    return "".join([*pieces, target[done:]])


def _insertions(regions: Sequence[Region]) -> Iterator[tuple[int, str]]:
    for region in sorted(regions, key=lambda one: (one.target[0], one.target[1])):
        yield region.target[0], region.opens
        yield from _insertions(region.inner)
        yield region.target[1], region.closes
