"""What is being downloaded, in a file that one process writes and all workers read."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from translator.durable import write_durably

if TYPE_CHECKING:
    from collections.abc import Sequence

    from translator.translate.face import Pair

STATE, WANTED = "downloads.json", "wanted"

FAILED = "not downloaded"
"""How a line of the downloading process begins that is a warning."""


class DownloadOrder(TypedDict):
    """What the downloading process is told: see `Fetcher`; `have` are the pairs that are here."""

    folder: str
    codes: Sequence[str]
    have: Sequence[Pair]
    update: bool
    offers: bool


@dataclass(slots=True)
class Progress:
    """How far a language is.

    Attributes:
        state: `waiting`, `downloading`, `importing`, `done` or `failed`.
        done: bytes that have come.
        total: bytes of the files that are known so far.
        error: why it has failed; it is tried again.
    """

    state: Literal["waiting", "downloading", "importing", "done", "failed"] = "waiting"
    done: int = 0
    total: int = 0
    error: str = ""


@dataclass(slots=True)
class State:
    """What has been downloaded since the server started, and what is being downloaded.

    Attributes:
        languages: that are wanted, by code.
        available: all languages that could be downloaded.
        downloaded: models that have come.
        failures: models that could not be downloaded, each time counted.
        error: why nothing can be downloaded at all.
    """

    languages: dict[str, Progress] = field(default_factory=dict)
    available: list[str] = field(default_factory=list)
    downloaded: int = 0
    failures: int = 0
    error: str = ""


def read_state(folder: Path) -> State:
    """Return what the downloading process has written down last."""
    try:
        fields = json.loads((folder / STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return State()
    fields["languages"] = {
        code: Progress(**progress) for code, progress in fields["languages"].items()
    }
    return State(**fields)


def write_state(folder: Path, state: State) -> None:
    """Write it down, for whoever reads at any time."""
    write_durably(folder / STATE, json.dumps(asdict(state)).encode())


def want(folder: Path, code: str) -> None:
    """Let a language be downloaded."""
    (folder / WANTED).mkdir(parents=True, exist_ok=True)
    (folder / WANTED / code).touch()
