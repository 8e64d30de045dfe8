"""A branch continues its trunk exactly, lets the rate fall to zero, and disturbs nothing."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.toyrun import RECIPE, write_corpus
from training.cli import main
from training.data.corpus import Catalogue
from training.loop.schedule import learning_rate
from training.loop.state import (
    CHECKSUM,
    STATE,
    TrainState,
    checkpoint_path,
    load_latest,
    load_state,
)
from training.loop.trainer import Trainer
from training.recipe import load_recipe
from training.stages.branch import BranchError, branch_facts, make_branch
from training.stages.run import Run
from translator.errors import ConfigError, TranslatorError
from translator.translate.translator import Translator

TRUNK = (
    *("training.schedule=wsd", "training.decay_share=0.0", "training.max_steps=8"),
    *("training.checkpoint_every=4", "training.keep_checkpoints=2", "training.dev_sentences=2"),
    *("training.ema_decay=0.9", "training.warmup_steps=2", "model.dropout=0.1"),
    *("model.d_model=32", "model.d_ff=64", "decoding.search_again=false"),
)


def run_of(recipe: Path, folder: Path, *overrides: str) -> Run:
    """Return the run of a recipe on the toy corpus beside `folder`."""
    data = folder.parent / "raw"
    data.mkdir(exist_ok=True)
    catalogue: Catalogue = write_corpus(data)
    loaded = load_recipe(recipe, overrides)
    return Run(loaded, recipe.read_text(), folder, data, "cpu", catalogue)


def train(recipe: Path, folder: Path, *overrides: str) -> TrainState:
    run_of(recipe, folder, *overrides).run(only="train")
    state, _ = load_latest(folder / "checkpoints")
    assert state is not None
    return state


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a trunk of eight steps and its recipe."""
    root = tmp_path_factory.mktemp("trunk")
    (root / "toy.toml").write_text(RECIPE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "_score_dev", flat_scores)
        for stage in ("prepare", "subwords", "train"):
            run_of(root / "toy.toml", root / "trunk", *TRUNK).run(only=stage)
    return root


def flat_scores(*_: object) -> dict[str, float]:
    """Stand for translating the dev set, which takes longer than all else here."""
    return {"bleu": 1.0, "chrf": 1.0}


@pytest.fixture(autouse=True)
def _quick_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Run, "_score_dev", flat_scores)


