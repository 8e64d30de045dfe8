"""GET /health and GET /ready."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class HealthAnswer(BaseModel):
    """All is well."""

    model_config = ConfigDict(extra="forbid")

    status: Literal["ok"]
