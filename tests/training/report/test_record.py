"""A run is read as far as it goes; what is absent or damaged is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from training.report.record import mapping, read_record


def test_an_empty_folder_lacks_everything(tmp_path: Path) -> None:
    record = read_record(tmp_path)
    assert (record.recipe, record.card) == ({}, {})
    assert [what.split(" (")[0] for what in record.missing] == [
        *("the recipe", "the course of training", "what cleaning dropped", "test scores"),
        "the card of the exported model",
    ]


def test_what_is_there_is_read(tmp_path: Path) -> None:
    for folder in ("checkpoints", "scores", "model", "data"):
        (tmp_path / folder).mkdir()
    (tmp_path / "recipe.toml").write_text('name = "toy"\n')
    line = {"kind": "train", "step": 2, "loss": 1.0, "tokens_per_s": 10.0, "train_seconds": 3.0}
    (tmp_path / "checkpoints" / "log.jsonl").write_text(json.dumps(line) + "\n{half\n")
    (tmp_path / "scores" / "scores.json").write_text('{"a": {"bleu": 1.0}, "b": 3}')
    (tmp_path / "model" / "card.json").write_text('{"training": {"target_tokens": 7}}')
    (tmp_path / "data" / "report.json").write_text("[]")
    record = read_record(tmp_path)
    assert (record.name, record.target_tokens) == ("toy", 7)
    assert record.scores == {"a": {"bleu": 1.0}}
    assert record.missing == (
        "log.jsonl has damaged lines, left out here: 1",
        "training is not finished: what follows is how it stands",
        "dev scores: there has been no checkpoint yet",
        "what cleaning dropped (data/report.json: is not a JSON object)",
    )


def test_without_a_card_the_target_tokens_are_estimated(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    line = {"kind": "train", "step": 2, "tokens_per_s": 10.0, "train_seconds": 3.0}
    (tmp_path / "checkpoints" / "log.jsonl").write_text(json.dumps(line) + "\n")
    assert read_record(tmp_path).target_tokens == pytest.approx(30.0)


@pytest.mark.parametrize("value", [None, 3, "a", [1]])
def test_what_is_no_table_counts_as_an_empty_one(value: object) -> None:
    assert mapping(value) == {}
