"""A way through two models: each sentence of the first is a text of the second.

The first hop is translated as a whole. So separators and sentences stay those of the source, and
what must come back verbatim is found in the sentence between. Of a sentence, the score is the sum
of both hops' (log-probabilities add up), the reasons and flags are those of both, and there are no
words with their sources. Alternatives are those of the second hop, for the best translation of the
first.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING

from translator.documents.markup.inline import TOKEN
from translator.engine.port import Times
from translator.pipeline.steps import Batches, NumberedSentence, Texts
from translator.pipeline.translation import SentenceTranslation, Translation, numbers_of
from translator.text.characters import has_spaces
from translator.text.marked import MarkedText, after
from translator.text.spans import Span

if TYPE_CHECKING:
    from translator.pipeline.face import Lease


def led_on(
    texts: Texts,
    batches: Batches,
    translate_on: Callable[[Texts], Generator[Translation, None, None]],
    second: Lease,
    num_alternatives: int,
) -> Batches:
    """Yield sentences after both hops, from those of the first."""
    places, prefixes = [0] * len(texts), [text.prefix for text in texts]
    ranked = [_Ranked(num_alternatives) for _ in texts]
    for batch in batches:
        between = list[MarkedText]()
        for number, sentence in batch:
            if _is_translated(sentence):
                between.append(_between(texts[number], sentence, places[number], prefixes[number]))
                prefixes[number] = None
            places[number] += len(sentence.separator) + len(sentence.source)
        answers = translate_on(between)
        done = list[NumberedSentence]()
        for number, sentence in batch:
            answer = next(answers) if _is_translated(sentence) else None
            if answer is not None:
                sentence = _after_both(sentence, answer, second)
            others = answer.alternatives if answer else ()
            done.append((number, ranked[number].noted(sentence, others)))
        answers.close()
        yield done


def _is_translated(sentence: SentenceTranslation) -> bool:
    """Whether the first hop has read a sentence; what it left as it is stays so."""
    return bool(sentence.finish_reasons)


def _between(
    text: MarkedText, sentence: SentenceTranslation, place: int, prefix: str | None
) -> MarkedText:
    """Return what the second hop is to translate of a sentence that comes at a place in a text."""
    start = place + len(sentence.separator)
    end = start + len(sentence.source)
    known = [text.text[a:b] for a, b in text.spans if start <= a and b <= end]
    prefix = None if prefix is None else after(sentence.separator, prefix)
    return MarkedText(sentence.text, carried(known, sentence.text), prefix)


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
    for match in re.finditer("|".join(map(re.escape, longest_first)), text):
        if left[match[0]]:
            left[match[0]] -= 1
            if spans and spans[-1][1] == match.start():  # what touches is one span
                spans[-1] = (spans[-1][0], match.end())
            else:
                spans.append(match.span())
    return tuple(spans)


def _after_both(
    first: SentenceTranslation, second: Translation, lease: Lease
) -> SentenceTranslation:
    scores = [score for score in (first.score, second.score) if score is not None]
    return dataclasses.replace(
        first,
        text=second.text if has_spaces(lease.target) else second.text.rstrip(" "),
        score=sum(scores) if scores else None,
        finish_reasons=(*first.finish_reasons, *second.finish_reasons),
        flags=tuple(sorted({*first.flags, *second.flags})),
        numbers=numbers_of((first, *second.sentences)),
        times=Times.around((first.times, second.times)),
        via=lease.source,
        words=None,
    )


class _Ranked:
    """The other translations of a text: each is made of sentences of one rank."""

    def __init__(self, num_alternatives: int) -> None:
        self._texts = ["" for _ in range(num_alternatives)]
        self._best = ""

    def noted(self, sentence: SentenceTranslation, others: Sequence[str]) -> SentenceTranslation:
        """Return a sentence, and the last one with the alternatives of the whole text."""
        self._best += sentence.separator + sentence.text
        for rank in range(len(self._texts)):
            other = others[min(rank, len(others) - 1)] if others else sentence.text
            self._texts[rank] += sentence.separator + other
        if sentence.source or not self._texts:
            return sentence
        different = (text for text in self._texts if text != self._best)
        return dataclasses.replace(sentence, alternatives=tuple(dict.fromkeys(different)))
