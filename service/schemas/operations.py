"""GET /health and GET /ready."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from service.fetching.state import State
from translator.language_names import english_name

if TYPE_CHECKING:
    from translator.translate.models.face import ModelState


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


class DownloadAnswer(BaseModel):
    """A language whose models are downloaded."""

    model_config = ConfigDict(extra="forbid")

    code: str = Field(description="Its code.", examples=["pt"])
    name: str = Field(description="Its English name.", examples=["Portuguese"])
    state: Literal["available", "waiting", "downloading", "importing", "done", "failed"] = Field(
        description="How far it is; `available` could be downloaded."
    )
    done: int = Field(description="Bytes that have come.")
    total: int = Field(description="Bytes of the files that are known so far.")
    error: str = Field(description="Why it has failed; it is tried again.")


class ReadyAnswer(HealthAnswer):
    """All is well, and these are the models."""

    models: list[ModelStateAnswer] = Field(description="All models, in order of preference.")
    downloads: list[DownloadAnswer] = Field(description="What has been or is being downloaded.")


def downloads_to_json(state: State) -> list[DownloadAnswer]:
    """Return the languages that are wanted, by code."""
    return [
        DownloadAnswer(code=code, name=english_name(code), **asdict(one))
        for code, one in sorted(state.languages.items())
    ]


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
