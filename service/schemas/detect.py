"""POST /detect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field, RootModel

from service.config import ServiceConfig
from service.schemas.fields import Answer, Fields, Json, string_of
from service.schemas.translate.request import check_length
from translator.errors import InputError

if TYPE_CHECKING:
    from translator.detection.detector import Detected


class DetectBody(BaseModel):
    """A text whose language is to be found."""

    q: str = Field(description="A text.", examples=["Guten Morgen!"])
    api_key: str | None = Field(default=None, description="Your key, where one is needed.")


class DetectedLanguage(Answer):
    """A language that a text may be written in."""

    confidence: float = Field(
        ge=0, le=100, description="0 to 100; 0 if nothing tells the languages apart."
    )
    language: str = Field(description="Its code.", examples=["de"])

    @classmethod
    def of(cls, detected: Detected) -> DetectedLanguage:
        """Return what a detector has found, to a tenth of a percent."""
        return cls(confidence=round(detected.confidence, 1), language=detected.language)


class DetectAnswer(RootModel[list[DetectedLanguage]]):
    """The languages that a text may be written in, best first; at least one."""


def read_detect(fields: Fields, config: ServiceConfig) -> str:
    """Return the text of a request; of an array, which some clients send, its texts together.

    Raises:
        InputError: there is no text, or it is too long.
    """
    q = fields.get("q")
    if not q:
        raise InputError("Invalid request: missing q parameter")
    if isinstance(q, list):
        text = "\n".join(string_of(f"q[{number}]", item) for number, item in enumerate(q))
    else:
        text = string_of("q", q)
    check_length(text, config)
    return text


def detected_to_json(candidates: Sequence[Detected]) -> list[Json]:
    """Return the answer of POST /detect."""
    return [DetectedLanguage.of(detected).model_dump() for detected in candidates]