@pytest.fixture
def root(finished: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder which a test may change."""
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return tmp_path


def assert_same(first: Any, second: Any) -> None:
    if isinstance(first, torch.Tensor):
        assert torch.equal(first, second)
    elif isinstance(first, dict):
        assert first.keys() == second.keys()
        for key in first:
            assert_same(first[key], second[key])
    elif isinstance(first, list):
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    else:
        assert first == second


def assert_same_state(first: TrainState, second: TrainState) -> None:
    for name in ("step", "epoch", "position", "model", "optimizer", "ema", "rng", "target_tokens"):
        assert_same(getattr(first, name), getattr(second, name))


def contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_a_trunk_goes_on_as_if_there_were_no_branch(root: Path) -> None:
    longer = "training.max_steps=12"
    shutil.copytree(root / "trunk", root / "alone")
    expected = train(root / "toy.toml", root / "alone", *TRUNK, longer)
    before = contents(root / "trunk")
    make_branch(root / "trunk", root / "branch")
    assert contents(root / "trunk") == before
    train(root / "branch" / "recipe.toml", root / "branch")
    assert contents(root / "trunk") == before
    assert_same_state(train(root / "toy.toml", root / "trunk", *TRUNK, longer), expected)


def test_a_branch_does_not_notice_that_its_trunk_goes_on_or_goes_away(root: Path) -> None:
    for name in ("branch", "other"):
        make_branch(root / "trunk", root / name)
    expected = train(root / "other" / "recipe.toml", root / "other")
    shutil.rmtree(root / "trunk" / "checkpoints")
    for stage in ("prepare", "subwords"):
        run_of(
            root / "toy.toml",
            root / "trunk",
            *TRUNK,
            "cleaning.max_words=6",
            "subwords.vocab_size=300",
        ).run(only=stage)
    assert_same_state(train(root / "branch" / "recipe.toml", root / "branch"), expected)


class PowerCut(BaseException):
    """Ends everything at once."""


def test_an_interrupted_branch_continues_exactly(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("whole", "cut"):
        make_branch(root / "trunk", root / name, 0.5, overrides=["training.checkpoint_every=3"])
    whole = train(root / "whole" / "recipe.toml", root / "whole")
    step = Trainer._step

    def failing(self: Trainer, *arguments: Any) -> bool:
        if self.state.step == 14:
            raise PowerCut
        return step(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "_step", failing)
        with pytest.raises(PowerCut):
            train(root / "cut" / "recipe.toml", root / "cut")
    assert load_latest(root / "cut" / "checkpoints")[0].step == 12  # type: ignore[union-attr]
    assert whole.step == 16
    assert_same_state(train(root / "cut" / "recipe.toml", root / "cut"), whole)


def test_the_first_step_sees_the_trunks_state_and_next_batch(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Any] = {}
    step = Trainer._step

    def spy(self: Trainer, batches: Any, *arguments: Any) -> bool:
        if not seen:
            seen["model"] = copy.deepcopy(self.model.state_dict())
            seen["ema"] = copy.deepcopy(self.state.ema)
            seen["optimizer"] = copy.deepcopy(self.optimizers.state_dict())
            seen["batch"] = [(one.src, one.tgt_out) for one in batches.batches]
            seen["random"] = torch.get_rng_state()
        return step(self, batches, *arguments)

    monkeypatch.setattr(Trainer, "_step", spy)
    state = load_state(checkpoint_path(root / "trunk" / "checkpoints", 8))
    make_branch(root / "trunk", root / "branch")
    train(root / "branch" / "recipe.toml", root / "branch")
    of_branch = dict(seen)
    seen.clear()
    train(root / "toy.toml", root / "trunk", *TRUNK, "training.max_steps=9")
    assert_same(of_branch["model"], state.model)
    assert_same(of_branch["ema"], state.ema)
    assert_same(of_branch["random"], state.rng[0][0])
    assert_same(of_branch["optimizer"], state.optimizer)
    for (src, tgt), (their_src, their_tgt) in zip(of_branch["batch"], seen["batch"], strict=True):
        assert torch.equal(src, their_src)
        assert torch.equal(tgt, their_tgt)


@pytest.mark.parametrize(("share", "max_steps"), [(0.2, 10), (0.5, 16), (0.01, 9)])
def test_the_rate_falls_from_the_first_step_to_zero(
    root: Path, share: float, max_steps: int
) -> None:
    facts = make_branch(root / "trunk", root / "branch", share)
    config = load_recipe(root / "branch" / "recipe.toml").training
    assert (config.schedule, config.decay_share, config.max_steps) == ("wsd", share, max_steps)
    assert facts["max_steps"] == max_steps
    rates = [learning_rate(step, config) for step in range(8, max_steps + 2)]
    assert rates[-1] == 0.0
    assert rates == sorted(rates, reverse=True)
    if share > 0.1:
        assert rates[0] == config.learning_rate > rates[2]


def test_an_earlier_checkpoint_can_be_chosen_and_settings_changed(root: Path) -> None:
    trunk, out = root / "trunk", root / "branch"
    settings = ["training.int8_share=0.15", "training.average_checkpoints=2", 'name="milestone"']
    facts = make_branch(trunk, out, step=4, overrides=settings)
    recipe = load_recipe(out / "recipe.toml")
    assert (recipe.name, recipe.training.int8_share) == ("milestone", 0.15)
    assert (recipe.training.average_checkpoints, recipe.training.max_steps) == (2, 5)
    checksum = json.loads((trunk / "checkpoints" / "step-0000004" / CHECKSUM).read_text())[STATE]
    assert (facts["of"], facts["step"], facts["checkpoint_sha256"]) == ("toy", 4, checksum)
    log = (out / "checkpoints" / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in log] == [4]
    text = (out / "data" / "train" / "toy.train.de-en.de.ids").stat()
    assert text.st_nlink == 2, "large files are not copied"


def test_a_branch_is_run_to_a_model_that_says_where_it_comes_from(root: Path) -> None:
    make_branch(root / "trunk", root / "branch")
    run = run_of(root / "branch" / "recipe.toml", root / "branch")
    prepared = (root / "branch" / "data" / "tokenizer.model").stat().st_mtime_ns
    run.run()
    assert (root / "branch" / "data" / "tokenizer.model").stat().st_mtime_ns == prepared
    with Translator.load(root / "branch" / "model") as translator:
        assert translator.translate(["Der Hund sieht die Katze."], source="de", target="en")
        training = translator.card["training"]
    facts = branch_facts(root / "branch")
    assert training["steps"] == 10
    assert training["branch"] == {key: facts[key] for key in facts if key != "folder"}
    report = (root / "branch" / "report" / "report.md").read_text()
    assert (
        f"| branch of | toy at step 8 (checkpoint {facts['checkpoint_sha256'][:12]}…) |" in report
    )


def test_the_command_says_how_to_go_on(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trunk, out = root / "trunk", root / "branch"
    command = ["branch", str(trunk), "--out", str(out), "--decay-share", "0.5", "--step", "4"]
    assert main([*command, "--set", "training.int8_share=0.5"]) == 0
    told = capsys.readouterr().out
    assert "branch of toy at step 4; its rate falls to zero at step 8" in told
    assert f"python -m training run {out}/recipe.toml --out {out}\n" in told


def test_the_best_of_a_branch_are_its_own_checkpoints(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = load_state(checkpoint_path(root / "trunk" / "checkpoints", 8))
    best = ["training.average_of=best", "training.average_checkpoints=2"]
    make_branch(root / "trunk", root / "branch", 0.5, overrides=best)
    monkeypatch.setattr(Run, "_score_dev", lambda *_: {"bleu": 0.0, "chrf": -1.0})
    state = train(root / "branch" / "recipe.toml", root / "branch")
    assert {4, 8} <= state.dev_scores.keys(), "the trunk's scores are remembered"
    assert checkpoint.dev_scores.items() <= state.dev_scores.items()
    run_of(root / "branch" / "recipe.toml", root / "branch").run(only="average")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trunk", "--out", "trunk"], "trunk: exists already; name another folder with --out"),
        (["trunk", "--out", "b", "--step", "5"], "step 5 is not kept; there are: 4, 8"),
        (["trunk", "--out", "b", "--decay-share", "1"], "must be between 0 and 1, got 1.0"),
        (["raw", "--out", "b"], "raw: not the folder of a run that has been trained"),
        (["trunk", "--out", "b", "--set", "seed=2"], "--set: changes seed, which the trunk's"),
        (["trunk", "--out", "b", "--set", "training.max_steps=9"], "follow from --decay-share"),
        (["trunk", "--out", "b", "--set", "training.max_step=9"], "did you mean"),
        (["trunk", "--out", "b", "--set", "training.patience=1"], "a branch ends when its rate"),
        (["trunk", "--out", "b", "--set", "training.time_budget=5m"], "a branch ends by max_steps"),
    ],
)
def test_mistakes_are_one_line(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(root)
    assert main(["branch", *arguments]) == 1
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert message in lines[0]
    assert not (root / "b").exists()
    assert not (root / ".b.tmp").exists()


def rewrite_sitting(trunk: Path, **settings: object) -> None:
    path = trunk / "sittings.jsonl"
    sitting = json.loads(path.read_text().splitlines()[-1])
    sitting["recipe"]["training"] |= settings
    path.write_text(json.dumps(sitting) + "\n")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"schedule": "linear"}, 'schedule is "linear"; only a run of schedule "wsd"'),
        ({"decay_share": 0.5}, "its rate is already falling at step 8; choose an earlier"),
    ],
)
def test_a_trunk_without_a_constant_rate_is_refused(
    root: Path, settings: dict[str, object], message: str
) -> None:
    rewrite_sitting(root / "trunk", **settings)
    with pytest.raises(BranchError, match=message):
        make_branch(root / "trunk", root / "branch")


def test_a_trunk_without_a_whole_checkpoint_is_refused(root: Path) -> None:
    for step in (4, 8):
        (checkpoint_path(root / "trunk" / "checkpoints", step) / STATE).write_bytes(b"half")
    with pytest.raises(TranslatorError, match=r"no complete checkpoint; .*truncated or altered"):
        make_branch(root / "trunk", root / "branch")
    with pytest.raises(TranslatorError, match="truncated or altered"):
        make_branch(root / "trunk", root / "branch", step=4)


def test_a_branch_is_not_trained_by_the_clock(root: Path) -> None:
    make_branch(root / "trunk", root / "branch")
    with pytest.raises(ConfigError, match=r"training\.time_budget: a branch ends by max_steps"):
        run_of(root / "branch" / "recipe.toml", root / "branch", "training.time_budget=5m")


def test_a_branch_of_a_trunk_without_an_end(root: Path) -> None:
    rewrite_sitting(root / "trunk", max_steps=0)
    assert make_branch(root / "trunk", root / "branch")["max_steps"] == 10
