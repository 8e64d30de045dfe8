"""The Flask application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, Response
from flask.json.provider import DefaultJSONProvider

from service.config import ServiceConfig
from service.errors import register_error_handlers
from service.routes import detect, languages, operations, page, specification, translate
from service.routes.context import Context
from translator.detection.detector import Detector

if TYPE_CHECKING:
    from translator.translate.translator import Translator

COMMON_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Max-Age": "1728000",
    "X-Content-Type-Options": "nosniff",
}


class Utf8JSONProvider(DefaultJSONProvider):
    """JSON with sorted keys and readable UTF-8.

    A lone surrogate, which UTF-8 cannot carry, is written as its escape.
    """

    ensure_ascii = False

    def dumps(self, obj: object, **kwargs: object) -> str:
        """Return `obj` as JSON text that can be encoded as UTF-8."""
        return super().dumps(obj, **kwargs).encode("utf-8", "backslashreplace").decode()


def create_app(
    config: ServiceConfig, translator: Translator, detector: Detector | None = None
) -> Flask:
    """Return the WSGI application that serves `translator` within the limits of `config`.

    Args:
        config: the settings.
        translator: translates.
        detector: tells its languages apart; a new one by default, which loads when first asked.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = config.max_body_bytes
    app.config["MAX_FORM_MEMORY_SIZE"] = config.max_form_bytes
    app.json = Utf8JSONProvider(app)
    detector = detector or Detector([language.code for language in translator.languages])
    context = Context(config, translator, detector)
    for resource in (translate, detect, languages, operations, specification, page):
        app.register_blueprint(resource.blueprint(context))
    app.after_request(_add_common_headers)
    register_error_handlers(app)
    return app


def _add_common_headers(response: Response) -> Response:
    response.headers.update(COMMON_HEADERS)
    return response
