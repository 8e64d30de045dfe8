"""GET and POST /downloads."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from service.fetching.state import State
from service.schemas.fields import Answer, Json
from translator.downloads.registry import ALL
from translator.language_names import english_name


class DownloadAnswer(Answer):
    """A language whose models are downloaded, or could be."""

    code: str = Field(description="Its code.", examples=["pt"])
    name: str = Field(description="Its English name.", examples=["Portuguese"])
    state: Literal["available", "waiting", "downloading", "importing", "done", "failed"] = Field(
        description="How far it is; `available` could be downloaded."
    )
    done: int = Field(description="Bytes that have come.")
    total: int = Field(description="Bytes of the files that are known so far.")
    error: str = Field(description="Why it has failed; it is tried again.")


class DownloadsAnswer(RootModel[list[DownloadAnswer]]):
    """Languages that are being downloaded, and others that could be."""


class DownloadBody(BaseModel):
    """A language to download."""

    model_config = ConfigDict(extra="forbid")

    language: str = Field(description="Its code.", examples=["pt"])


def downloads_to_json(state: State) -> list[DownloadAnswer]:
    """Return the languages that are wanted, by code."""
    return [
        DownloadAnswer(code=code, name=english_name(code), **asdict(progress))
        for code, progress in sorted(state.languages.items())
    ]


def offers_to_json(state: State, here: Collection[str]) -> list[Json]:
    """Return the languages that are wanted, and those that could be and are not here."""
    others = [
        DownloadAnswer(
            code=code, name=english_name(code), state="available", done=0, total=0, error=""
        )
        for code in state.available
        if code not in state.languages and code not in here
    ]
    wanted = [answer for answer in downloads_to_json(state) if answer.code != ALL]
    answers = [*wanted, *others]
    return [answer.model_dump() for answer in sorted(answers, key=lambda answer: answer.code)]
