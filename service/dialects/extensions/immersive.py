"""POST /imme: the custom service of Immersive Translate.

Source: https://immersivetranslate.com/en/docs/services/custom/
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel, Field

from service.dialects.extensions.asking import ERRORS, TAG, Said, texts_of, translated
from service.routes.context import Context
from service.schemas.fields import read_fields
from service.specification.endpoint import JSON, Endpoint, Example, describe

NAME = "immersive"


class ImmersiveBody(BaseModel):
    """What Immersive Translate sends."""

    source_lang: str | None = Field(
        default=None, description="Language of the texts, or `auto`.", examples=["auto"]
    )
    target_lang: str = Field(description="Language wanted.", examples=["en"])
    text_list: list[str] = Field(description="The texts.", examples=[["Guten Morgen!"]])


class ImmersiveTranslation(Said):
    """A text translated."""

    detected_source_lang: str = Field(description="Its language.", examples=["de"])
    text: str = Field(description="The translation.", examples=["Good morning!"])


class ImmersiveAnswer(Said):
    """The translations, in the order of the texts."""

    translations: list[ImmersiveTranslation]


IMMERSIVE = Endpoint(
    summary="Translate for Immersive Translate",
    tag=TAG,
    body=ImmersiveBody,
    body_types=(JSON,),
    answers={JSON: ImmersiveAnswer},
    errors=ERRORS,
    examples=(
        Example(
            summary="A text",
            fields={"source_lang": "auto", "target_lang": "en", "text_list": ["Guten Morgen!"]},
            answer={"translations": [{"detected_source_lang": "de", "text": "Good morning!"}]},
        ),
    ),
    access="counted",
    takes_place=True,
    is_repeatable=True,
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint(NAME, __name__)

    @routes.post("/imme")
    @describe(IMMERSIVE)
    def immersive() -> Response:
        fields = read_fields(request, text="text_list")
        texts, sources = translated(
            context,
            texts_of(fields, "text_list"),
            source=fields.get("source_lang"),
            target=fields.get("target_lang"),
        )
        pairs = zip(sources, texts, strict=True)
        return jsonify(
            {"translations": [{"detected_source_lang": one, "text": text} for one, text in pairs]}
        )

    return routes
