"""A run can be stopped, repeated and continued at any stage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import safetensors.torch
import torch

from tests.toyrun import RECIPE, run_until, toy_run
from training.recipe import load_recipe
from training.stages.finetune import start_from
from training.stages.preparation import StageError
from training.stages.run import Run
from translator.errors import ConfigError
from translator.model.int8 import to_int8
from translator.store.model_directory import load_model_directory

SHORT = ("training.max_steps=4", "training.checkpoint_every=2", "training.dev_sentences=3")


@pytest.fixture
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the last stage write nothing: its pictures take longer than a toy's training."""
    monkeypatch.setattr(Run, "report", lambda self: None)


def recorded(run: Run, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the names of the stages that `run` really does."""
    done: list[str] = []
    stages = run.stages()

    def recorder() -> object:
        def note(name: str) -> object:
            def stage() -> None:
                done.append(name)
                stages[name][0]()

            return stage

        return {name: (note(name), sections) for name, (_, sections) in stages.items()}

    monkeypatch.setattr(run, "stages", recorder)
    return done


@pytest.mark.usefixtures("without_pictures")
def test_finished_stages_are_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy_run(tmp_path, *SHORT).run()
    again = toy_run(tmp_path, *SHORT)
    done = recorded(again, monkeypatch)
    again.run()
    assert done == []
    changed = toy_run(tmp_path, *SHORT, "decoding.beam_size=1")
    done = recorded(changed, monkeypatch)
    changed.run()
    assert done == ["evaluate", "export", "report"]


def test_the_card_has_the_scores_of_other_models_beside(tmp_path: Path) -> None:
    once = (*SHORT, "decoding.search_again=false")
    run_until(toy_run(tmp_path, *once), "export")
    model = tmp_path / "run" / "model"
    other = model.rename(tmp_path / "other")
    beside = toy_run(tmp_path, *once, f"compare_with=['{other}']")
    for stage in ("evaluate", "export"):
        beside.run(only=stage)
    scores = json.loads((model / "card.json").read_text())["scores"]["toy.test.de-en"]
    found = scores["others"][str(other)]
    assert scores["copy"]["bleu"] < 5
    assert found["bleu"] == {
        "baseline": scores["bleu"],
        "system": scores["bleu"],
        "p_value": 1.0,
    }, "the same model"
    assert found["chrf"]["system"] == scores["chrf"]


def test_names_are_looked_up_before_any_work_and_all_mistakes_told(tmp_path: Path) -> None:
    wrong = (
        "compare_with=['/nowhere']",
        "base='/nothing'",
        "data.corpora=['toy', 'big']",
        "data.dev=['toy:val']",
    )
    with pytest.raises(ConfigError) as caught:
        toy_run(tmp_path, *wrong)
    assert caught.value.problems == (
        "data: no corpus 'big' in the catalogue; name yours with --catalogue",
        "data: toy has no part 'val'; known: train, dev, test",
        "base: no such model directory: /nothing",
        "compare_with: no such model directory: /nowhere",
    )
    assert not (tmp_path / "run" / "recipe.toml").exists()


@pytest.mark.usefixtures("without_pictures")
def test_an_interrupted_run_continues_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = toy_run(tmp_path, *SHORT)
    with monkeypatch.context() as patch:
        patch.setattr(Run, "average", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run.run()
    again = toy_run(tmp_path, *SHORT)
    done = recorded(again, monkeypatch)
    again.run()
    assert done == ["average", "evaluate", "export", "report"]
    assert (tmp_path / "run" / "model" / "weights.safetensors").is_file()


def test_the_log_has_losses_and_dev_scores(tmp_path: Path) -> None:
    run_until(toy_run(tmp_path, *SHORT), "train")
    lines = (tmp_path / "run" / "checkpoints" / "log.jsonl").read_text().splitlines()
    dev = [json.loads(line) for line in lines if json.loads(line)["kind"] == "dev"]
    assert [line["step"] for line in dev] == [2, 4]
    assert all({"loss", "bleu", "chrf"} <= line.keys() for line in dev)
    report = json.loads((tmp_path / "run" / "data" / "report.json").read_text())
    assert report["toy:train de-en"]["num_kept"] > 300


def test_cleaning_that_leaves_nothing_is_an_error(tmp_path: Path) -> None:
    run = toy_run(tmp_path, "cleaning.max_words=1")
    with pytest.raises(StageError, match="toy:train: no pairs are left after cleaning"):
        run.run(only="prepare")


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        ("subwords", r"toy\.train\.de-en\.de: missing; run `prepare` first"),
        ("average", "no checkpoints; run `train` first"),
        ("evaluate", r"average\.safetensors: missing; run `average` first"),
        ("export", r"scores\.json: missing; `training run` scores and exports"),
    ],
)
def test_a_stage_without_the_one_before_says_so(tmp_path: Path, stage: str, message: str) -> None:
    with pytest.raises(StageError, match=message):
        toy_run(tmp_path).run(only=stage)


def test_the_best_checkpoints_can_be_averaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = ("training.average_of=best", "training.average_checkpoints=1")
    run = toy_run(tmp_path, *SHORT, *settings)
    scores = iter([50.0, 10.0])
    run._score_dev = lambda weights: dict.fromkeys(("bleu", "chrf"), next(scores))  # type: ignore[method-assign]
    run_until(run, "average")
    assert "averaged 1 checkpoints: step-0000002" in capsys.readouterr().out


def test_a_run_scores_and_stores_weights_in_int8(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_until(toy_run(tmp_path, *SHORT), "evaluate")
    in_int8 = toy_run(tmp_path, *SHORT, "export.weights=int8")
    in_int8.run(only="export")
    assert "scores are of weights in floats, and int8 is stored" in capsys.readouterr().out
    in_int8.run(only="evaluate")
    in_int8.run(only="export")
    assert "scores are of" not in capsys.readouterr().out
    loaded = load_model_directory(tmp_path / "run" / "model")
    assert loaded.reference.int8 is not None
    assert {one["weights"] for one in loaded.card["scores"].values()} == {"int8"}
    averaged = safetensors.torch.load_file(tmp_path / "run" / "average.safetensors")
    for name, matrix in loaded.reference.int8.matrices.items():
        rounded = to_int8(averaged[name])
        assert torch.equal(matrix.levels, rounded.levels), name
        assert torch.equal(matrix.scales, rounded.scales), name


def test_a_run_starts_from_a_model_in_int8(tmp_path: Path) -> None:
    run_until(toy_run(tmp_path, *SHORT, "export.weights=int8"), "export")
    base = tmp_path / "run" / "model"
    stored = load_model_directory(base).model.state_dict()
    fine = tmp_path / "fine"
    fine.mkdir()
    path = fine / "toy.toml"
    text = RECIPE.replace("[data]", f"base = {str(base)!r}\n[data]", 1)
    path.write_text(text[: text.index("[model]")] + text[text.index("[training]") :])
    first = start_from(load_recipe(path, SHORT)).state_dict()
    assert all(torch.equal(first[name], tensor) for name, tensor in stored.items())
