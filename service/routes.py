"""The service's addresses: each handler reads a request, calls the translator, answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, make_response, render_template, request

from service.config import ServiceConfig
from service.connection import SOCKET, raise_if_gone
from service.schemas import TranslateRequest, TranslateResponse, languages_to_json, read_fields
from translator.errors import EngineClosedError, EngineOverloadedError

if TYPE_CHECKING:
    from translator.translate.translator import Translator

PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


class Routes:
    """The handlers and what they share."""

    def __init__(self, config: ServiceConfig, translator: Translator) -> None:
        """Serve `translator` within the limits of `config`."""
        self.config = config
        self.translator = translator
        self._slots = threading.BoundedSemaphore(config.concurrency_limit)

    def blueprint(self) -> Blueprint:
        """Return the table of addresses."""
        blueprint = Blueprint("routes", __name__)
        blueprint.get("/")(self.page)
        blueprint.post("/translate")(self.translate)
        blueprint.get("/languages")(self.languages)
        blueprint.get("/health")(self.health)
        return blueprint

    def translate(self) -> Response:
        """POST /translate."""
        wanted = TranslateRequest.read(read_fields(request), self.translator.languages, self.config)
        with self._slot():
            translations = self.translator.translate(
                wanted.texts,
                source=wanted.source,
                target=wanted.target,
                num_alternatives=wanted.num_alternatives,
                timeout_s=self.config.timeout_s or None,
                while_waiting=partial(raise_if_gone, request.environ.get(SOCKET)),
            )
        return jsonify(TranslateResponse(request=wanted, translations=translations).to_json())

    def languages(self) -> Response:
        """GET /languages."""
        return jsonify(languages_to_json(self.translator.languages))

    def health(self) -> Response:
        """GET /health: whether the engine can still translate."""
        if not self.translator.is_alive:
            raise EngineClosedError("the translation engine has stopped; restart the server")
        return jsonify({"status": "ok"})

    def page(self) -> Response:
        """GET /: a page for people."""
        languages = self.translator.languages
        source = languages[0]
        others = [code for code in source.targets if code != source.code]
        page = make_response(
            render_template(
                "page.html",
                languages=languages,
                source=source.code,
                target=others[0] if others else source.code,
                char_limit=self.config.char_limit,
            )
        )
        page.headers["Content-Security-Policy"] = PAGE_POLICY
        page.headers["Referrer-Policy"] = "no-referrer"
        return page

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """Hold one of the places for running translations, or refuse at once if there is none."""
        if not self._slots.acquire(blocking=False):
            raise EngineOverloadedError(
                f"the server is already busy with {self.config.concurrency_limit} translations; "
                "try again in a moment"
            )
        try:
            yield
        finally:
            self._slots.release()
