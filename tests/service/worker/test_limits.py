"""Counts begin at zero; limits are complete when a worker starts, and stay as they are."""

from __future__ import annotations

import dataclasses

import pytest

from service.worker.limits import Counts, Limits


def test_nothing_has_been_taken_at_first() -> None:
    assert set(dataclasses.asdict(Counts()).values()) == {0}


def test_every_limit_must_be_said_and_none_changes() -> None:
    for field in dataclasses.fields(Limits):
        assert field.default is field.default_factory is dataclasses.MISSING, field.name
    limits = Limits(
        max_connections=1, max_body_bytes=2, max_held_bytes=3, max_translations=4, timeouts_s={}
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        limits.max_connections = 2  # type: ignore[misc]
