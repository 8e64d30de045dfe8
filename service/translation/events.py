"""Translate the texts of a request, and tell of each sentence when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing

from service.schemas.detect import DetectedLanguage
from service.schemas.fields import Json
from service.schemas.translate.answer import (
    AnswerEvent,
    SentenceEvent,
    TranslateAnswer,
    answer_to_json,
    sentence_to_answer,
)
from service.translation.run import Work
from translator.translate.translation import (
    SentenceStream,
    Translation,
    joined,
    of_one_text,
)

Event = Json


def stream_events(work: Work) -> Iterator[Event]:
    """Yield an event for each sentence, in the order of the texts, and one for the whole answer.

    Whoever takes no more closes the iterator: the sentences that are left leave the engine.

    Raises:
        TranslatorError: see `TextTranslator.stream`.
    """
    translations: list[Translation | None] = [None] * len(work.request.texts)
    source_of = {
        number: source for source, numbers in work.plan.groups.items() for number in numbers
    }
    with ExitStack() as stack:
        streams = {  # all are in the engine before the first is waited for
            source: stack.enter_context(closing(_open(work, source))) for source in work.plan.groups
        }
        for number in sorted(source_of):
            sentences = []
            detected = work.plan.detected[number] if work.plan.detected else None
            first: Json = {"detectedLanguage": DetectedLanguage.of(detected)} if detected else {}
            for sentence in of_one_text(streams[source_of[number]]):
                sentence_answer = sentence_to_answer(sentence, work.request.has_alignment)
                event = SentenceEvent(
                    type="sentence",
                    index=number,
                    **sentence_answer.model_dump(exclude_unset=True),
                    **first,
                )
                first = {}
                yield event.model_dump(exclude_unset=True)
                sentences.append(sentence)
            translations[number] = joined(sentences)
    answer = TranslateAnswer(**answer_to_json(work.request, work.outcome(translations)))
    yield AnswerEvent(type="answer", answer=answer).model_dump(exclude_unset=True)


def _open(work: Work, source: str) -> SentenceStream:
    """Return the sentences of all texts of one language, to be closed."""
    texts = [work.request.texts[number] for number in work.plan.groups[source]]
    return work.served.stream(texts, work.options(source), work.patience)
