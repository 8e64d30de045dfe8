"""GET /health and GET /ready."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from service.fetching.state import State
from service.schemas.downloads import DownloadAnswer, downloads_to_json

if TYPE_CHECKING:
    from translator.translate.face import ModelState


class HealthAnswer(BaseModel):
    """All is well."""

    model_config = ConfigDict(extra="forbid")

    status: Literal["ok"]


class ModelStateAnswer(BaseModel):
    """A model, and what has become of it in the worker that answers."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="Its name.", examples=["de-en"])
    loaded: bool = Field(description="Whether it is in memory.")
    bytes: int = Field(description="Memory that it takes, or would take at most.")
    loads: int = Field(description="How often it has been loaded.")
    load_seconds: float = Field(description="How long that took the last time.")
    evictions: int = Field(description="How often it had to make room for another one.")


class ReadyAnswer(HealthAnswer):
    """All is well, and these are the models."""

    models: list[ModelStateAnswer] = Field(description="All models, in order of preference.")
    downloads: list[DownloadAnswer] = Field(description="What has been or is being downloaded.")


def ready_to_json(models: Iterable[ModelState], state: State) -> dict[str, Any]:
    """Return the answer of GET /ready."""
    states = [
        ModelStateAnswer(
            name=model.name,
            loaded=model.is_loaded,
            bytes=model.num_bytes,
            loads=model.loads,
            load_seconds=round(model.load_s, 3),
            evictions=model.evictions,
        )
        for model in models
    ]
    answer = ReadyAnswer(status="ok", models=states, downloads=downloads_to_json(state))
    return answer.model_dump()
