"""Units translated by one model, or by two one after the other, with their terms and marks.

Here the sentences of a language without spaces close up: until now, separators were those of the
source, by which places in it are found.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeVar

from translator.errors import UnsupportedLanguageError
from translator.text.characters import has_spaces
from translator.text.glossary import Applied
from translator.text.marked import MarkedText, as_marked
from translator.translate.marks.projection import sentences_of
from translator.translate.models.deadline import remaining
from translator.translate.models.pivot import stream_on, translate_on
from translator.translate.translation import (
    SentenceStream,
    SentenceTranslation,
    Translation,
    joined,
    of_one_text,
)
from translator.translate.units import PreparedUnits, TextOptions, as_sent

if TYPE_CHECKING:
    from translator.translate.models.face import AnyTranslator, Pair

Units = Sequence[str | MarkedText]
Answer = TypeVar("Answer")

_FULL_WIDTH_END = ("。", "！", "？", "．", "」", "』", "”", "）")
_SPACE_BEHIND_END = re.compile(r"(?<=[。！？．」』”）]) (?=\S)")

MOST_TOGETHER = 32
"""Units with tags that are finished together."""


class UnitStream(SentenceStream):
    """The sentences of units, as they are done.

    Attributes:
        terms: says which entries of the glossary a unit has, by its number.
    """

    def __init__(
        self,
        sentences: Iterator[tuple[int, SentenceTranslation]],
        close: Callable[[], object],
        terms: Callable[[int], frozenset[str]] = lambda _: frozenset(),
    ) -> None:
        """Take sentences, what gives up those that are left, and the terms."""
        super().__init__(sentences, close)
        self.terms = terms


def translate_units(
    translator: AnyTranslator, units: Units, options: TextOptions
) -> list[Translation]:
    """Translate units with their terms, and see to it that marks stand where they belong.

    Raises:
        TranslatorError: see `TextTranslator.translate`.
    """

    def translate(legs: Sequence[Pair], own: TextOptions) -> list[Translation]:
        if not legs:
            return [Translation(text=as_marked(unit).text) for unit in units]
        if len(legs) == 1:
            return _translate_directly(translator, units, own)
        return _translate_in_legs(translator, units, own, legs)

    found = _on_the_way(translator, options, translate)
    return found if has_spaces(options.target) else [_closed_up_text(one) for one in found]


def _on_the_way(
    translator: AnyTranslator,
    options: TextOptions,
    attempt: Callable[[Sequence[Pair], TextOptions], Answer],
) -> Answer:
    """Try something on the way to the target; if a model on it drops out, on another way."""
    left_s, own = remaining(options.timeout_s), options
    while True:
        legs = translator.legs(options.source, options.target)
        try:
            return attempt(legs, own)
        except UnsupportedLanguageError:
            if translator.legs(options.source, options.target) == legs:
                raise
        own = dataclasses.replace(options, timeout_s=left_s())


def _translate_in_legs(
    translator: AnyTranslator, units: Units, options: TextOptions, legs: Sequence[Pair]
) -> list[Translation]:
    """Translate units by two models."""
    left_s = remaining(options.timeout_s)
    applied = _applied(units, options)
    texts = [one.text for one in applied]
    first = _translate_directly(translator, texts, _first(options, legs))

    def second_leg(between: Sequence[MarkedText]) -> list[Translation]:
        return _translate_directly(translator, between, _second(options, legs, left_s()))

    found = translate_on(texts, first, second_leg, legs, _num_alternatives(options) or 0)
    return [
        dataclasses.replace(
            one, sentences=tuple(as_sent(own, one.sentences)), terms=tuple(sorted(own.terms))
        )
        for one, own in zip(found, applied, strict=True)
    ]


def stream_units(translator: AnyTranslator, units: Units, options: TextOptions) -> UnitStream:
    """Translate as `translate_units` does, and yield each sentence when it is done.

    The texts are in the engine when this returns, those of a pivot in the engine of the first leg.

    Yields:
        see `TextTranslator.stream`; each sentence has the terms that were met in it.
    """

    def open_stream(legs: Sequence[Pair], own: TextOptions) -> UnitStream:
        if not legs:
            texts = [as_marked(unit).text for unit in units]
            same = [SentenceTranslation(separator=it, source="", text="") for it in texts]
            return UnitStream(iter(enumerate(same)), lambda: None)
        if len(legs) == 1:
            return _stream_directly(translator, units, own)
        return _stream_in_legs(translator, units, own, legs)

    stream = _on_the_way(translator, options, open_stream)
    if has_spaces(options.target):
        return stream
    told = (
        (number, sentence)
        for number in range(len(units))
        for sentence in _closed_up(of_one_text(stream))
    )
    return UnitStream(told, stream.close, stream.terms)


def _stream_in_legs(
    translator: AnyTranslator, units: Units, options: TextOptions, legs: Sequence[Pair]
) -> UnitStream:
    """Yield the sentences of units, translated by two models."""
    left_s = remaining(options.timeout_s)
    applied = _applied(units, options)
    texts = [one.text for one in applied]

    def second_leg(between: Sequence[MarkedText]) -> list[Translation]:
        return _translate_directly(translator, between, _second(options, legs, left_s()))

    with ExitStack() as guard:
        guard.enter_context(
            translator.held(options.source, options.target, left_s(), options.while_waiting)
        )
        first = _stream_directly(translator, texts, _first(options, legs))
        guard.callback(first.close)
        told_on = stream_on(texts, first, second_leg, legs)
        told = _with_terms(told_on, applied)
        return UnitStream(told, guard.pop_all().close, lambda number: applied[number].terms)


def _translate_directly(
    translator: AnyTranslator, units: Units, options: TextOptions
) -> list[Translation]:
    """Translate units by a single model."""
    left_s, waiting = remaining(options.timeout_s), options.while_waiting
    with translator.held(options.source, options.target, left_s(), waiting):
        aligner = translator.aligner(options.source, options.target, left_s(), waiting)
        prepared = PreparedUnits(units, aligner, options)
        translations = translator.translate_prepared(
            prepared.texts,
            source=options.source,
            target=options.target,
            options=options.decoding,
            formality=options.formality,
            num_alternatives=_num_alternatives(options),
            timeout_s=left_s(),
            while_waiting=waiting,
            on_progress=options.on_progress,
        )
        return prepared.finished(translations)


def _stream_directly(translator: AnyTranslator, units: Units, options: TextOptions) -> UnitStream:
    """Yield the sentences of units, translated by a single model."""
    left_s, waiting = remaining(options.timeout_s), options.while_waiting
    with ExitStack() as guard:
        guard.enter_context(translator.held(options.source, options.target, left_s(), waiting))
        aligner = translator.aligner(options.source, options.target, left_s(), waiting)
        prepared = PreparedUnits(units, aligner, options)
        stream = translator.stream_prepared(
            prepared.texts,
            source=options.source,
            target=options.target,
            options=options.decoding,
            formality=options.formality,
            timeout_s=left_s(),
            while_waiting=waiting,
        )
        guard.callback(stream.close)
        finished = _finished(prepared, stream)
        return UnitStream(finished, guard.pop_all().close, prepared.terms)


def _closed_up(sentences: Iterable[SentenceTranslation]) -> Iterator[SentenceTranslation]:
    """Yield sentences without the space between two of them, where the first has an end mark."""
    before = ""
    for sentence in sentences:
        touches = sentence.separator == " " and sentence.source and before.endswith(_FULL_WIDTH_END)
        before = sentence.text
        yield dataclasses.replace(sentence, separator="") if touches else sentence


def _closed_up_text(translation: Translation) -> Translation:
    """Return a translation whose sentences close up."""
    told = list(_closed_up(sentences_of(translation)))
    text = "".join(sentence.separator + sentence.text for sentence in told)
    others = (_SPACE_BEHIND_END.sub("", other) for other in translation.alternatives)
    return dataclasses.replace(
        translation,
        text=text,
        sentences=tuple(told[:-1]),
        alternatives=tuple(dict.fromkeys(other for other in others if other != text)),
    )


def _finished(
    prepared: PreparedUnits, stream: SentenceStream
) -> Iterator[tuple[int, SentenceTranslation]]:
    """Yield the finished sentences of all units.

    Those with tags that are done already are finished together, since that takes a pass of the
    model: a page is not slower for being streamed.
    """
    number, count = 0, len(prepared.texts)
    while number < count:
        if not prepared.has_tags(number):
            for sentence in prepared.finished_each(number, of_one_text(stream)):
                yield number, sentence
            number += 1
            continue
        done = [joined(list(of_one_text(stream)))]
        for other in range(number + 1, min(number + MOST_TOGETHER, count)):
            if not (prepared.has_tags(other) and stream.is_done(other)):
                break
            done.append(joined(list(of_one_text(stream))))
        for translation in prepared.finished(done, start=number):
            for sentence in sentences_of(translation):
                yield number, sentence
            number += 1


def _num_alternatives(options: TextOptions) -> int | None:
    return options.num_alternatives if options.text_format == "text" else 0


def _applied(units: Units, options: TextOptions) -> list[Applied]:
    """Return units with the terms of the glossary, which both legs leave alone."""
    glossary = options.glossary
    marked = [as_marked(unit) for unit in units]
    return [glossary.apply(unit) if glossary else Applied(unit) for unit in marked]


def _with_terms(
    told: Iterator[tuple[int, SentenceTranslation]], applied: Sequence[Applied]
) -> Iterator[tuple[int, SentenceTranslation]]:
    """Yield sentences with their terms, as they were sent."""
    for number, own in enumerate(applied):
        for sentence in as_sent(own, of_one_text(told)):
            yield number, sentence


def _first(options: TextOptions, legs: Sequence[Pair]) -> TextOptions:
    """Return the options of the first of two legs; see `models.pivot`."""
    return dataclasses.replace(
        options,
        target=legs[0][1],
        formality=None,
        glossary=None,
        num_alternatives=0,
        has_words=False,
        on_progress=lambda done, total: options.on_progress(done, 2 * total),
    )


def _second(options: TextOptions, legs: Sequence[Pair], timeout_s: float | None) -> TextOptions:
    """Return the options of the second."""
    return dataclasses.replace(
        options,
        source=legs[1][0],
        glossary=None,
        has_words=False,
        timeout_s=timeout_s,
        on_progress=lambda done, total: options.on_progress(total + done, 2 * total),
    )
