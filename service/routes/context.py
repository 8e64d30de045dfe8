"""What the handlers share."""

from __future__ import annotations

import tempfile
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flask import request as request_in_hand

from service.access.keys import Keys
from service.config import ServiceConfig
from service.connection import patience_of
from service.fetching.state import State, read_state
from service.observe.metrics import Metrics
from service.schemas.translate.request import TranslateRequest
from service.storage.cache import TranslationCache
from service.storage.downloads import Downloads
from service.translation.plan import make_plan
from service.translation.run import ServedTranslator, Work
from translator.errors import EngineOverloadedError
from translator.store.home import models_folder

if TYPE_CHECKING:
    from translator.detection.detector import Detector
    from translator.translate.face import AnyTranslator


class Context:
    """The translator and the limits of one application.

    Attributes:
        config: settings.
        translator: knows its languages and models.
        served: translates for requests.
        metrics: what is counted.
        folder: for what the workers share.
        downloads: translated files.
        keys: the store of keys, if they count.
    """

    def __init__(
        self, config: ServiceConfig, translator: AnyTranslator, detector: Detector
    ) -> None:
        """Serve `translator` within the limits of `config`."""
        self.config = config
        self.keys: Keys | None = None
        self._cache = TranslationCache(config.cache_bytes) if config.cache_bytes else None
        self.translator = translator
        self.served = ServedTranslator(translator, self._cache)
        self._detector = detector
        self._places = threading.BoundedSemaphore(config.concurrency_limit)
        self.metrics = Metrics(metrics_folder(config))
        self.metrics.read_from(self._counted)
        self.metrics.read_models(translator.models)
        self.folder = Path(config.run_folder) if config.run_folder else _own_folder(self)
        self.downloads = Downloads(
            self.folder / "files",
            max_files=config.files_limit,
            max_bytes=config.files_bytes,
            keep_s=config.files_keep_s,
        )

    @property
    def detector(self) -> Detector:
        """What tells the languages apart, those that there are now."""
        codes = tuple(language.code for language in self.translator.languages)
        if self._detector.languages != codes:
            self._detector = type(self._detector)(codes)  # it loads when it is first asked
        return self._detector

    def begin(self, request: TranslateRequest) -> Work:
        """Plan what the request in hand wants to be done; time counts from here.

        Raises:
            InputError: see `make_plan`.
        """
        started_s = time.monotonic()
        return Work(
            request=request,
            plan=make_plan(request, self.translator.languages, self.detector),
            served=self.served,
            patience=patience_of(self.config, request_in_hand),
            started_s=started_s,
        )

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold one of the places for running translations, or refuse at once if there is none.

        Raises:
            EngineOverloadedError: all places are taken.
        """
        if not self._places.acquire(blocking=False):
            raise EngineOverloadedError(
                f"the server is already busy with {self.config.concurrency_limit} translations; "
                "try again in a moment"
            )
        try:
            yield
        finally:
            self._places.release()

    def _counted(self) -> Mapping[str, float]:
        """Return what the engine and the cache have counted, by the names of the metrics."""
        done, cache = self.translator.statistics(), self._cache
        return {
            "sentences": done.sentences,
            "source_tokens": done.source_tokens,
            "target_tokens": done.target_tokens,
            "queue_seconds": done.queue_s,
            "compute_seconds": done.compute_s,
            "turns": done.turns,
            "turn_sentences": done.turn_sentences,
            "busy_seconds": done.busy_s,
            "queued_sentences": done.queued,
            "running_sentences": done.running,
            "cache_hits": cache.hits if cache else 0,
            "cache_misses": cache.misses if cache else 0,
            "cache_bytes": cache.num_bytes if cache else 0,
            **self._downloaded(),
        }

    def _downloaded(self) -> Mapping[str, float]:
        """Return what all workers together have downloaded, if anything may be."""
        if not self.config.fetches:
            return {}
        state = self.downloading()
        return {"downloaded_models": state.downloaded, "failed_downloads": state.failures}

    def downloading(self) -> State:
        """Return what has been and is being downloaded."""
        return read_state(downloads_folder(self.config))


def metrics_folder(config: ServiceConfig) -> Path | None:
    """Return where the workers keep their metrics; None if they are not kept in a folder."""
    if config.metrics == "off" or not config.run_folder:
        return None
    return Path(config.run_folder) / "metrics"


def downloads_folder(config: ServiceConfig) -> Path:
    """Return where the workers say what is being downloaded."""
    return Path(config.run_folder or models_folder() / ".serving") / "downloads"


def _own_folder(context: Context) -> Path:
    """Return a new folder that goes with the context."""
    folder = tempfile.TemporaryDirectory(prefix="translator-", ignore_cleanup_errors=True)
    weakref.finalize(context, folder.cleanup)
    return Path(folder.name)
