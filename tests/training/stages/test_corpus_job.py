"""A corpus in parts: all lines in order, and none twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.here_workers import HereWorkers
from tests.small_models import write_model
from training.stages.corpus_job import ray_workers, translate_in_parts
from translator.config import DecodingOptions
from translator.errors import ConfigError

LINES = ["Der Hund.", "", "Die Katze.", "Das Kind."]


def test_every_line_has_its_translations(tmp_path: Path) -> None:
    text, model = tmp_path / "mono.de", write_model(tmp_path / "model", "de-en")
    text.write_bytes("".join(line + "\n" for line in LINES).encode() + b"\xff\n")
    decoding = DecodingOptions(beam_size=3, num_hypotheses=2)
    found = list(
        translate_in_parts(
            text, model, ("de", "en"), tmp_path / "parts", decoding, 1, HereWorkers()
        )
    )
    assert [entry["source"] for entry in found] == [*LINES, "\\xff"]
    assert found[1]["translations"] == [""]
    assert found[4]["translations"] == []
    assert max(len(entry["translations"]) for entry in found) == 2


def test_there_must_be_an_actor() -> None:
    pytest.importorskip("ray", reason="pip install -r requirements-bulk.txt")
    with pytest.raises(ConfigError, match="--actors: must be 1 or more, got 0"):
        ray_workers("", 0)
