"""What every error is answered with, and its code: a word for programs, which stays the same."""

from __future__ import annotations

from pydantic import Field

from service.schemas.detect import DetectedLanguage
from service.schemas.fields import Answer

BY_STATUS = {
    400: "invalid",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow_request",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    431: "too_large_head",
    499: "client_gone",
    500: "failed",
    503: "busy",
    504: "too_slow",
}
"""What an error is called that its status says all of."""

KEY_REQUIRED, INVALID_KEY, BANNED = "key_required", "invalid_key", "banned"
STOPPED, NOT_READY, MODEL_CHANGED = "stopped", "not_ready", "model_changed"


def code_of_status(status: int) -> str:
    """Return what an error is called of which nothing but its status is known."""
    return BY_STATUS.get(status, f"status_{status}")


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
