"""POST /kiss: the custom interface of KISS Translator, for one text or several.

Source: https://github.com/fishjar/kiss-translator/blob/master/custom-api_v2.md
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel, Field

from service.dialects.extensions.asking import ERRORS, TAG, Said, texts_of, translated
from service.routes.context import Context
from service.schemas.fields import read_fields
from service.specification.endpoint import JSON, Endpoint, Example, describe
from translator.errors import InputError

NAME = "kiss"


class KissBody(BaseModel):
    """What KISS Translator sends: `text` or `texts`."""

    text: str | None = Field(default=None, description="A text.", examples=["Guten Morgen!"])
    texts: list[str] | None = Field(default=None, description="Several texts in its place.")
    from_: str | None = Field(
        alias="from", default=None, description="Their language, or `auto`.", examples=["auto"]
    )
    to: str = Field(description="Language wanted.", examples=["en"])


class KissTranslation(Said):
    """A text translated."""

    text: str = Field(description="The translation.", examples=["Good morning!"])
    src: str = Field(description="Language of the text.", examples=["de"])


class KissAnswer(Said):
    """The translation of `text`, or those of `texts` in order."""

    text: str = Field(default="", description="The translation.", examples=["Good morning!"])
    src: str = Field(default="", description="Language of the text.", examples=["de"])
    translations: list[KissTranslation] = Field(default_factory=list)


KISS = Endpoint(
    summary="Translate for KISS Translator",
    tag=TAG,
    body=KissBody,
    body_types=(JSON,),
    answers={JSON: KissAnswer},
    errors=ERRORS,
    examples=(
        Example(
            summary="A text",
            fields={"text": "Guten Morgen!", "from": "auto", "to": "en"},
            answer={"text": "Good morning!", "src": "de"},
        ),
    ),
    access="counted",
    takes_place=True,
    is_repeatable=True,
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint(NAME, __name__)

    @routes.post("/kiss")
    @describe(KISS)
    def kiss() -> Response:
        fields = read_fields(request, text="text")
        is_batch = fields.get("texts") is not None
        if not is_batch and not fields.get("text"):
            raise InputError("Invalid request: missing text parameter")
        texts = texts_of(fields, "texts") if is_batch else [fields["text"]]
        done, sources = translated(
            context, texts, source=fields.get("from"), target=fields.get("to")
        )
        said = [{"text": text, "src": src} for text, src in zip(done, sources, strict=True)]
        return jsonify({"translations": said} if is_batch else said[0])

    return routes
