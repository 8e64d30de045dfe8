"""What every error is answered with."""

from __future__ import annotations

from pydantic import Field

from service.schemas.detect import DetectedLanguage
from service.schemas.fields import Answer


class ErrorAnswer(Answer):
    """An error."""

    error: str = Field(
        description="What is wrong and what to do about it.",
        examples=["Invalid request: missing q parameter"],
    )
    code: str = Field(
        description="What kind of error it is: a word for programs, which stays the same.",
        examples=["text_too_long"],
    )
    limit: int = Field(
        default=0,
        description="What is allowed, where more was asked for: characters of a text, or pieces of "
        "a sentence.",
        examples=[50_000],
    )
    detectedLanguage: DetectedLanguage | None = Field(
        default=None,
        description="With `source: auto`: the language of the text, if no model reads it.",
        examples=[{"confidence": 98.4, "language": "it"}],
    )
