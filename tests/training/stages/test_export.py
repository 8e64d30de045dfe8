"""From a run, or a checkpoint of one, to a model directory, which another run may start from."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
import safetensors.torch
import torch

from tests.toyrun import run_until, toy_recipe, toy_run, write_corpus
from training.cli import main
from training.loop.state import TrainState, checkpoint_path, load_latest, load_state
from training.report.record import RunLog
from training.stages.export import (
    absurd_loss,
    cleaning_facts,
    describe,
    model_card,
    run_facts,
    start_from,
    unlike_scores,
)
from training.stages.preparation import StageError
from translator.config import DecodingOptions, ModelConfig
from translator.errors import ConfigError
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel, load_model_directory, save_model_directory


def test_a_description_has_what_serving_needs(tmp_path: Path, model_config: ModelConfig) -> None:
    description = describe(toy_recipe(tmp_path, "decoding.beam_size=3"), model_config, 77)
    assert description.model == model_config
    assert description.languages == ("de", "en")
    assert description.directions == ("de-en", "en-de")
    assert (description.max_source_ids, description.decoding.beam_size) == (77, 3)
    assert description.weights == "floats"
    recipe = toy_recipe(tmp_path, "export.weights=int8")
    assert describe(recipe, model_config, 77).weights == "int8"


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


def test_scores_of_weights_that_are_stored_otherwise_are_told() -> None:
    floats, int8 = {"a": {"bleu": 1.0}}, {"a": {"bleu": 1.0, "weights": "int8"}}
    assert unlike_scores(floats, "floats") == unlike_scores(int8, "int8") == ""
    assert "scores are of weights in floats, and int8 is stored" in unlike_scores(floats, "int8")
    assert "scores are of weights in int8, and floats is stored" in unlike_scores(int8, "floats")


SHORT = ("training.max_steps=2", "training.checkpoint_every=2", "training.dev_sentences=2")
SIZES = (
    *("model.d_model=32", "model.d_ff=64", "model.num_decoder_layers=2", "model.dropout=0.0"),
    "subwords.vocab_size=330",
)


@pytest.fixture
def base(tmp_path: Path, loaded: LoadedModel) -> Path:
    path = tmp_path / "base"
    weights = loaded.model.state_dict()
    card = {"name": "first", "training": {"target_tokens": 7}}
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, card)
    return path


def test_weights_and_sizes_come_from_the_base(
    tmp_path: Path, base: Path, loaded: LoadedModel
) -> None:
    recipe = toy_recipe(tmp_path, f"base='{base}'", *SIZES, "model.attention_dropout=0.25")
    model = start_from(recipe)
    assert model.config == replace(loaded.model.config, attention_dropout=0.25)
    for name, tensor in loaded.model.state_dict().items():
        torch.testing.assert_close(model.state_dict()[name], tensor, atol=1e-3, rtol=1e-3)


def test_a_value_that_equals_the_default_counts_as_given(tmp_path: Path, base: Path) -> None:
    given = ("model.dropout=0.3", "model.d_model=256")  # what a model has whose recipe is silent
    with pytest.raises(ConfigError, match=r"model\.d_model: .*base has 32, the recipe 256"):
        start_from(toy_recipe(tmp_path, f"base='{base}'", *SIZES, *given))
    model = start_from(toy_recipe(tmp_path, f"base='{base}'", *SIZES, "model.dropout=0.3"))
    assert model.config.dropout == 0.3


def test_a_whole_run_keeps_the_vocabulary(tmp_path: Path, base: Path, loaded: LoadedModel) -> None:
    run_until(toy_run(tmp_path, f"base='{base}'", *SIZES, *SHORT), "export")
    model = load_model_directory(tmp_path / "run" / "model")
    assert model.tokenizer.files == loaded.tokenizer.files
    assert model.card["training"]["base"] == {"name": "first", "training": {"target_tokens": 7}}
    state, _ = load_latest(tmp_path / "run" / "checkpoints")
    assert state is not None
    moved = state.model["embedding.weight"] - loaded.model.state_dict()["embedding.weight"]
    assert 0 < moved.abs().max() < 0.05, "two steps from the base, not from random weights"


def test_other_sizes_are_refused_before_any_work(tmp_path: Path, base: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.d_ff: .*base has 64, the recipe 128; leave"):
        toy_run(tmp_path, f"base='{base}'", *SIZES, "model.d_ff=128")


def test_another_vocabulary_is_refused_before_any_work(tmp_path: Path, base: Path) -> None:
    others = ("subwords.vocab_size=400", "subwords.placeholders=8", "subwords.algorithm=bpe")
    with pytest.raises(ConfigError) as caught:
        toy_run(tmp_path, f"base='{base}'", *SIZES, *others)
    own = f"the vocabulary is that of {base}"
    assert sorted(caught.value.problems) == [
        f"subwords.algorithm: {own}",
        f"subwords.placeholders: {own}, which has 0, the recipe 8; leave it out",
        f"subwords.vocab_size: {own}, which has 330, the recipe 400; leave it out",
    ]


def test_the_search_is_that_of_the_base_but_for_what_the_recipe_says(
    tmp_path: Path, loaded: LoadedModel
) -> None:
    own = DecodingOptions(beam_size=7, alpha=0.3, search_again=False)
    description, weights = replace(loaded.description, decoding=own), loaded.model.state_dict()
    save_model_directory(tmp_path / "base", description, loaded.tokenizer, weights, {})
    recipe = toy_recipe(tmp_path, f"base='{tmp_path / 'base'}'", *SIZES)
    assert recipe.decoding == replace(own, beam_size=2), "the toy recipe has a beam of 2"
    recipe = toy_recipe(tmp_path, f"base='{tmp_path / 'base'}'", *SIZES, "decoding.alpha=1.0")
    assert recipe.decoding == replace(own, beam_size=2, alpha=1.0)


def test_a_base_without_placeholders_cannot_learn_marks(tmp_path: Path, base: Path) -> None:
    run = toy_run(tmp_path, f"base='{base}'", *SIZES, *SHORT, "subwords.marked_share=0.1")
    with pytest.raises(StageError, match=r"marked_share: takes two placeholders, there are 0"):
        run.run()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (("base_share=0.5",), "has a base"),
        (("base='{base}'", "base_share=1.0"), r"in \[0, 1\)"),
    ],
)
def test_changes_that_cannot_be_made(
    tmp_path: Path, base: Path, settings: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        toy_recipe(tmp_path, *(setting.format(base=base) for setting in settings))


def test_the_base_has_its_share_in_what_is_exported(
    tmp_path: Path, base: Path, loaded: LoadedModel
) -> None:
    faster = "training.learning_rate=0.1", "training.warmup_steps=1", "base_share=0.25"
    run_until(toy_run(tmp_path, f"base='{base}'", *SIZES, *SHORT, *faster), "export")
    state, _ = load_latest(tmp_path / "run" / "checkpoints")
    assert state is not None
    name = "encoder_layers.0.feed_forward.inner_proj.weight"
    first = load_model_directory(base).model.state_dict()[name]
    expected = 0.75 * state.weights[name] + 0.25 * first
    found = load_model_directory(tmp_path / "run" / "model").model.state_dict()[name]
    torch.testing.assert_close(found, expected, atol=1e-3, rtol=1e-3)
    assert (found - state.weights[name]).abs().max() > 5 * (found - expected).abs().max()


EIGHT_STEPS = (
    *("training.max_steps=8", "training.checkpoint_every=4", "training.keep_checkpoints=2"),
    *("training.dev_sentences=2", "training.ema_decay=0.9", "training.warmup_steps=2"),
    *("model.d_model=32", "model.d_ff=64", "decoding.search_again=false"),
    *("decoding.max_length_factor=1.0", "decoding.max_length_offset=4"),
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that was trained, and neither averaged nor exported."""
    folder = tmp_path_factory.mktemp("toy")
    run = toy_run(folder, *EIGHT_STEPS)
    for stage in ("prepare", "subwords", "train"):
        run.run(only=stage)
    return folder / "run"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("flags", "step"), [([], 8), (["--step", "4"], 4)])
