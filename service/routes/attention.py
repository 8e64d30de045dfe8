"""POST /attention."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from service.access.callers import config_of_caller
from service.connection import patience_of
from service.routes.context import Context
from service.schemas.attention import (
    SAME_LANGUAGE,
    AttentionAnswer,
    AttentionBody,
    AttentionRequest,
    attention_to_json,
)
from service.schemas.detect import DetectedLanguage
from service.schemas.fields import read_fields
from service.specification.endpoint import JSON, Endpoint, Example, describe
from service.translation.plan import TextPlan, make_plan
from translator.errors import InputError, UnsupportedLanguageError
from translator.translate.options import TextOptions

ATTENTION = Endpoint(
    summary="What the model attends to in a sentence",
    description="The model reads the sentence and its translation once more, and keeps its "
    "attention weights. Each side has at most 1,000 characters and 100 pieces. The fields may also "
    "be in the query string, which writes `kinds` as JSON.",
    tag="translation",
    body=AttentionBody,
    answers={JSON: AttentionAnswer},
    errors=(400, 403, 413, 429, 503, 504),
    examples=(
        Example(
            summary="One head of the last layer",
            fields={
                "q": "Ja.",
                "source": "de",
                "target": "en",
                "translation": "Yes.",
                "layer": 2,
                "head": 1,
            },
            answer={
                "translatedText": "Yes.",
                "source": [
                    {"piece": "<2en>", "start": 0, "end": 0},
                    {"piece": "▁Ja", "start": 0, "end": 2},
                    {"piece": ".", "start": 2, "end": 3},
                    {"piece": "</s>", "start": 3, "end": 3},
                ],
                "target": [
                    {"piece": "<s>", "start": 0, "end": 0},
                    {"piece": "▁Yes", "start": 0, "end": 3},
                    {"piece": ".", "start": 3, "end": 4},
                ],
                "layers": {"encoder": 6, "decoder": 2, "cross": 2},
                "heads": 4,
                "maps": [
                    {
                        "kind": "cross",
                        "layer": 2,
                        "head": 1,
                        "weights": [
                            [0.004, 0.962, 0.021, 0.013],
                            [0.113, 0.042, 0.771, 0.074],
                            [0.02, 0.006, 0.03, 0.944],
                        ],
                    }
                ],
            },
        ),
    ),
    access="counted",
    takes_place=True,
    is_repeatable=True,
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("attention", __name__)

    @routes.post("/attention")
    @describe(ATTENTION)
    def attention() -> Response:
        """Translate where no translation is given, then record."""
        translator = context.translator
        attention_request = AttentionRequest.read(
            read_fields(request), translator.languages, config_of_caller(context.config)
        )
        with context.place():
            plan = make_plan(attention_request.text, translator.languages, context.detector)
            source = next(iter(plan.groups))
            if source == attention_request.text.target:
                raise InputError(SAME_LANGUAGE, "same_language")
            return jsonify(_record(context, attention_request, source, plan))

    return routes


def _record(
    context: Context, attention_request: AttentionRequest, source: str, plan: TextPlan
) -> dict[str, object]:
    from translator.translate.attention.record import record_alone  # loads PyTorch
    from translator.translate.attention.vectors import Head

    text, target, translator = (
        attention_request.text.texts[0],
        attention_request.text.target,
        context.translator,
    )
    head = None
    if attention_request.has_vectors and attention_request.layer and attention_request.head:
        head = Head(attention_request.kinds[0], attention_request.layer, attention_request.head)
    patience = patience_of(context.config, request)
    with translator.lent(source, target, patience) as loans:
        if len(loans) != 1:
            raise UnsupportedLanguageError(
                f"no single model translates {source} to {target}", "no_single_model"
            )
        aligner = loans[0].model.aligner(source)
        translation = attention_request.translation
        if not translation:
            options = TextOptions(source=source, target=target)
            [translated] = context.served.translate([text], options, patience)
            translation = translated.text
        record = record_alone(
            aligner,
            source=text,
            target=translation,
            target_language=target,
            vectors_of=head,
        )
    detection = next(iter(plan.detected), None)
    detected = DetectedLanguage.of(detection) if detection else None
    return attention_to_json(attention_request, record, translation, detected)
