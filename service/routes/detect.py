"""POST /detect."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from service.routes.context import Context
from service.schemas.detect import detected_to_json, read_detect
from service.schemas.fields import read_fields
from service.translation.plan import undetected


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("detect", __name__)

    @routes.post("/detect")
    def detect() -> Response:
        """Say which languages a text may be written in."""
        text = read_detect(read_fields(request), context.config)
        found = context.detector.detect(text) or [undetected(context.translator.languages)]
        return jsonify(detected_to_json(found))

    return routes
