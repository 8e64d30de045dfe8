"""A checked request as calls of the library: a plan, then all texts at once or as events."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from contextvars import copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING

import flask

from service.http.context import Context, ServedTranslator
from service.http.errors import DetectedLanguage
from service.http.fields import Json
from service.http.streaming import deadline_of
from service.libretranslate.answer import (
    AnswerEvent,
    ModelAnswer,
    Outcome,
    SentenceEvent,
    TranslateAnswer,
    answer_to_json,
    sentence_to_answer,
)
from service.libretranslate.request import AUTO, TranslateRequest, check_pair
from translator import (
    Detected,
    Glossary,
    SentenceStream,
    SourceFinder,
    TextOptions,
    Translation,
    joined,
    of_one_text,
)
from translator.errors import InputError, UnreadLanguageError

if TYPE_CHECKING:
    from translator import Deadline, Detector, Language


@dataclass(frozen=True, kw_only=True, slots=True)
class TextPlan:
    """How the texts of a request are translated.

    Attributes:
        groups: the numbers of the texts of each source language.
        finder: with `auto`, what has found those languages; it finds those of sentences as well.
        detected: with `auto`, the language of each text; None for one that is no text.
        faults: why texts are not translated, by number; they are in no group.
        left: numbers of those with faults that come back as they are.
    """

    groups: Mapping[str, Sequence[int]]
    finder: SourceFinder | None = None
    detected: Sequence[Detected | None] = ()
    faults: Mapping[int, str]
    left: Sequence[int] = ()


def make_plan(
    request: TranslateRequest, languages: Sequence[Language], detector: Detector
) -> TextPlan:
    """Find the language of each text, and put those of one language together.

    Clients of LibreTranslate know of no error of a single text. So for a request that does not want
    such errors, a text in a language that no model reads comes back as it is, if there are others.
    A text in a language that is not translated into the one wanted is an InputError.
    """
    numbers = [number for number in range(len(request.texts)) if number not in request.faults]
    if request.source != AUTO:
        return TextPlan(groups={request.source: numbers} if numbers else {}, faults=request.faults)
    by_code = {language.code: language for language in languages}
    finder = finder_of(request.target, languages, detector)
    is_markup = request.text_format in ("html", "xml")
    detected: list[Detected | None] = [None] * len(request.texts)
    groups: dict[str, list[int]] = {}
    faults, unread = dict(request.faults), dict[int, UnreadLanguageError]()
    for number in numbers:
        name = f"q[{number}]" if request.is_batch else "q"
        try:
            detection = finder.of_text(request.texts[number], name, is_markup=is_markup)
            detected[number] = detection
            check_pair(by_code[detection.language], by_code[request.target])
        except UnreadLanguageError as error:
            detected[number] = Detected(language=error.language, confidence=error.confidence)
            faults[number], unread[number] = str(error), error
        except InputError as error:
            if not request.has_errors:
                raise
            faults[number] = str(error)
        else:
            groups.setdefault(detection.language, []).append(number)
    is_any_read = any(
        detection.confidence
        for n, detection in enumerate(detected)
        if detection and n not in unread
    )
    if unread and not (is_any_read or request.has_errors):
        raise next(iter(unread.values()))
    return TextPlan(
        groups=groups,
        finder=finder,
        detected=detected,
        faults=faults,
        left=() if request.has_errors else tuple(unread),
    )


def finder_of(target: str, languages: Sequence[Language], detector: Detector) -> SourceFinder:
    """Return what finds the languages that texts are translated from into one."""
    sources = [language.code for language in languages if target in language.targets]
    return SourceFinder(detector, sources or [language.code for language in languages])


MOST_THREADS = 8
"""Of one request: texts in more languages wait for each other."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """A request that is to be translated by its plan; the client waits for all calls together."""

    request: TranslateRequest
    plan: TextPlan
    served: ServedTranslator
    deadline: Deadline
    started_s: float

    def options(self, source: str) -> TextOptions:
        """Return how texts of one language are translated; refuse terms that cannot be used."""
        request, prefixes = self.request, self.request.prefixes
        terms = request.pairs or request.kept
        return TextOptions(
            source=source,
            target=request.target,
            text_format=request.text_format,
            tags=request.tags,
            glossary=Glossary(pairs=request.pairs, keep=request.kept) if terms else None,
            num_alternatives=request.num_alternatives,
            formality=request.formality.get(source),
            has_words=request.has_alignment,
            finder=self.plan.finder,
            prefixes=[prefixes[number] for number in self.plan.groups[source]] if prefixes else (),
        )

    def _models(self) -> list[ModelAnswer]:
        """Return the models that translate, by their cards, each once."""
        cards = [
            card
            for source in self.plan.groups
            for card in self.served.library.cards(
                source, self.request.target, has_form=source in self.request.formality
            )
        ]
        models = [ModelAnswer(name=card.get("name"), version=card.get("commit")) for card in cards]
        return [model for place, model in enumerate(models) if model not in models[:place]]

    def outcome(self, translations: list[Translation | None]) -> Outcome:
        """Return what came of it."""
        left = {number: self.request.texts[number] for number in self.plan.left}
        return Outcome(
            translations=[
                Translation(text=left[number]) if number in left else translation
                for number, translation in enumerate(translations)
            ],
            detected=self.plan.detected,
            faults=self.plan.faults,
            models=self._models() if self.request.has_details else (),
            total_ms=1000 * (time.monotonic() - self.started_s),
        )


def begin(context: Context, request: TranslateRequest) -> Work:
    """Plan what the request in hand wants to be done; time counts from here."""
    started_s = time.monotonic()
    return Work(
        request=request,
        plan=make_plan(request, context.translator.languages, context.detector),
        served=context.served,
        deadline=deadline_of(context.config, flask.request),
        started_s=started_s,
    )


def translate_all(work: Work) -> Outcome:
    """Translate all texts; those of several languages at once, so that they share batches."""
    every_translation: list[Translation | None] = [None] * len(work.request.texts)
    sources = list(work.plan.groups)
    done = (
        _at_once(work, sources)
        if len(sources) > 1
        else [_translated(work, source) for source in sources]
    )
    for source, translations in zip(sources, done, strict=True):
        for number, translation in zip(work.plan.groups[source], translations, strict=True):
            every_translation[number] = translation
    return work.outcome(every_translation)


class _OthersFailed(Exception):
    """What ends the work on one language when that on another has failed."""


def _at_once(work: Work, sources: Sequence[str]) -> list[list[Translation]]:
    """Translate the texts of each language on a thread; what one raises ends all."""
    has_failed = threading.Event()

    def look() -> None:
        if has_failed.is_set():
            raise _OthersFailed
        work.deadline.look()

    watched = dataclasses.replace(work, deadline=work.deadline.looking(look))

    def translated(source: str) -> list[Translation]:
        try:
            return _translated(watched, source)
        except BaseException:
            has_failed.set()
            raise

    with ThreadPoolExecutor(min(len(sources), MOST_THREADS)) as pool:
        # each thread has a copy of the context: what a request counts belongs to that request
        futures = [pool.submit(copy_context().run, translated, source) for source in sources]
    for future in futures:
        error = future.exception()
        if error is not None and not isinstance(error, _OthersFailed):
            raise error
    return [future.result() for future in futures]


def _translated(work: Work, source: str) -> list[Translation]:
    texts = [work.request.texts[number] for number in work.plan.groups[source]]
    return work.served.translate(texts, work.options(source), work.deadline)


def stream_events(work: Work) -> Iterator[Json]:
    """Yield an event for each sentence, in the order of the texts, and one for the whole answer.

    Whoever takes no more closes the iterator: the sentences that are left leave the engine.
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
    texts = [work.request.texts[number] for number in work.plan.groups[source]]
    return work.served.stream(texts, work.options(source), work.deadline)
