"""POST /deeplx, and POST /translate as DeepLX is asked: with `text` and `target_lang`.

The second is LibreTranslate's address too, and told from it by its fields. DeepLX reads a body as
JSON whatever its header says, and many of its clients send none: so both are read here.

Source: https://github.com/OwO-Network/DeepLX
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel, Field

from service.dialects.deepl.languages import find_deepl_language
from service.dialects.extensions.asking import (
    ERRORS,
    TAG,
    Said,
    is_for_others,
    object_in_body,
    translated,
)
from service.routes.context import Context
from service.schemas.fields import string_of
from service.specification.endpoint import JSON, Endpoint, Example, describe
from translator.errors import InputError

NAME = "deeplx"
MARKUPS = ("html", "xml")


class DeepLXBody(BaseModel):
    """A text to translate."""

    text: str = Field(description="The text.", examples=["Guten Morgen!"])
    source_lang: str | None = Field(
        default=None, description="Its language, or `auto`.", examples=["DE"]
    )
    target_lang: str = Field(description="Language wanted.", examples=["EN"])
    tag_handling: Literal["html", "xml"] | None = Field(
        default=None, description="What the text is, if no plain text."
    )


class DeepLXAnswer(Said):
    """A text translated."""

    code: Literal[200]
    id: int = Field(description="Another number each time.")
    data: str = Field(description="The translation.", examples=["Good morning!"])
    alternatives: list[str] = Field(description="Always empty.")
    source_lang: str = Field(description="Language of the text.", examples=["DE"])
    target_lang: str = Field(description="Language of the translation.", examples=["EN"])
    method: Literal["Free"]


DEEPLX = Endpoint(
    summary="Translate for clients of DeepLX",
    description="`POST /translate` is answered in this way too if it has `text` and `target_lang` "
    "in place of `q` and `target`. The body is read as JSON whatever its Content-Type is.",
    tag=TAG,
    body=DeepLXBody,
    body_types=(JSON,),
    answers={JSON: DeepLXAnswer},
    errors=ERRORS,
    examples=(
        Example(
            summary="A text",
            fields={"text": "Guten Morgen!", "source_lang": "DE", "target_lang": "EN"},
            answer={
                "code": 200,
                "id": 8356681003,
                "data": "Good morning!",
                "alternatives": [],
                "source_lang": "DE",
                "target_lang": "EN",
                "method": "Free",
            },
        ),
    ),
    access="counted",
    takes_place=True,
    is_repeatable=True,
)


def blueprint(context: Context) -> Blueprint:
    """Return the address, and what looks at requests for the one that is shared."""
    routes = Blueprint(NAME, __name__)

    def code_of(fields: Mapping[str, Any], name: str) -> str:
        """Return the model's code for one of DeepL's; any other one as it is, to be refused."""
        code = string_of(name, fields.get(name) or "")
        found = find_deepl_language(code, context.translator.languages)
        return found.code if found else code

    def answer(fields: Mapping[str, Any]) -> Response:
        text = string_of("text", fields.get("text"))
        target = code_of(fields, "target_lang")
        markup = fields.get("tag_handling") or None
        if markup is not None and markup not in MARKUPS:
            raise InputError("Invalid tag_handling value. Allowed values are 'html' and 'xml'.")
        [done], [source] = translated(
            context,
            [text],
            source=code_of(fields, "source_lang"),
            target=target,
            markup=markup or "text",
        )
        return jsonify(
            code=200,
            id=secrets.randbelow(10**10),
            data=done,
            alternatives=[],
            source_lang=source.upper(),
            target_lang=target.upper(),
            method="Free",
        )

    @routes.post("/deeplx")
    @describe(DEEPLX)
    def deeplx() -> Response:
        return answer(object_in_body(request))

    @routes.before_app_request
    def one() -> Response | None:
        """Answer what has no `q`."""
        if not is_for_others(request, "target_lang"):
            return None
        if not request.get_data().lstrip().startswith(b"{"):
            return None
        fields = object_in_body(request)
        if "q" in fields or "text" not in fields:
            return None
        return answer(fields)

    return routes
