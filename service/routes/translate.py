"""POST /translate."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, jsonify, request

from service.access.guard import config_of_caller
from service.connection import SOCKET, raise_if_gone
from service.routes.context import Context
from service.schemas.fields import read_fields
from service.schemas.translate import TranslateRequest, TranslateResponse


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("translate", __name__)
    config, translator = context.config, context.translator

    @routes.post("/translate")
    def translate() -> Response:
        wanted = TranslateRequest.read(
            read_fields(request), translator.languages, config_of_caller(config)
        )
        with context.place():
            translations = translator.translate(
                wanted.texts,
                source=wanted.source,
                target=wanted.target,
                num_alternatives=wanted.num_alternatives,
                timeout_s=config.timeout_s or None,
                while_waiting=partial(raise_if_gone, request.environ.get(SOCKET)),
            )
        return jsonify(TranslateResponse(request=wanted, translations=translations).to_json())

    return routes
