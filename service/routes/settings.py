"""GET /frontend/settings."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from service.documents import FORMATS
from service.routes.context import Context
from service.schemas.settings import settings_to_json


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("settings", __name__)

    @routes.get("/frontend/settings")
    def settings() -> Response:
        return jsonify(settings_to_json(context.config, context.translator.languages, FORMATS))

    return routes
