"""What the small dialects have in common: texts, two languages, and plain answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from flask import Request
from pydantic import BaseModel, ConfigDict

from service.access.guard import config_of_caller
from service.routes.context import Context
from service.routes.translate import begin
from service.schemas.fields import json_type, parse_object, read_fields
from service.schemas.translate.answer import Outcome
from service.schemas.translate.request import TranslateRequest
from service.translation.run import translate_all
from translator.errors import InputError
from translator.text.formats.html.rules import TagWishes

TAG = "browser extensions"
ERRORS = (400, 403, 413, 429, 503, 504)
SHARED = "/translate"
"""LibreTranslate's address, which others ask too."""


class Said(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="forbid")


def texts_of(fields: Mapping[str, Any], name: str) -> list[Any]:
    """Return a field that is an array; what is in it is checked with the rest.

    Raises:
        InputError: it is missing, empty or no array.
    """
    value = fields.get(name)
    if not value:
        raise InputError(f"Invalid request: missing {name} parameter")
    if not isinstance(value, list):
        raise InputError(f"Invalid request: {name} must be an array, got {json_type(value)}")
    return value


def is_for_others(request: Request, name: str) -> bool:
    """Whether a request to LibreTranslate's address looks like one of a dialect with this field.

    Those of LibreTranslate have `q`: a look at the bytes tells them at once from nearly all others.
    """
    if request.path != SHARED or request.method != "POST":
        return False
    body = request.get_data()
    return b'"q"' not in body and f'"{name}"'.encode() in body


def object_in_body(request: Request) -> Mapping[str, Any]:
    """Return the JSON object in a body, whatever its header says that it is.

    Raises:
        InputError: see `parse_object`.
    """
    return read_fields(request) if request.is_json else parse_object(request.get_data())


def translated(
    context: Context,
    texts: Sequence[Any],
    *,
    source: Any,
    target: Any,
    markup: Literal["text", "html", "xml"] = "text",
) -> tuple[list[str], list[str]]:
    """Translate the texts of the request in hand.

    Args:
        context: has the translator.
        texts: any values; what is no string is refused.
        source: code of their language; it is detected if it is `auto` or missing.
        target: code of the language wanted.
        markup: format of the texts.

    Returns:
        the translations, and the code of the language of each text.

    Raises:
        InputError: see `TranslateRequest.read`.
        TranslatorError: see `TextTranslator.translate`.
    """
    fields = {"q": list(texts), "source": source or "auto", "target": target}
    wanted = TranslateRequest.read(
        fields, context.translator.languages, config_of_caller(context.config)
    )
    wanted = replace(wanted, text_format=markup, tags=TagWishes() if markup == "xml" else None)
    with context.place():
        outcome = translate_all(begin(context, wanted))
    return [done.text if done else "" for done in outcome.translations], _sources(wanted, outcome)


def _sources(wanted: TranslateRequest, outcome: Outcome) -> list[str]:
    if outcome.detected:
        return [detected.language if detected else "" for detected in outcome.detected]
    return [wanted.source for _ in wanted.texts]
