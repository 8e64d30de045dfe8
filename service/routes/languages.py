"""GET /languages."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from service.routes.context import Context
from service.schemas.languages import LanguagesAnswer, languages_to_json
from service.specification.endpoint import JSON, Endpoint, Example, describe

LANGUAGES = Endpoint(
    summary="The languages, and what each can be translated into",
    tag="translation",
    answers={JSON: LanguagesAnswer},
    examples=(
        Example(
            summary="A model of two languages",
            answer=[
                {"code": "de", "name": "German", "targets": ["de", "en"]},
                {"code": "en", "name": "English", "targets": ["de", "en"]},
            ],
        ),
    ),
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("languages", __name__)

    @routes.get("/languages")
    @describe(LANGUAGES)
    def languages() -> Response:
        """List the languages of the model."""
        return jsonify(languages_to_json(context.translator.languages))

    return routes
