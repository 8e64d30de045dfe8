"""Two translations one after the other: from a language to a third, and from there to the target.

The first leg is translated as a whole, and each of its sentences is a text of the second. So
separators and sentences stay those of the source, and what must come back verbatim is found in the
sentence between. Of a sentence, the score is the sum of both legs' (log-probabilities add up), the
reasons and flags are those of both, and there are no words with their sources. Alternatives are
those of the second leg, for the best translation of the first.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from translator.engine.port import Times
from translator.text.characters import has_spaces
from translator.text.formats.inline import TOKEN
from translator.text.marked import MarkedText
from translator.text.spans import Span
from translator.translate.models.face import Pair
from translator.translate.translation import (
    SentenceTranslation,
    Translation,
    mean_score,
    numbers_of,
)

TranslateUnits = Callable[[Sequence[MarkedText]], list[Translation]]
"""The second leg."""

MOST_AT_ONCE = 256
"""Sentences of a stream that the second leg gets together; at first it gets one, then two, ..."""


def translate_on(
    units: Sequence[MarkedText],
    first: Sequence[Translation],
    second_leg: TranslateUnits,
    legs: Sequence[Pair],
    num_alternatives: int = 0,
) -> list[Translation]:
    """Return the translations of some texts, of which the first leg is done.

    Args:
        units: the texts.
        first: their translations to the language between.
        second_leg: translates from there to the target.
        legs: the pairs of both legs.
        num_alternatives: that the second leg gives at most.
    """
    between = [
        marked
        for unit, translation in zip(units, first, strict=True)
        for marked in _between(unit, translation.sentences)
    ]
    answers = iter(second_leg(between))
    return [_joined(translation, answers, legs[1], num_alternatives) for translation in first]


def stream_on(
    units: Sequence[MarkedText],
    first: Iterator[tuple[int, SentenceTranslation]],
    second_leg: TranslateUnits,
    legs: Sequence[Pair],
) -> Iterator[tuple[int, SentenceTranslation]]:
    """Yield the sentences of some texts in order, while the first leg is being translated.

    Args:
        units: the texts.
        first: their sentences in the language between; see `TextTranslator.stream`.
        second_leg: translates from there to the target.
        legs: the pairs of both legs.
    """
    places = [0] * len(units)
    at_once = 1
    while group := list(itertools.islice(first, at_once)):
        between = list[MarkedText]()
        for number, sentence in group:
            between += _between(units[number], [sentence], places[number])
            places[number] += len(sentence.separator) + len(sentence.source)
        answers = iter(second_leg(between))
        for number, sentence in group:
            yield number, _sentence(sentence, answers, legs[1])[0]
        at_once = min(2 * at_once, MOST_AT_ONCE)


def _is_translated(sentence: SentenceTranslation) -> bool:
    """Whether the first leg has read a sentence; what it left as it is stays so."""
    return bool(sentence.finish_reasons)


def _between(
    unit: MarkedText, sentences: Iterable[SentenceTranslation], place: int = 0
) -> Iterator[MarkedText]:
    """Yield what the second leg is to translate of a text, from a place in it."""
    for sentence in sentences:
        start = place + len(sentence.separator)
        place = start + len(sentence.source)
        if _is_translated(sentence):
            known = [unit.text[a:b] for a, b in unit.spans if start <= a and b <= place]
            yield MarkedText(sentence.text, carried(known, sentence.text))


def carried(known: Sequence[str], text: str) -> tuple[Span, ...]:
    """Return where verbatim spans of a source are in its translation, as many as there were."""
    left = Counter[str]()
    for span in known:
        left.update(token[0] for token in TOKEN.finditer(span))
        left.update(part for part in TOKEN.sub("\0", span).split("\0") if part)
    if not left:
        return ()
    longest_first = sorted(left, key=len, reverse=True)
    spans = list[Span]()
    for found in re.finditer("|".join(map(re.escape, longest_first)), text):
        if left[found[0]]:
            left[found[0]] -= 1
            if spans and spans[-1][1] == found.start():  # what touches is one span
                spans[-1] = (spans[-1][0], found.end())
            else:
                spans.append(found.span())
    return tuple(spans)


def _sentence(
    first: SentenceTranslation, answers: Iterator[Translation], second_pair: Pair
) -> tuple[SentenceTranslation, tuple[str, ...]]:
    """Return a sentence after both legs, and its other translations."""
    if not _is_translated(first):
        return first, ()
    second, (via, target) = next(answers), second_pair
    scores = [score for score in (first.score, second.score) if score is not None]
    sentence = dataclasses.replace(
        first,
        text=second.text if has_spaces(target) else second.text.rstrip(" "),
        score=sum(scores) if scores else None,
        finish_reasons=(*first.finish_reasons, *second.finish_reasons),
        flags=tuple(sorted({*first.flags, *second.flags})),
        numbers=numbers_of((first, *second.sentences)),
        times=Times.around((first.times, second.times)),
        via=via,
        words=None,
    )
    return sentence, second.alternatives


def _joined(
    first: Translation, answers: Iterator[Translation], second_pair: Pair, num_alternatives: int
) -> Translation:
    """Return a text after both legs."""
    both = [_sentence(sentence, answers, second_pair) for sentence in first.sentences]
    sentences = [sentence for sentence, _ in both]
    if not any(sentence.via for sentence in sentences):
        return first
    pieces = [sentence.separator + sentence.text for sentence in first.sentences]
    tail = first.text[len("".join(pieces)) :]

    def text_of(texts: Iterable[str]) -> str:
        pairs = zip(sentences, texts, strict=True)
        return "".join(sentence.separator + text for sentence, text in pairs) + tail

    text = text_of(sentence.text for sentence in sentences)
    others = [
        text_of(
            alternatives[min(rank, len(alternatives) - 1)] if alternatives else sentence.text
            for sentence, alternatives in both
        )
        for rank in range(num_alternatives)
    ]
    return dataclasses.replace(
        first,
        text=text,
        alternatives=tuple(dict.fromkeys(other for other in others if other != text)),
        score=mean_score(sentences),
        finish_reasons=tuple(reason for one in sentences for reason in one.finish_reasons),
        flags=tuple(sorted({flag for one in sentences for flag in one.flags})),
        sentences=tuple(sentences),
        times=Times.around(one.times for one in sentences),
        via=second_pair[0],
    )