def test_a_checkpoint_becomes_a_model_and_the_run_stays_as_it_is(
    trained: Path, tmp_path: Path, flags: list[str], step: int
) -> None:
    before = contents(trained)
    assert main(["snapshot", str(trained), "--out", str(tmp_path / "model"), *flags]) == 0
    assert contents(trained) == before
    state = load_state(checkpoint_path(trained / "checkpoints", step))
    weights = safetensors.torch.load_file(tmp_path / "model" / "weights.safetensors")
    assert weights.keys() == state.ema.keys()
    assert all(torch.equal(weights[name], state.ema[name].half()) for name in weights)
    card = json.loads((tmp_path / "model" / "card.json").read_text())
    assert (card["checkpoint"], card["training"]["steps"], card["scores"]) == (step, step, {})
    assert card["data"]["toy"]["licence"] == "public domain"
    with Translator.load(tmp_path / "model") as translator:
        assert translator.description.languages == ("de", "en")
        assert translator.description.max_source_ids > 4


def test_a_run_is_scored_on_its_development_set(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["evaluate", str(trained), "--device", "cpu"]
    assert main([*command, "--step", "4", "--write-hypotheses", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert f"{trained} at step 4: " in told
    assert told.count("toy:dev de-en\nBLEU") == told.count("toy:dev en-de\nBLEU") == 1
    for direction, sides in (("de-en", ("de", "en")), ("en-de", ("en", "de"))):
        files = {
            kind: (tmp_path / f"toy.dev.{direction}.{kind}.txt").read_text().splitlines()
            for kind in ("source", "hypotheses", "reference")
        }
        raw = [(trained.parent / "raw" / f"dev.{side}").read_text().splitlines() for side in sides]
        assert [files["source"], files["reference"]] == raw
        assert len(files["hypotheses"]) == len(raw[0])


def test_searches_are_compared_in_one_table(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["evaluate", str(trained), "--device", "cpu", "--beam-sizes", "1", "2"]
    assert main([*command, "--alphas", "0.5", "1.0"]) == 0
    first, head, _, *rows, last = capsys.readouterr().out.splitlines()
    assert "at step 8, means of toy:dev de-en, toy:dev en-de" in first
    assert head == "| beam_size | alpha | BLEU | chrF | length ratio | seconds |"
    # greedy search does not compare lengths, so it is tried once
    assert [row.split()[1:4:2] for row in rows] == [["1", "1.0"], ["2", "0.5"], ["2", "1.0"]]
    assert re.fullmatch(r"highest BLEU: \[decoding\] beam_size = \d, alpha = \d\.\d", last)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["RUN", "--step", "5"], "step 5 is not kept; there are: 4, 8"),
        (["RUN", "--alphas", "1", "--input", "A", "--reference", "A"], "spoils its scores"),
        (["RUN", "--beam-sizes", "4", "--compare", "A"], "print one table"),
        (["RUN", "--beam-sizes", "0"], "beam_size: must be in 1..64, got 0"),
        (["RUN", "--output", "A"], "give --input and --reference as well"),
        (["RUN", "--input", "A"], "give both, or neither with the folder of a run"),
        (["MODEL", "--beam-sizes", "4", "--input", "A", "--reference", "A"], "folder of a run"),
        (["MODEL"], "give --input and --reference to score a model on"),
        (["MODEL", "--step", "4", "--input", "A", "--reference", "A"], "is not the folder of a"),
    ],
)
def test_what_does_not_fit_is_told_in_one_line(
    trained: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    message: str,
) -> None:
    (tmp_path / "a.de").write_text("a\n")
    named = {"RUN": str(trained), "MODEL": str(tmp_path), "A": str(tmp_path / "a.de")}
    assert main(["evaluate", *(named.get(flag, flag) for flag in flags)]) == 1
    [line] = capsys.readouterr().err.strip().splitlines()
    assert message in line


def test_a_folder_without_a_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["snapshot", str(tmp_path), "--out", str(tmp_path / "model")]) == 1
    assert "not the folder of a run that has been trained" in capsys.readouterr().err
