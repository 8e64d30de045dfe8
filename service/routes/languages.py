"""GET /languages."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from service.routes.context import Context
from service.schemas.languages import languages_to_json


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("languages", __name__)

    @routes.get("/languages")
    def languages() -> Response:
        return jsonify(languages_to_json(context.translator.languages))

    return routes
