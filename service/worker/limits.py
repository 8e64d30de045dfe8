"""What clients may take of a worker, and what they have taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from service.worker.waiting import Phase


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What clients may take of a worker.

    Attributes:
        max_connections: open at once; for one more, that which has waited longest is closed.
        max_body_bytes: of one request.
        max_held_bytes: read or unsent, of all connections; beyond, the one with most is closed.
        max_translations: in threads; the next one is refused as soon as its head is there.
        guarded: addresses a POST to which is a translation, each with what an error there says.
        timeouts_s: in each phase.
    """

    max_connections: int
    max_body_bytes: int
    max_held_bytes: int
    max_translations: int
    guarded: Mapping[str, type[BaseModel]]
    timeouts_s: Mapping[Phase, float]


@dataclass
class Counts:
    """What a worker has now and has had; the application finds it under `COUNTS` in its environ.

    Attributes:
        connections: open now.
        translations: in threads now.
        refused: translations for which there was no place.
        timed_out: requests that took too long to come.
        dropped: connections that had to make room for others.
    """

    connections: int = 0
    translations: int = 0
    refused: int = 0
    timed_out: int = 0
    dropped: int = 0
