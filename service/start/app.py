"""The Flask application."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from flask import Flask, request
from flask.json.provider import DefaultJSONProvider

from service import extensions, openapi, page
from service.access.guard import guard
from service.config import ServiceConfig
from service.deepl import api as deepl
from service.files import routes as files
from service.http.compression import compress, refuse_compressed
from service.http.context import Context
from service.http.endpoint import endpoint_in_hand
from service.http.errors import register_error_handlers
from service.http.logs import HEADER, record_requests
from service.http.site import refuse_wrong_host
from service.libretranslate import attention
from service.libretranslate import routes as libretranslate
from service.operations import downloads
from service.operations import routes as operations
from translator import Detector

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from _typeshed import OptExcInfo

    from translator import AnyTranslator


_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": f"Authorization, Content-Type, {HEADER}",
    "Access-Control-Expose-Headers": f"Retry-After, {HEADER}",
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Max-Age": "1728000",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}

COMMON_HEADERS = {name.lower(): (name, value) for name, value in _HEADERS.items()}
"""Of every answer that has none of its own of that name, as pages have their own policy."""


class Utf8JSONProvider(DefaultJSONProvider):
    """JSON with sorted keys and readable UTF-8.

    A lone surrogate, which UTF-8 cannot carry, is written as its escape.
    """

    ensure_ascii = False

    def dumps(self, obj: object, **kwargs: object) -> str:
        """Return `obj` as JSON text that can be encoded as UTF-8."""
        return super().dumps(obj, **kwargs).encode("utf-8", "backslashreplace").decode()


def create_app(
    config: ServiceConfig, translator: AnyTranslator, detector: Detector | None = None
) -> Flask:
    """Return the WSGI application that serves `translator` within the limits of `config`.

    Without a detector of languages it makes one, which loads when it is first asked.
    """
    app = Flask("service")
    app.config[openapi.KEYS] = config.api_keys
    app.config["MAX_CONTENT_LENGTH"] = config.max_body_bytes
    app.config["MAX_FORM_MEMORY_SIZE"] = config.max_form_bytes
    app.json = Utf8JSONProvider(app)
    detector = detector or Detector([language.code for language in translator.languages])
    context = Context(config, translator, detector)
    metrics = context.metrics if config.metrics == "on" else None
    record_requests(app, metrics, logs=config.access_log == "on")

    app.after_request(compress)
    app.before_request(partial(refuse_wrong_host, config.trusted_names))
    app.before_request(refuse_compressed)

    @app.before_request
    def refuse_if_full() -> None:
        endpoint = endpoint_in_hand()
        if request.method == "POST" and endpoint is not None and endpoint.takes_slot:
            context.refuse_if_full()

    keys = guard(app, config)
    for resource in (libretranslate, attention, downloads, files):
        app.register_blueprint(resource.blueprint(context))
    app.register_blueprint(operations.blueprint(context, keys))
    app.register_blueprint(openapi.blueprint())
    app.register_blueprint(page.blueprint(context))
    if config.deepl == "on":
        app.register_blueprint(deepl.blueprint(context))
    if config.extensions == "on":
        app.register_blueprint(extensions.blueprint(context))
    register_error_handlers(app)
    app.wsgi_app = _with_common_headers(app.wsgi_app)  # type: ignore[assignment,method-assign]
    if config.url_prefix:
        app.wsgi_app = _below(config.url_prefix, app.wsgi_app)  # type: ignore[assignment,method-assign]
    return app


def _below(prefix: str, application: WSGIApplication) -> WSGIApplication:
    """Return an application whose links begin with a prefix.

    It answers with the prefix and without it, since some proxies take it off.
    """

    def answering(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == prefix or path.startswith(prefix + "/"):
            environ["PATH_INFO"] = path.removeprefix(prefix) or "/"
        environ["SCRIPT_NAME"] = prefix
        return application(environ, start_response)

    return answering


def _with_common_headers(application: WSGIApplication) -> WSGIApplication:
    """Return an application whose answers have the common headers.

    They are added to the finished list: Flask's own way checks each of them for every answer, which
    takes a tenth of the time of a short one.
    """

    def answering(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(
            status: str, headers: list[tuple[str, str]], error: OptExcInfo | None = None, /
        ) -> Callable[[bytes], object]:
            present = {name.lower() for name, _ in headers}
            common = [item for name, item in COMMON_HEADERS.items() if name not in present]
            return start_response(status, headers + common, error)

        return application(environ, start)

    return answering
