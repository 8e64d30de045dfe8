"""Small addresses for clients: languages, settings, detection, suggestions."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import Forbidden

from service.access.callers import config_of_caller
from service.documents.files import formats
from service.routes.context import Context
from service.schemas.detect import DetectAnswer, DetectBody, detected_to_json, read_detect
from service.schemas.fields import read_fields
from service.schemas.languages import LanguagesAnswer, languages_to_json
from service.schemas.settings import SettingsAnswer, settings_to_json
from service.schemas.suggest import SuggestAnswer, SuggestBody, read_suggestion
from service.specification.endpoint import JSON, Endpoint, Example, describe
from service.storage.suggestions import Suggestions
from translator.detection.sources import undetected

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

DETECT = Endpoint(
    summary="Which language a text is written in",
    description="The answer has languages of the models only, the likeliest first. A text without "
    "letters is answered with English and a confidence of 0. The fields may also be in the query "
    "string.",
    tag="translation",
    body=DetectBody,
    answers={JSON: DetectAnswer},
    errors=(400, 403, 413, 429),
    examples=(
        Example(
            summary="A sentence",
            fields={"q": "Guten Morgen!"},
            answer=[
                {"confidence": 97.1, "language": "de"},
                {"confidence": 2.9, "language": "en"},
            ],
        ),
    ),
    access="counted",
    is_repeatable=True,
)

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

SETTINGS = Endpoint(
    summary="Limits, and what is switched on",
    tag="operations",
    answers={JSON: SettingsAnswer},
)


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("resources", __name__)

    @routes.get("/languages")
    @describe(LANGUAGES)
    def languages() -> Response:
        """List the languages of the model."""
        return jsonify(languages_to_json(context.translator.languages))

    @routes.post("/detect")
    @describe(DETECT)
    def detect() -> Response:
        """Say which languages a text may be written in."""
        text = read_detect(read_fields(request), config_of_caller(context.config))
        codes = [language.code for language in context.translator.languages]
        candidates = context.detector.detect(text) or [undetected(codes)]
        return jsonify(detected_to_json(candidates))

    config = context.config
    limit = config.suggestions_limit
    suggestions = Suggestions(config.database, limit) if limit else None

    @routes.post("/suggest")
    @describe(SUGGEST)
    def suggest() -> Response:
        if suggestions is None:
            raise Forbidden(SWITCHED_OFF)
        if not suggestions.add(**read_suggestion(read_fields(request), config)):
            raise Forbidden(FULL)
        return jsonify({"success": True})

    @routes.get("/frontend/settings")
    @describe(SETTINGS)
    def settings() -> Response:
        return jsonify(settings_to_json(context.config, context.translator.languages, formats()))

    return routes
