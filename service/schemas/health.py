"""GET /health."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class HealthAnswer(BaseModel):
    """The engine can translate."""

    model_config = ConfigDict(extra="forbid")

    status: Literal["ok"]
