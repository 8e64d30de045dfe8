"""POST /suggest."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from service.config import ServiceConfig
from service.schemas.fields import Answer, Fields, string_of
from translator.errors import InputError

MAX_CODE = 20


class SuggestBody(BaseModel):
    """A better translation."""

    q: str = Field(description="The text.", examples=["Guten Morgen!"])
    s: str = Field(description="Its translation.", examples=["Good morning!"])
    source: str = Field(description="Language of the text, or `auto`.", examples=["de"])
    target: str = Field(description="Language of the translation.", examples=["en"])
    api_key: str | None = Field(default=None, description="Your key, where one is needed.")


class SuggestAnswer(Answer):
    """The suggestion is kept."""

    success: Literal[True]


def read_suggestion(fields: Fields, config: ServiceConfig) -> dict[str, str]:
    """Return the four fields of a request.

    Raises:
        InputError: one is missing, no string, or too long.
    """
    suggestion = {}
    for name in ("q", "s", "source", "target"):
        if not fields.get(name):
            raise InputError(f"Invalid request: missing {name} parameter")
        suggestion[name] = text = string_of(name, fields[name])
        limit = config.char_limit if name in ("q", "s") else MAX_CODE
        if len(text) > limit:
            raise InputError(f"Invalid request: {name} ({len(text)}) exceeds text limit ({limit})")
    return suggestion
