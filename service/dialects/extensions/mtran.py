"""POST /translate/batch, and POST /translate as MTranServer is asked: with `from`, `to`, `text`.

The second is LibreTranslate's address too, and told from it by its fields: a request of
LibreTranslate has `q`. So such a request is answered before it comes to the other's handler.

Source: https://github.com/xxnuo/MTranServer/blob/main/docs/API_en.md
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel, Field

from service.dialects.extensions.asking import (
    ERRORS,
    TAG,
    Said,
    is_for_others,
    texts_of,
    translated,
)
from service.routes.context import Context
from service.schemas.fields import read_fields, truth_of
from service.specification.endpoint import JSON, Endpoint, Example, describe

NAME = "mtran"


class MTranBatchBody(BaseModel):
    """Texts to translate."""

    from_: str = Field(alias="from", description="Their language, or `auto`.", examples=["de"])
    to: str = Field(description="Language wanted.", examples=["en"])
    texts: list[str] = Field(description="The texts.", examples=[["Guten Morgen!"]])
    html: bool | None = Field(default=None, description="Whether the texts are HTML.")


class MTranBatchAnswer(Said):
    """The translations, in the order of the texts."""

    results: list[str]


BATCH = Endpoint(
    summary="Translate for clients of MTranServer",
    description="`POST /translate` is answered in this way too if it has `text`, `from` and `to` "
    "in place of `q`, `source` and `target`, as JSON: with `result` in place of `results`.",
    tag=TAG,
    body=MTranBatchBody,
    body_types=(JSON,),
    answers={JSON: MTranBatchAnswer},
    errors=ERRORS,
    examples=(
        Example(
            summary="A text",
            fields={"from": "de", "to": "en", "texts": ["Guten Morgen!"]},
            answer={"results": ["Good morning!"]},
        ),
    ),
    access="counted",
    takes_place=True,
    is_repeatable=True,
)


def blueprint(context: Context) -> Blueprint:
    """Return the address, and what looks at requests for the one that is shared."""
    routes = Blueprint(NAME, __name__)

    def answers(fields: Mapping[str, Any], texts: list[Any]) -> list[str]:
        found, _ = translated(
            context,
            texts,
            source=fields.get("from"),
            target=fields.get("to"),
            markup="html" if truth_of("html", fields.get("html")) else "text",
        )
        return found

    @routes.post("/translate/batch")
    @describe(BATCH)
    def batch() -> Response:
        fields = read_fields(request, text="texts")
        return jsonify({"results": answers(fields, texts_of(fields, "texts"))})

    @routes.before_app_request
    def one() -> Response | None:
        """Answer what has no `q`."""
        if not is_for_others(request, "to") or not request.is_json:
            return None
        fields = read_fields(request)
        if "q" in fields or not ("text" in fields and "to" in fields):
            return None
        return jsonify({"result": answers(fields, [fields["text"]])[0]})

    return routes
