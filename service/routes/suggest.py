"""POST /suggest."""

from __future__ import annotations

import dataclasses

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import Forbidden

from service.routes.context import Context
from service.schemas.fields import read_fields
from service.schemas.suggest import Suggestion
from service.storage.suggestions import Suggestions

SWITCHED_OFF = "Suggestions are disabled on this server."
FULL = "No more suggestions are accepted: as many are kept as the operator allows"


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("suggest", __name__)
    config = context.config
    limit = config.suggestions_limit
    suggestions = Suggestions(config.database, limit) if limit else None

    @routes.post("/suggest")
    def suggest() -> Response:
        if suggestions is None:
            raise Forbidden(SWITCHED_OFF)
        wanted = Suggestion.read(read_fields(request), config)
        if not suggestions.add(**dataclasses.asdict(wanted)):
            raise Forbidden(FULL)
        return jsonify({"success": True})

    return routes
