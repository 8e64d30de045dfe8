"""The models that the service has: at the start, and when they come and go later."""

from __future__ import annotations

import atexit
import errno
import logging
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from service.config import ServiceConfig
from service.operations.fetcher import Fetcher
from translator import (
    DEFAULT_MODEL,
    AnyTranslator,
    Detector,
    ModelSet,
    PreparedModel,
    Translator,
    models_folder,
    stand_in,
)
from translator.errors import TranslatorError

log = logging.getLogger("service.start.models")
LOOK_EVERY_S = 2.0

SMALL = "the shipped model translates German and English: a small one; %s"
ON_ITS_WAY = "better ones take over when they have come"
HOW = "TRANSLATOR_LANGUAGES=de or `python -m translator models get de` gets better ones"
_prepared: PreparedModel | None = None
"""Made by the main process for its workers."""


def prepare(config: ServiceConfig) -> None:
    """Load what workers would each load for themselves, before they are forked.

    That is the model of the settings or the shipped one, if it is the only one and translates on
    the CPU, and what tells languages apart. What is wrong with a model is left to the workers to
    say.
    """
    global _prepared
    _prepared = None
    Detector([]).load()
    if config.has_shipped_alone:
        has_asked = {"de", "all"} & {*config.language_codes}
        logging.getLogger("gunicorn.error").info(SMALL, ON_ITS_WAY if has_asked else HOW)
    if config.device == "cpu" and (config.has_shipped_alone or not config.has_many_models):
        with suppress(TranslatorError, OSError):
            _prepared = Translator.prepare(
                config.model or DEFAULT_MODEL, precision=config.precision
            )


def load_translator(config: ServiceConfig) -> AnyTranslator:
    """Return the model of the settings, loaded, or the list of its models.

    The list is read again at SIGHUP, and whenever a model has come, gone or changed.
    """
    settings: dict[str, Any] = {
        "device": config.device,
        "threads": config.threads,
        "precision": config.precision,
        "serve_at_once": True,
        "prepared": _prepared,
    }
    if not config.has_many_models:
        return Translator.load(config.model, **settings)
    models = ModelSet.load(
        served_paths(config), pivot=config.pivot, max_bytes=config.model_memory, **settings
    )
    if config.has_shipped_alone:
        with models.lease(*models.directions[0]):
            pass  # the first reader need not wait until it is loaded
    log_models(models)
    Refresher(models).start()
    return models


def make_folder(config: ServiceConfig) -> None:
    """Make the folder of downloaded models, if that can be done: it is looked at from now on."""
    if config.has_many_models:
        with suppress(OSError):  # `served_paths` says so
            models_folder().mkdir(parents=True, exist_ok=True)


def _writing_error(folder: Path) -> int:
    """Return the number of the error that writing to a folder would have, or 0; write nothing."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not nearest.is_dir():
        return errno.ENOTDIR
    if os.access(nearest, os.W_OK | os.X_OK):
        return 0
    is_read_only = os.statvfs(nearest).f_flag & os.ST_RDONLY
    return errno.EROFS if is_read_only else errno.EACCES


def served_paths(config: ServiceConfig) -> list[Path]:
    """Return where models are, in order of preference: named ones, then downloaded ones.

    If none is named, the shipped one comes last.
    """
    named = [Path(path) for path in config.model_paths or (config.model,) if path]
    if named and not config.fetches:
        return named
    folder = models_folder()
    if config.fetches and (error := _writing_error(folder)):
        log.error("%s: %s; no models can be downloaded", folder, os.strerror(error))
    downloaded = [folder] if folder.is_dir() else []
    return [*named, *downloaded] if named else [*downloaded, DEFAULT_MODEL]


def start_fetching(config: ServiceConfig, folder: Path, translator: AnyTranslator) -> None:
    """Download what the settings ask for, on a thread, into a folder that the workers share.

    What the translator has needs no download, unless it is the shipped model's.
    """
    if config.fetches:
        fetcher = Fetcher(
            folder,
            config.language_codes,
            lambda: {*translator.directions} - stand_in(translator),
            update=config.update_models == "on",
            offers=config.downloads == "on",
        )
        atexit.register(fetcher.stop)
        fetcher.start()


def log_models(models: ModelSet) -> None:
    """Say which models there are."""
    names = ", ".join(model.name for model in models.models())
    log.info("models in order of preference: %s", names)


class Refresher:
    """Reads the list of models again, on a thread: requests go on."""

    def __init__(self, models: ModelSet) -> None:
        self._models, self._lock = models, threading.Lock()

    def start(self) -> None:
        """Read it at SIGHUP, and when it has changed."""
        signal.signal(signal.SIGHUP, lambda *_: self._on_a_thread(self.refresh))
        self._on_a_thread(self._look)

    def refresh(self) -> None:
        """Read it now."""
        with self._lock:
            try:
                self._models.refresh()
            except TranslatorError as error:
                log.error("the list of models stays as it is: %s", error)
            else:
                log_models(self._models)

    def _look(self) -> None:
        pause = threading.Event()
        while self._models.is_alive and not pause.wait(LOOK_EVERY_S):
            if self._models.has_changed():
                self.refresh()

    @staticmethod
    def _on_a_thread(work: Callable[[], object]) -> None:
        threading.Thread(target=work, name="service-refresh", daemon=True).start()
