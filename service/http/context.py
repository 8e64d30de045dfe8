"""What the handlers share: the translator, its cache, and the slots for translations."""

from __future__ import annotations

import dataclasses
import sys
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from service.config import ServiceConfig
from service.http.logs import note_texts
from service.http.metrics import Metrics, metrics_folder
from translator import TextOptions, Translation, stream_texts, translate_document, translate_texts
from translator.errors import EngineOverloadedError

if TYPE_CHECKING:
    from translator import AnyTranslator, Deadline, Detector, Document, SentenceStream


FULL = "the server is already busy with {} translations; try again in a moment"

ENTRY_BYTES = 1500
"""What an entry takes besides its texts: keys, objects, tables."""

SENTENCE_BYTES = 300
LARGEST_SHARE = 8
"""An entry of more than this part of the whole is not kept: it would push out too many others."""


class TranslationCache:
    """Translations by key, safe to use from any thread; `num_bytes` is estimated from above."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, tuple[Translation, int]] = OrderedDict()
        self.hits = self.misses = self.num_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable) -> Translation | None:
        """Return a translation, which becomes the one used last; None if it is not there."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self.misses += 1
                return None
            self._entries.move_to_end(key)
            self.hits += 1
            return entry[0]

    def put(self, key: Hashable, source: str, translation: Translation) -> None:
        """Keep a translation, unless it has flags: what looks wrong is searched for anew."""
        if translation.flags:
            return
        translation = dataclasses.replace(translation, times=None)  # it will not be in the engine
        num_bytes = bytes_of(source, translation)
        if num_bytes * LARGEST_SHARE > self._max_bytes:
            return
        with self._lock:
            former = self._entries.pop(key, None)
            self.num_bytes += num_bytes - (former[1] if former else 0)
            self._entries[key] = translation, num_bytes
            while self.num_bytes > self._max_bytes:
                _, (_, freed) = self._entries.popitem(last=False)
                self.num_bytes -= freed


def bytes_of(source: str, translation: Translation) -> int:
    """Return how much memory an entry takes at most."""
    texts = [source, translation.text, *translation.alternatives]
    texts += [candidate.text for candidate in translation.candidates]
    for sentence in translation.sentences:
        texts += [sentence.separator, sentence.source, sentence.text]
    num_bytes = sum(map(sys.getsizeof, texts)) + SENTENCE_BYTES * len(translation.sentences)
    return ENTRY_BYTES + num_bytes


class ServedTranslator:
    """Translates texts and documents of requests: it counts them, and keeps translations."""

    def __init__(self, library: AnyTranslator, cache: TranslationCache | None) -> None:
        self.library, self._cache = library, cache

    def translate(
        self, texts: Sequence[str], options: TextOptions, deadline: Deadline
    ) -> list[Translation]:
        """Translate texts; see `translate_texts`."""
        note_texts(len(texts), sum(map(len, texts)))
        return translate_texts(self.library, texts, self._stored(options), deadline)

    def stream(
        self, texts: Sequence[str], options: TextOptions, deadline: Deadline
    ) -> SentenceStream:
        """Translate sentence by sentence; see `stream_texts`."""
        note_texts(len(texts), sum(map(len, texts)))
        return stream_texts(self.library, texts, options, deadline)

    def translate_document(
        self,
        document: Document[bytes],
        options: TextOptions,
        deadline: Deadline,
        on_unit: Callable[[Translation], object] = lambda translation: None,
    ) -> bytes:
        """Return a file in another language; see `translate_document` of the library."""
        note_texts(len(document.units), sum(len(unit.text) for unit in document.units))
        options = self._stored(options)
        return translate_document(self.library, document, options, deadline, on_unit)

    def _stored(self, options: TextOptions) -> TextOptions:
        return dataclasses.replace(options, cache=self._cache)


class Context:
    """The translator and the limits of one application.

    Attributes:
        translations: running now.
        refused: translations for which no slot was free.
        translator: knows its languages and models.
        cache: of translations, if there is one.
        folder: for what the workers share.
    """

    def __init__(
        self, config: ServiceConfig, translator: AnyTranslator, detector: Detector
    ) -> None:
        self.config = config
        self.cache = TranslationCache(config.cache_bytes) if config.cache_bytes else None
        self.translator = translator
        self.served = ServedTranslator(translator, self.cache)
        self._detector = detector
        self.translations = self.refused = 0
        self._lock = threading.RLock()
        self.metrics = Metrics(metrics_folder(config))
        self.folder = Path(config.run_folder) if config.run_folder else _own_folder(self)

    @property
    def detector(self) -> Detector:
        """What tells the languages apart, those that there are now."""
        codes = tuple(language.code for language in self.translator.languages)
        if self._detector.languages != codes:
            self._detector = type(self._detector)(codes)  # it loads when it is first asked
        return self._detector

    def refuse_if_full(self) -> None:
        """Raise EngineOverloadedError if no slot is free: before anything of a request is read."""
        with self._lock:
            if self.translations >= self.config.concurrency_limit:
                self.refused += 1
                raise EngineOverloadedError(FULL.format(self.config.concurrency_limit))

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold one of the slots for running translations, or raise as `refuse_if_full`."""
        with self._lock:
            self.refuse_if_full()
            self.translations += 1
        try:
            yield
        finally:
            with self._lock:
                self.translations -= 1


def _own_folder(context: Context) -> Path:
    folder = tempfile.TemporaryDirectory(prefix="translator-", ignore_cleanup_errors=True)
    weakref.finalize(context, folder.cleanup)
    return Path(folder.name)
