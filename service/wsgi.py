"""The WSGI entry point, `service.wsgi:app`: importing this file loads the model."""

from __future__ import annotations

import atexit
import dataclasses
import gc
import logging
import os
import sys
from functools import partial

from flask import Flask

from service.config import ServiceConfig, variable_name
from service.http import logs
from service.http.metrics import metrics_folder, share
from service.operations.downloads import downloads_folder
from service.start.app import create_app
from service.start.models import load_translator, start_fetching
from translator import Detector
from translator.errors import TranslatorError

log = logging.getLogger("service.wsgi")

SWITCH_INTERVAL_S = 0.001
"""How long one of Python's threads may keep the others waiting: a fifth of the usual, since the
engine waits at each of its turns while another thread prepares the text of a document."""

DOWNLOADS = "translator-downloads"
"""Where the application keeps what begins to download: a worker does, a check of settings not."""

GUNICORN_STOPS = 3  # the exit code of a worker that ends the server; after others it starts anew


def with_metrics_shared(config: ServiceConfig) -> ServiceConfig:
    """Share the metrics with other workers; without room for them, return settings without any.

    The server looks for room before it starts; here a worker takes the place of one that has died.
    """
    folder = metrics_folder(config)
    if folder is None:
        return config
    try:
        share(folder)
    except OSError as error:
        log.error("metrics are off: %s: %s", folder, error.strerror)
        return dataclasses.replace(config, metrics="off")
    return config


def load_app() -> Flask:
    """Return the application that the environment describes, with its model loaded."""
    config = ServiceConfig.from_environment(os.environ)
    logs.configure(config.log_format)
    config = with_metrics_shared(config)
    translator = load_translator(config)
    atexit.register(translator.close)
    detector = Detector([language.code for language in translator.languages])
    detector.load()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    app = create_app(config, translator, detector)
    folder = downloads_folder(config)
    app.extensions[DOWNLOADS] = partial(start_fetching, config, folder, translator)
    # What has been loaded stays. To search it for garbage takes a tenth of a second, now and then.
    gc.collect()
    gc.freeze()
    return app


try:
    app = load_app()
except (TranslatorError, OSError) as error:  # OSError: a file that must not be read, a full disk
    log_format = os.environ.get(variable_name("log_format"), "")
    print(logs.last_line(str(error), log_format), file=sys.stderr)
    sys.exit(GUNICORN_STOPS)
