"""What every error is answered with."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ErrorAnswer(BaseModel):
    """An error."""

    model_config = ConfigDict(extra="forbid")

    error: str = Field(
        description="What is wrong and what to do about it.",
        examples=["Invalid request: missing q parameter"],
    )
