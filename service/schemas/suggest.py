"""POST /suggest."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """A better translation.

    Attributes:
        q: the text.
        s: its translation.
        source: language of the text, or `auto`.
        target: language of the translation.
    """

    q: str
    s: str
    source: str
    target: str

    @classmethod
    def read(cls, fields: Fields, config: ServiceConfig) -> Suggestion:
        """Check fields.

        Raises:
            InputError: one is missing, no string, or too long.
        """
        values = {}
        for name in ("q", "s", "source", "target"):
            if not fields.get(name):
                raise InputError(f"Invalid request: missing {name} parameter")
            values[name] = text = string_of(name, fields[name])
            limit = config.char_limit if name in ("q", "s") else MAX_CODE
            if len(text) > limit:
                raise InputError(
                    f"Invalid request: {name} ({len(text)}) exceeds text limit ({limit})"
                )
        return cls(**values)
