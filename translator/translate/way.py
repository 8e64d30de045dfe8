"""The way from one language to another: through one model, or through two, one after the other.

With two, the first leg is translated as a whole, and each of its sentences is a text of the second.
So separators and sentences stay those of the source, and what must come back verbatim is found in
the sentence between. Of a sentence, the score is the sum of both legs' (log-probabilities add up),
the reasons and flags are those of both, and there are no words with their sources. Alternatives are
those of the second leg, for the best translation of the first.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from translator.engine.port import Times
from translator.patience import silent
from translator.text.characters import has_spaces
from translator.text.formats.inline import TOKEN
from translator.text.marked import MarkedText, behind
from translator.text.spans import Span
from translator.translate.ladder import (
    Batches,
    NumberedSentence,
    Step,
    Texts,
    climb,
    numbered,
    text_by_text,
)
from translator.translate.languages import Languages
from translator.translate.marks.capitals import Capitals
from translator.translate.marks.tags import Tags
from translator.translate.marks.words import Words
from translator.translate.store import stored
from translator.translate.terms import Beginnings, Spacing, Terms
from translator.translate.translation import (
    SentenceTranslation,
    Translation,
    joined,
    numbers_of,
    of_one_text,
)

if TYPE_CHECKING:
    from translator.patience import Patience
    from translator.translate.face import AnyTranslator, Loan
    from translator.translate.options import TextOptions


def translate_units(
    translator: AnyTranslator, units: Texts, options: TextOptions, patience: Patience
) -> list[Translation]:
    """Translate texts without a format; see `TextTranslator.translate`."""
    with ExitStack() as stack:
        batches = open_units(translator, units, options, patience, stack, is_whole=True)
        return [joined(sentences) for sentences in text_by_text(batches, len(units))]


def open_units(
    translator: AnyTranslator,
    units: Texts,
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    *,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts without a format, each sentence from its own language.

    Args:
        translator: has the models.
        units: the texts.
        options: say how.
        patience: of the caller.
        stack: on which the models are held, and what is left in the engine given up.
        is_whole: whether the sentences are wanted all at once; then they come in one batch.
    """
    if options.finder is None:
        return _from_one(translator, units, options, patience, stack, is_whole)
    languages = Languages(options.source, options.finder)

    def from_each(parts: Texts) -> Batches:
        sources = languages.sources
        return _from_several(translator, parts, sources, options, patience, stack, is_whole)

    return climb([languages], units, from_each, options.on_step)


