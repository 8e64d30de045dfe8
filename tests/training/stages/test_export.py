"""What a model directory says of itself and of how it came about."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import torch

from tests.toyrun import toy_recipe, write_corpus
from training.loop.state import TrainState
from training.report.record import RunLog
from training.stages.export import (
    absurd_loss,
    cleaning_facts,
    describe,
    model_card,
    run_facts,
    unlike_scores,
)
from translator.config import ModelConfig


def test_a_description_has_what_serving_needs(tmp_path: Path, model_config: ModelConfig) -> None:
    description = describe(toy_recipe(tmp_path, "decoding.beam_size=3"), model_config, 77)
    assert description.model == model_config
    assert description.languages == ("de", "en")
    assert description.directions == ("de-en", "en-de")
    assert (description.max_source_ids, description.decoding.beam_size) == (77, 3)


def test_facts_of_training_are_those_of_the_last_state(tmp_path: Path) -> None:
    state = TrainState(
        step=30, epoch=2, target_tokens=999, train_seconds=5400.0, dev_scores={10: 1.234, 30: 5.0}
    )
    weights = {"a": torch.zeros(3, 4), "b": torch.zeros(5)}
    facts = run_facts(tmp_path, toy_recipe(tmp_path), state, weights, "cpu")
    assert (facts["steps"], facts["epochs"], facts["target_tokens"]) == (30, 3, 999)
    assert (facts["hours"], facts["parameters"], facts["device"]) == (1.5, 17, "cpu")
    assert facts["dev_chrf"] == {"10": 1.23, "30": 5.0}


def test_only_corpora_that_lost_pairs_are_told(tmp_path: Path) -> None:
    part = {"num_read": 10, "num_kept": 8, "dropped": {"copy": 2}, "examples": {"copy": []}}
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"toy:train": part, "toy:dev": part | {"dropped": {}}}))
    assert cleaning_facts(path) == {
        "toy:train": {"num_read": 10, "num_kept": 8, "dropped": {"copy": 2}}
    }


def test_a_card_names_data_recipe_and_scores(tmp_path: Path) -> None:
    recipe, catalogue = toy_recipe(tmp_path), write_corpus(tmp_path)
    scores = {"toy.test.de-en": {"bleu": 1.0}}
    card = model_card(recipe, "name = 1", catalogue, {"c": 1}, {"steps": 3}, scores)
    assert card["data"]["toy"]["licence"] == "public domain"
    assert card["data"]["toy"]["sha256"] == {"de": None, "en": None}
    assert (card["name"], card["recipe"], card["scores"]) == ("toy", "name = 1", scores)
    assert (card["cleaning"], card["training"]) == ({"c": 1}, {"steps": 3})
    assert json.loads(json.dumps(card))["versions"]["torch"] == torch.__version__


def test_a_card_begins_with_what_may_be_done_with_the_weights(tmp_path: Path) -> None:
    catalogue = write_corpus(tmp_path)
    recipe = toy_recipe(tmp_path, "licence='for any purpose'")
    [first, *_] = model_card(recipe, "", catalogue, {}, {}, {}).items()
    assert first == ("licence", "for any purpose")
    assert "licence" not in model_card(toy_recipe(tmp_path), "", catalogue, {}, {}, {})


@pytest.mark.parametrize("loss", [381_591.0, math.nan])
def test_a_model_that_has_learned_nothing_says_so_first(tmp_path: Path, loss: float) -> None:
    lines = [{"kind": "dev", "step": step, "loss": loss} for step in (2, 4)]
    log = RunLog.parse("".join(f"{json.dumps(line)}\n" for line in lines))
    warning = absurd_loss(log, 1000)
    assert f"is {loss:,.1f}, and guessing has 6.9; " in warning
    catalogue = write_corpus(tmp_path)
    recipe = toy_recipe(tmp_path, "licence='for any purpose'")
    [first, *_] = model_card(recipe, "", catalogue, {}, {}, {}, warning).items()
    assert first == ("warning", warning)


def test_a_model_that_has_learned_little_says_nothing() -> None:
    log = RunLog.parse(json.dumps({"kind": "dev", "step": 2, "loss": 6.8}))
    assert absurd_loss(log, 1000) == absurd_loss(RunLog.parse(""), 1000) == ""


def test_int8_is_said_in_the_description(tmp_path: Path, model_config: ModelConfig) -> None:
    recipe = toy_recipe(tmp_path, "export.weights=int8")
    assert describe(recipe, model_config, 77).weights == "int8"
    assert describe(toy_recipe(tmp_path), model_config, 77).weights == "floats"


def test_scores_of_weights_that_are_stored_otherwise_are_told() -> None:
    floats, int8 = {"a": {"bleu": 1.0}}, {"a": {"bleu": 1.0, "weights": "int8"}}
    assert unlike_scores(floats, "floats") == unlike_scores(int8, "int8") == ""
    assert "scores are of weights in floats, and int8 is stored" in unlike_scores(floats, "int8")
    assert "scores are of weights in int8, and floats is stored" in unlike_scores(int8, "floats")
