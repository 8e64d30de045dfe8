"""POST /detect."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from service.access.guard import config_of_caller
from service.routes.context import Context
from service.schemas.detect import DetectAnswer, DetectBody, detected_to_json, read_detect
from service.schemas.fields import read_fields
from service.specification.endpoint import JSON, Endpoint, Example, describe
from translator.detection.sources import undetected

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


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("detect", __name__)

    @routes.post("/detect")
    @describe(DETECT)
    def detect() -> Response:
        """Say which languages a text may be written in."""
        text = read_detect(read_fields(request), config_of_caller(context.config))
        codes = [language.code for language in context.translator.languages]
        found = context.detector.detect(text) or [undetected(codes)]
        return jsonify(detected_to_json(found))

    return routes
