"""The WSGI entry point, `service.wsgi:app`: importing this file loads the model."""

from __future__ import annotations

import atexit
import gc
import logging
import os
import signal
import sys
import threading
from typing import Any

from flask import Flask

from service.app import create_app
from service.config import ServiceConfig
from service.observe import logs, sharing
from service.routes.context import metrics_folder
from translator.detection.detector import Detector
from translator.errors import TranslatorError
from translator.translate.models.face import AnyTranslator
from translator.translate.models.model_set import ModelSet
from translator.translate.translator import DEFAULT_MODEL, Translator

log = logging.getLogger("service.models")

SWITCH_INTERVAL_S = 0.001
"""How long one of Python's threads may keep the others waiting: a fifth of the usual, since the
engine waits at each of its turns while another thread prepares the text of a document."""

GUNICORN_STOPS = 3  # the exit code of a worker that ends the server; after others it starts anew


def load_translator(config: ServiceConfig) -> AnyTranslator:
    """Return the model of the settings, loaded, or the list of its models."""
    settings: dict[str, Any] = {
        "device": config.device,
        "threads": config.threads,
        "precision": config.precision,
        "serve_at_once": True,
    }
    if not config.models:
        return Translator.load(config.model or DEFAULT_MODEL, **settings)
    models = ModelSet.load(
        config.model_paths, pivot=config.pivot, max_bytes=config.model_memory, **settings
    )
    log_models(models)
    refresh_at_hangup(models)
    return models


def log_models(models: ModelSet) -> None:
    """Say which models there are."""
    names = ", ".join(model.name for model in models.models())
    log.info("models in order of preference: %s", names)


def refresh_at_hangup(models: ModelSet) -> None:
    """Read the list of models again at SIGHUP, on a thread: requests go on."""

    def refresh() -> None:
        try:
            models.refresh()
        except TranslatorError as error:
            log.error("the list of models stays as it is: %s", error)
        else:
            log_models(models)

    def begin(*_: object) -> None:
        threading.Thread(target=refresh, name="service-refresh", daemon=True).start()

    signal.signal(signal.SIGHUP, begin)


def load_app() -> Flask:
    """Return the application that the environment describes, with its model loaded."""
    config = ServiceConfig.from_environment(os.environ)
    logs.configure(config.log_format)
    folder = metrics_folder(config)
    if folder is not None:
        sharing.share(folder)
    translator = load_translator(config)
    atexit.register(translator.close)
    detector = Detector([language.code for language in translator.languages])
    detector.load()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    app = create_app(config, translator, detector)
    # What has been loaded stays. To search it for garbage takes a tenth of a second, now and then.
    gc.collect()
    gc.freeze()
    return app


try:
    app = load_app()
except TranslatorError as error:
    print(f"error: {error}", file=sys.stderr)
    sys.exit(GUNICORN_STOPS)
