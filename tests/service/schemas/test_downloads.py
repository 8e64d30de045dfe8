"""What is said of languages that are downloaded, or could be."""

from __future__ import annotations

from service.fetching.state import Progress, State
from service.schemas.downloads import downloads_to_json, offers_to_json


def test_what_is_wanted_goes_before_what_could_be() -> None:
    state = State({"pt": Progress("downloading", 3, 9)}, ["de", "en", "fi", "pt"])
    [wanted] = downloads_to_json(state)
    assert (wanted.code, wanted.name, wanted.state, wanted.done) == (
        "pt",
        "Portuguese",
        "downloading",
        3,
    )
    found = offers_to_json(state, ["de", "en"])
    assert [(one["code"], one["state"]) for one in found] == [
        ("fi", "available"),
        ("pt", "downloading"),
    ]
