"""A run can be stopped, repeated and continued at any stage."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch

from tests.disk import small_disk
from tests.toyrun import RECIPE, run_until, toy_run
from training.data.corpus import CorpusFile
from training.loop.state import CheckpointError
from training.recipe import load_recipe
from training.stages.export import start_from
from training.stages.preparation import StageError
from training.stages.run import Run, average_weights
from translator.durable import NoRoomError
from translator.errors import ConfigError
from translator.model.int8 import Int8Matrix, to_int8
from translator.store.model_directory import load_model_directory

SHORT = ("training.max_steps=4", "training.checkpoint_every=2", "training.dev_sentences=3")


def recorded(run: Run, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the names of the stages that `run` really does."""
    done: list[str] = []
    stages = run.stages()

    def recorder() -> object:
        def note(name: str) -> object:
            def stage() -> None:
                done.append(name)
                stages[name]()

            return stage

        return {name: note(name) for name in stages}

    monkeypatch.setattr(run, "stages", recorder)
    return done


def test_only_stages_that_a_changed_setting_concerns_are_done_again(
    done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = toy_run(done, *SHORT, "decoding.beam_size=1")
    again = recorded(changed, monkeypatch)
    changed.run()
    assert again == ["evaluate", "export", "report"]


def test_the_card_has_the_scores_of_a_copy_beside(done: Path) -> None:
    card = json.loads((done / "run" / "model" / "card.json").read_text())
    scores = card["scores"]["toy.test.de-en"]
    assert scores["copy"]["bleu"] < 5
    assert scores["chrf"] > 0


def test_names_are_looked_up_before_any_work_and_all_mistakes_told(tmp_path: Path) -> None:
    wrong = ("base='/nothing'", "data.corpora=['toy', 'big']", "data.dev=['toy:val']")
    with pytest.raises(ConfigError) as caught:
        toy_run(tmp_path, *wrong)
    assert caught.value.problems == (
        "data: no corpus 'big' in the catalogue; name yours with --catalogue",
        "data: toy has no part 'val'; known: train, dev, test",
        "base: no such model directory: /nothing",
    )
    assert not (tmp_path / "run" / "recipe.toml").exists()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a run that is done but for its report, whose pictures take long."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "report", write_no_report)
        toy_run(folder, *SHORT).run()
    return folder


def write_no_report(run: Run) -> None:
    (run.folder / "report").mkdir(exist_ok=True)
    (run.folder / "report" / "report.md").write_text("a report")


@pytest.fixture
def done(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of it that a test may change."""
    monkeypatch.setattr(Run, "report", write_no_report)
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_a_run_with_nothing_to_do_says_so(done: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toy_run(done, *SHORT).run()
    assert capsys.readouterr().out == (
        f"{done / 'run'}: nothing to do: all stages are done with this recipe and text\n"
    )


@pytest.mark.parametrize(
    ("path", "stages"),
    [
        ("model", ["export"]),
        ("model/weights.safetensors", ["export"]),
        ("scores/scores.json", ["evaluate"]),
        ("average.safetensors", ["average"]),
        ("data/dev/toy.dev.de-en.de", ["prepare"]),
        ("data/tokenizer.model", ["subwords"]),
        ("report", ["report"]),
    ],
)
def test_a_stage_whose_result_is_gone_is_done_again(
    done: Path, monkeypatch: pytest.MonkeyPatch, path: str, stages: list[str]
) -> None:
    gone = done / "run" / path
    if gone.is_dir():
        shutil.rmtree(gone)
    else:
        gone.unlink()
    run = toy_run(done, *SHORT)
    again = recorded(run, monkeypatch)
    run.run()
    assert again == stages
    assert gone.exists()


def edit(path: Path) -> None:
    text = path.read_text()
    path.write_text(text.replace("Hund", "Wolf", 1))


def test_text_that_has_changed_is_prepared_again(
    done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(done / "run" / "checkpoints")
    run = toy_run(done, *SHORT)
    edit(done / "raw" / "train.de")
    again = recorded(run, monkeypatch)
    run.run()
    assert again == ["prepare", "subwords", "train", "average", "evaluate", "export", "report"]
    assert "Wolf" in (done / "run" / "data" / "train" / "toy.train.de-en.de").read_text()


def test_text_that_has_changed_is_not_mixed_with_what_has_been_learned(done: Path) -> None:
    run, changed = toy_run(done, *SHORT), done / "raw" / "train.de"
    edit(changed)
    before = contents(done / "run")
    for only in (None, "prepare"):
        with pytest.raises(CheckpointError, match=f"text that has changed since: {changed}; chan"):
            run.run(only=only)
    assert contents(done / "run") == before


def test_another_file_in_the_catalogue_is_another_text(done: Path) -> None:
    run, other = toy_run(done, *SHORT), done / "raw" / "other.de"
    other.write_text((done / "raw" / "train.de").read_text())
    files = run.catalogue.corpora["toy"].files["train"]
    files["de"] = CorpusFile(path="other.de")
    run.run()  # it has the same content
    edit(other)
    with pytest.raises(CheckpointError, match=f"text that has changed since: {other}"):
        run.run()


def test_text_that_is_gone_is_not_needed_again(done: Path) -> None:
    run = toy_run(done, *SHORT)
    (done / "raw" / "train.de").unlink()
    run.run()


@pytest.mark.parametrize("stage", ["prepare", "subwords", "average", "export"])
def test_a_full_disk_is_told_with_the_file_and_goes_on_when_there_is_room(
    done: Path, stage: str
) -> None:
    run = toy_run(done, *SHORT)
    if stage == "average":  # what is equal would not be written
        (done / "run" / "average.safetensors").unlink()
    with pytest.raises(NoRoomError, match="free some space") as caught, small_disk(3000):
        run.run(only=stage)
    assert caught.value.filename.startswith(f"{done / 'run'}/")
    assert not [path for path in (done / "run").rglob("*") if path.suffix == ".tmp"]
    toy_run(done, *SHORT).run(only=stage)


def test_what_a_killed_run_has_left_is_cleaned_up(done: Path) -> None:
    (done / "run" / "checkpoints" / ".step-0000006.tmp").mkdir()
    (done / "run" / "data" / "train" / ".toy.train.de-en.de.tmp").write_text("half")
    toy_run(done, *SHORT).run()
    assert not [path for path in (done / "run").rglob("*") if path.suffix == ".tmp"]


def test_a_refused_setting_is_named_and_kept_nowhere(done: Path) -> None:
    before = contents(done / "run")
    for only in (None, "subwords"):
        with pytest.raises(
            CheckpointError, match=r"other settings: model\.d_model was 64, and is 32 now"
        ):
            toy_run(done, *SHORT, "model.d_model=32").run(only=only)
    assert contents(done / "run") == before


@pytest.mark.parametrize("content", ["", "0123456789abc", "\0" * 16])
def test_a_damaged_marker_is_told_from_one_that_differs(done: Path, content: str) -> None:
    (done / "run" / "checkpoints" / "recipe.fingerprint").write_text(content)
    toy_run(done, *SHORT).run(only="train")
    (done / "run" / "checkpoints" / "recipe.fingerprint").write_text(content)
    with pytest.raises(CheckpointError, match=r"model\.d_model was 64"):
        toy_run(done, *SHORT, "model.d_model=32").run(only="train")


def test_a_run_of_an_earlier_version_goes_on_and_notices_changes_from_then_on(
    done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (*(done / "run").glob(".*.done"), done / "run/checkpoints/recipe.fingerprint"):
        path.write_text(path.read_text()[:16])
    (done / "run" / "data" / "text.json").unlink()
    run = toy_run(done, *SHORT)
    again = recorded(run, monkeypatch)
    run.run()
    assert again == []
    again_later = toy_run(done, *SHORT)
    edit(done / "raw" / "train.de")
    with pytest.raises(CheckpointError, match="has changed since"):
        again_later.run()


def test_the_card_tells_the_sittings_and_what_each_has_changed(done: Path) -> None:
    slower = (*SHORT, "training.learning_rate=1e-4")
    toy_run(done, *slower).run(only="train")
    run = toy_run(done, *slower, "training.max_steps=5")
    for stage in ("train", "average", "evaluate", "export"):
        run.run(only=stage)
    sittings = json.loads((done / "run" / "model" / "card.json").read_text())["training"][
        "sittings"
    ]
    assert [(one["step"], one.get("changed", {})) for one in sittings] == [
        (0, {}),
        (4, {"training.learning_rate": [3e-3, 1e-4]}),
        (4, {"training.max_steps": [4, 5]}),
    ]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def test_an_interrupted_run_continues_where_it_stopped(
    done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stage in ("average", "evaluate", "export", "report"):
        (done / "run" / f".{stage}.done").unlink()
    shutil.rmtree(done / "run" / "model")
    run = toy_run(done, *SHORT)
    with monkeypatch.context() as patch:
        patch.setattr(Run, "average", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run.run()
    again = toy_run(done, *SHORT)
    stages = recorded(again, monkeypatch)
    again.run()
    assert stages == ["average", "evaluate", "export", "report"]
    assert (done / "run" / "model" / "weights.safetensors").is_file()


def test_the_log_has_losses_and_dev_scores(finished: Path) -> None:
    lines = (finished / "run" / "checkpoints" / "log.jsonl").read_text().splitlines()
    dev = [json.loads(line) for line in lines if json.loads(line)["kind"] == "dev"]
    assert [line["step"] for line in dev] == [2, 4]
    assert all({"loss", "bleu", "chrf"} <= line.keys() for line in dev)
    report = json.loads((finished / "run" / "data" / "report.json").read_text())
    assert report["toy:train de-en"]["num_kept"] > 300


def test_cleaning_that_leaves_nothing_is_an_error(tmp_path: Path) -> None:
    run = toy_run(tmp_path, "cleaning.max_words=1")
    with pytest.raises(StageError, match="toy:train: no pairs are left after cleaning"):
        run.run(only="prepare")


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        ("subwords", r"toy\.train\.de-en\.de: missing; run `prepare` first"),
        ("average", r"checkpoints/step-…: missing; run `train` first"),
        ("evaluate", r"average\.safetensors: missing; run `average` first"),
        ("export", r"scores\.json: missing; run `evaluate` first"),
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


def test_a_run_scores_and_stores_weights_in_int8_and_can_be_a_base(
    done: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_int8 = toy_run(done, *SHORT, "export.weights=int8")
    in_int8.run(only="export")
    assert "scores are of weights in floats, and int8 is stored" in capsys.readouterr().out
    in_int8.run(only="evaluate")
    in_int8.run(only="export")
    assert "scores are of" not in capsys.readouterr().out
    base = done / "run" / "model"
    loaded = load_model_directory(base)
    assert {one["weights"] for one in loaded.card["scores"].values()} == {"int8"}
    averaged = safetensors.torch.load_file(done / "run" / "average.safetensors")
    for name, array in loaded.reference.weights.arrays.items():
        if isinstance(array, Int8Matrix):
            rounded = to_int8(averaged[name].float().numpy())
            assert np.array_equal(array.levels, rounded.levels), name
            assert np.array_equal(array.scales, rounded.scales), name
    stored = loaded.model.state_dict()
    fine = done / "fine"
    fine.mkdir()
    path = fine / "toy.toml"
    text = RECIPE.replace("[data]", f"base = {str(base)!r}\n[data]", 1)
    path.write_text(text[: text.index("[model]")] + text[text.index("[training]") :])
    first = start_from(load_recipe(path, SHORT)).state_dict()
    assert all(torch.equal(first[name], tensor) for name, tensor in stored.items())


def test_weights_are_averaged_without_loss_and_left_alone() -> None:
    states = [{"w": torch.full((2,), float(v)), "b": torch.zeros(1)} for v in (1, 2, 6)]
    mean = average_weights(iter(states))
    assert mean["w"].tolist() == [3.0, 3.0]
    assert mean["w"].dtype == torch.float32
    mean["w"].fill_(9.0)
    assert states[0]["w"].tolist() == [1.0, 1.0]
    average_weights(states[:1])["w"].fill_(9.0)
    assert states[0]["w"].tolist() == [1.0, 1.0]
    values = [1e8, 1.0, -1e8, 3.0]
    mean = average_weights({"w": torch.tensor([value])} for value in values)
    assert mean["w"].item() == 1.0, "float32 would have lost the 1.0"
    with pytest.raises(ValueError, match="no checkpoints to average: train first"):
        average_weights([])


@pytest.mark.parametrize("other", [{"w": torch.ones(1)}, {"v": torch.ones(2)}, {}])
def test_different_models_are_not_averaged(other: dict[str, torch.Tensor]) -> None:
    with pytest.raises(ValueError, match="different models"):
        average_weights([{"w": torch.ones(2)}, other])
