"""Descriptions of addresses."""

from __future__ import annotations

from service.schemas.operations import HealthAnswer
from service.specification.endpoint import JSON, Endpoint, describe, description_of

ENDPOINT = Endpoint(summary="Something", tag="about", answers={JSON: HealthAnswer})


def test_a_handler_keeps_its_description_and_works_as_before() -> None:
    @describe(ENDPOINT)
    def view(name: str) -> str:
        return name.upper()

    assert description_of(view) is ENDPOINT
    assert view("a") == "A"


def test_a_handler_without_one() -> None:
    assert description_of(len) is None
    assert description_of(lambda: "") is None
