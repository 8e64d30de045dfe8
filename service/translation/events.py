"""Translate the texts of a request, and tell of each sentence when it is done."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from typing import Any

from service.schemas.translate.answer import TranslateAnswer, answer_to_json, sentence_to_answer
from service.schemas.translate.events import AnswerEvent, ErrorEvent, SentenceEvent
from service.schemas.translate.request import TranslateRequest
from service.translation.run import Work
from service.translation.texts import terms_in
from translator.engine.port import Times
from translator.translate.documents import stream_texts
from translator.translate.translation import SentenceTranslation, Translation

Event = dict[str, Any]


def stream_events(work: Work) -> Iterator[Event]:
    """Yield an event for each sentence, in the order of the texts, and one for the whole answer.

    Whoever takes no more closes the iterator: the sentences that are left leave the engine.

    Raises:
        TranslatorError: see `Translator.stream`.
    """
    found: list[Translation | None] = [None] * len(work.request.texts)
    source_of = {number: source for source, own in work.plan.groups.items() for number in own}
    with ExitStack() as stack:
        texts_in: dict[str, Iterator[Iterator[SentenceTranslation]]] = {}
        for number in sorted(source_of):
            source = source_of[number]
            if source not in texts_in:
                texts_in[source] = _by_text(stack.enter_context(closing(_open(work, source))))
            sentences = []
            for sentence in next(texts_in[source]):
                said = sentence_to_answer(sentence, work.request.has_alignment)
                event = SentenceEvent(
                    type="sentence", index=number, **said.model_dump(exclude_unset=True)
                )
                yield event.model_dump(exclude_unset=True)
                sentences.append(sentence)
            found[number] = _joined(sentences, work.request, number)
    answer = TranslateAnswer(**answer_to_json(work.request, work.outcome(found)))
    yield AnswerEvent(type="answer", answer=answer).model_dump(exclude_unset=True)


def error_event(message: str, status: int) -> Event:
    """Return the event that ends a stream which has failed."""
    return ErrorEvent(type="error", error=message, status=status).model_dump()


def _open(work: Work, source: str) -> Generator[tuple[int, SentenceTranslation]]:
    """Return the sentences of all texts of one language, to be closed."""
    texts = [work.request.texts[number] for number in work.plan.groups[source]]
    return stream_texts(work.translator, texts, work.options(source))


def _by_text(
    stream: Iterator[tuple[int, SentenceTranslation]],
) -> Iterator[Iterator[SentenceTranslation]]:
    """Yield the sentences of each text; each must be taken before the next."""
    for _, of_text in itertools.groupby(stream, key=lambda told: told[0]):
        yield (sentence for _, sentence in of_text)


def _joined(
    sentences: Sequence[SentenceTranslation], request: TranslateRequest, number: int
) -> Translation:
    """Return the translation of a text from all that was told of it."""
    scores = [one.score for one in sentences if one.score is not None for _ in one.finish_reasons]
    is_plain = request.text_format == "text"
    return Translation(
        text="".join(one.separator + one.text for one in sentences),
        score=sum(scores) / len(scores) if scores else None,
        finish_reasons=tuple(reason for one in sentences for reason in one.finish_reasons),
        flags=tuple(sorted({flag for one in sentences for flag in one.flags})),
        sentences=tuple(one for one in sentences if one.source) if is_plain else (),
        times=Times.around(one.times for one in sentences),
        terms=terms_in(request.texts[number], request),
    )