def _from_several(
    translator: AnyTranslator,
    parts: Texts,
    sources: Sequence[str],
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts, each from the language that is said."""
    if {*sources} <= {options.source}:
        return _from_one(translator, parts, options, patience, stack, is_whole)
    groups = defaultdict[str, list[MarkedText]](list)
    for source, part in zip(sources, parts, strict=True):
        groups[source].append(part)
    streams = dict[str, Iterator[tuple[int, SentenceTranslation]]]()
    for source, texts in groups.items():
        own, whose = _options_from(source, translator, options), patience
        if source != options.source:
            whose = patience.telling(silent)
        if not is_whole:
            batches = _from_one(translator, texts, own, whose, stack, is_whole)
            streams[source] = numbered(batches)
            continue
        with ExitStack() as inner:  # one after the other, so that the models of one are held
            batches = _from_one(translator, texts, own, whose, inner, is_whole)
            streams[source] = iter(list(numbered(batches)))
    return (
        [(number, sentence)]
        for number, source in enumerate(sources)
        for sentence in of_one_text(streams[source])
    )


def _options_from(source: str, translator: AnyTranslator, options: TextOptions) -> TextOptions:
    """Return the options of the texts in one language of several."""
    if source == options.source:
        return options
    has_choice = any(
        language.code == source and options.target in language.formality
        for language in translator.languages
    )
    formality = options.formality if has_choice else None
    return dataclasses.replace(options, source=source, formality=formality)


def _from_one(
    translator: AnyTranslator,
    texts: Texts,
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts in one language by the models that lead to the one wanted."""
    if options.text_format != "text" or not is_whole:
        options = dataclasses.replace(options, num_alternatives=0)
    loans = stack.enter_context(translator.lent(options.source, options.target, patience))
    if not loans:
        same = [SentenceTranslation(separator=text.text, source="", text="") for text in texts]
        return iter([list(enumerate(same))])
    steps = list[Step]()
    if not has_spaces(options.target):
        steps.append(Spacing())
    if options.glossary is not None:
        steps.append(Terms(options.glossary))
    if options.is_file or options.text_format != "text":
        steps.append(Beginnings())

    def by_models(below: Texts) -> Batches:
        if len(loans) == 1:
            return _leg(loans[0], below, options, patience, stack, is_whole)
        return _two_legs(loans, below, options, patience, stack, is_whole)

    return climb(steps, texts, by_models, options.on_step)


def _leg(
    loan: Loan,
    texts: Texts,
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts by one model."""
    aligner = loan.model.aligner(options.source)
    tags = Tags(aligner, options.target, patience, options.marks)
    steps: list[Step] = [Capitals(aligner, options.target, patience, options.source, tags)]
    if options.has_words:
        steps.append(Words(aligner, options.target, patience))
    steps.append(tags)

    def decoded(below: Texts) -> Batches:
        if options.store is not None and is_whole:
            return stored(loan, below, options.search, patience, options.store)
        decoding = loan.model.decode(
            below, options.search, patience, is_whole=is_whole, on_step=options.on_step
        )
        return stack.enter_context(decoding)

    return climb(steps, texts, decoded, options.on_step)


def _two_legs(
    loans: Sequence[Loan],
    texts: Texts,
    options: TextOptions,
    patience: Patience,
    stack: ExitStack,
    is_whole: bool,
) -> Batches:
    """Begin to translate texts by two models."""
    first, second = loans
    first_options = dataclasses.replace(
        options, target=first.target, formality=None, num_alternatives=0, has_words=False
    )
    second_options = dataclasses.replace(
        options,
        source=second.source,
        num_alternatives=options.num_alternatives or 0,
        has_words=False,
    )
    both = patience.telling(lambda done, total: patience.tell(done, 2 * total))
    then = patience.telling(lambda done, total: patience.tell(total + done, 2 * total))

    def translate_on(between: Texts) -> Generator[Translation, None, None]:
        with ExitStack() as inner:
            on = _leg(second, between, second_options, then, inner, is_whole=True)
            yield from map(joined, text_by_text(on, len(between)))

    free = [dataclasses.replace(text, prefix=None) for text in texts]
    batches = _leg(first, free, first_options, both, stack, is_whole)
    num_alternatives = second_options.num_alternatives or 0
    return _led_on(texts, batches, translate_on, second, num_alternatives)


def _led_on(
    texts: Texts,
    batches: Batches,
    translate_on: Callable[[Texts], Generator[Translation, None, None]],
    second: Loan,
    num_alternatives: int,
) -> Batches:
    """Yield sentences after both legs, from those of the first."""
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
    """Whether the first leg has read a sentence; what it left as it is stays so."""
    return bool(sentence.finish_reasons)


def _between(
    text: MarkedText, sentence: SentenceTranslation, place: int, prefix: str | None
) -> MarkedText:
    """Return what the second leg is to translate of a sentence that comes at a place in a text."""
    start = place + len(sentence.separator)
    end = start + len(sentence.source)
    known = [text.text[a:b] for a, b in text.spans if start <= a and b <= end]
    prefix = None if prefix is None else behind(sentence.separator, prefix)
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


def _after_both(first: SentenceTranslation, second: Translation, loan: Loan) -> SentenceTranslation:
    """Return a sentence after both legs."""
    scores = [score for score in (first.score, second.score) if score is not None]
    return dataclasses.replace(
        first,
        text=second.text if has_spaces(loan.target) else second.text.rstrip(" "),
        score=sum(scores) if scores else None,
        finish_reasons=(*first.finish_reasons, *second.finish_reasons),
        flags=tuple(sorted({*first.flags, *second.flags})),
        numbers=numbers_of((first, *second.sentences)),
        times=Times.around((first.times, second.times)),
        via=loan.source,
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
