"""What the small dialects have in common: texts, two languages, and plain answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from service.access.guard import config_of_caller
from service.routes.context import Context
from service.routes.translate import begin
from service.schemas.fields import json_type
from service.schemas.translate.answer import Outcome
from service.schemas.translate.request import TranslateRequest
from service.translation.run import translate_all
from translator.errors import InputError

TAG = "browser extensions"
ERRORS = (400, 403, 413, 429, 503, 504)


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


def translated(
    context: Context,
    texts: Sequence[Any],
    *,
    source: Any,
    target: Any,
    markup: Literal["text", "html"] = "text",
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
        TranslatorError: see `Translator.translate`.
    """
    fields = {"q": list(texts), "source": source or "auto", "target": target, "format": markup}
    wanted = TranslateRequest.read(
        fields, context.translator.languages, config_of_caller(context.config)
    )
    with context.place():
        outcome = translate_all(begin(context, wanted))
    return [done.text if done else "" for done in outcome.translations], _sources(wanted, outcome)


def _sources(wanted: TranslateRequest, outcome: Outcome) -> list[str]:
    if outcome.detected:
        return [detected.language if detected else "" for detected in outcome.detected]
    return [wanted.source for _ in wanted.texts]
