"""GET /frontend/settings."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from service.documents.files import formats
from service.routes.context import Context
from service.schemas.settings import SettingsAnswer, settings_to_json
from service.specification.endpoint import JSON, Endpoint, describe

SETTINGS = Endpoint(
    summary="Limits, and what is switched on",
    tag="operations",
    answers={JSON: SettingsAnswer},
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("settings", __name__)

    @routes.get("/frontend/settings")
    @describe(SETTINGS)
    def settings() -> Response:
        return jsonify(settings_to_json(context.config, context.translator.languages, formats()))

    return routes
