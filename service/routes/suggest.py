"""POST /suggest."""

from __future__ import annotations

import dataclasses

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import Forbidden

from service.routes.context import Context
from service.schemas.fields import read_fields
from service.schemas.suggest import SuggestAnswer, SuggestBody, Suggestion
from service.specification.endpoint import JSON, Endpoint, Example, describe
from service.storage.suggestions import Suggestions

SWITCHED_OFF = "Suggestions are disabled on this server."
FULL = "No more suggestions are accepted: as many are kept as the operator allows"

SUGGEST = Endpoint(
    summary="Suggest a better translation",
    description="It is kept for the operator, if suggestions are switched on.",
    tag="translation",
    body=SuggestBody,
    answers={JSON: SuggestAnswer},
    errors=(400, 403, 413, 429),
    examples=(
        Example(
            summary="A better translation",
            fields={"q": "Guten Morgen!", "s": "Good morning!", "source": "de", "target": "en"},
            answer={"success": True},
        ),
    ),
    access="counted",
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("suggest", __name__)
    config = context.config
    limit = config.suggestions_limit
    suggestions = Suggestions(config.database, limit) if limit else None

    @routes.post("/suggest")
    @describe(SUGGEST)
    def suggest() -> Response:
        if suggestions is None:
            raise Forbidden(SWITCHED_OFF)
        wanted = Suggestion.read(read_fields(request), config)
        if not suggestions.add(**dataclasses.asdict(wanted)):
            raise Forbidden(FULL)
        return jsonify({"success": True})

    return routes
