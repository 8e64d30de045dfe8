"""GET /health and GET /ready."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from service.fetching.state import State
from service.schemas.downloads import DownloadAnswer, downloads_to_json
from service.schemas.fields import Answer, Json

if TYPE_CHECKING:
    from translator.translate.face import ModelState


class HealthAnswer(Answer):
    """All is well."""

    status: Literal["ok"]


class ModelStateAnswer(Answer):
    """A model, and what has become of it in the worker that answers."""

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
    missing: list[str] = Field(
        description="What the server cannot reach now and translates without: `API keys`. The keys "
        "that it has seen go on being good.",
        examples=[["API keys"]],
    )


def ready_to_json(models: Iterable[ModelState], state: State, missing: list[str]) -> Json:
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
    downloads = downloads_to_json(state)
    return ReadyAnswer(
        status="ok", models=states, downloads=downloads, missing=missing
    ).model_dump()
