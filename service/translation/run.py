"""Translate the texts of a request as its plan says, and answer when all are done.

All that the service has translated goes through `ServedTranslator`.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.observe.record import note_texts
from service.schemas.translate.answer import ModelAnswer, Outcome
from service.schemas.translate.request import TranslateRequest
from service.storage.cache import TranslationCache
from service.translation.plan import TextPlan
from translator.text.glossary import Glossary
from translator.translate.documents import translate_document
from translator.translate.options import TextOptions
from translator.translate.texts import stream_texts, translate_texts
from translator.translate.translation import Translation

if TYPE_CHECKING:
    from translator.documents.document import Document
    from translator.patience import Patience
    from translator.translate.face import AnyTranslator
    from translator.translate.translation import SentenceStream

MOST_THREADS = 8
"""Of one request: texts in more languages wait for each other."""


class ServedTranslator:
    """Translates texts and documents of requests: it counts them, and keeps translations."""

    def __init__(self, library: AnyTranslator, cache: TranslationCache | None) -> None:
        """Serve one translator, with a cache or without."""
        self.library, self._cache = library, cache

    def translate(
        self, texts: Sequence[str], options: TextOptions, patience: Patience
    ) -> list[Translation]:
        """Translate texts; see `translate_texts`."""
        note_texts(len(texts), sum(map(len, texts)))
        return translate_texts(self.library, texts, self._stored(options), patience)

    def stream(
        self, texts: Sequence[str], options: TextOptions, patience: Patience
    ) -> SentenceStream:
        """Translate sentence by sentence; see `stream_texts`."""
        note_texts(len(texts), sum(map(len, texts)))
        return stream_texts(self.library, texts, options, patience)

    def translate_document(
        self,
        document: Document[bytes],
        options: TextOptions,
        patience: Patience,
        on_unit: Callable[[Translation], object] = lambda translation: None,
    ) -> bytes:
        """Return a file in another language; see `translate_document` of the library."""
        note_texts(len(document.units), sum(len(unit.text) for unit in document.units))
        options = self._stored(options)
        return translate_document(self.library, document, options, patience, on_unit)

    def _stored(self, options: TextOptions) -> TextOptions:
        return dataclasses.replace(options, cache=self._cache)


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """A request that is to be translated by its plan; the client waits for all calls together."""

    request: TranslateRequest
    plan: TextPlan
    served: ServedTranslator
    patience: Patience
    started_s: float

    def options(self, source: str) -> TextOptions:
        """Return how texts of one language are translated.

        Raises:
            InputError: a term of the glossary cannot be used.
        """
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
            for card in self.served.library.cards(source, self.request.target)
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


def translate_all(work: Work) -> Outcome:
    """Translate all texts; those of several languages at once, so that they share batches.

    Raises:
        TranslatorError: see `TextTranslator.translate`.
    """
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
        work.patience.look()

    watched = dataclasses.replace(work, patience=work.patience.looking(look))

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
    return work.served.translate(texts, work.options(source), work.patience)
