"""Any checkpoint of a run becomes a model, is scored, and has its search chosen."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import safetensors.torch
import torch

from tests.toyrun import toy_run
from training.cli import main
from training.loop.state import checkpoint_path, load_state
from translator.translate.translator import Translator

SHORT = (
    *("training.max_steps=8", "training.checkpoint_every=4", "training.keep_checkpoints=2"),
    *("training.dev_sentences=2", "training.ema_decay=0.9", "training.warmup_steps=2"),
    *("model.d_model=32", "model.d_ff=64", "decoding.search_again=false"),
    *("decoding.max_length_factor=1.0", "decoding.max_length_offset=4"),
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that was trained, and neither averaged nor exported."""
    folder = tmp_path_factory.mktemp("toy")
    run = toy_run(folder, *SHORT)
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
