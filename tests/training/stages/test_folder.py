"""What a run's folder says of the recipe and the text that it was made with."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.disk import FragileDisk
from tests.toyrun import toy_recipe, toy_run
from training.loop.state import checkpoint_path, load_state
from training.loop.trainer import Trainer
from training.stages.folder import RunHeldError, agree, held, read_marker, read_sittings, recipe_of
from training.stages.run import Run

HOLD = """
import subprocess, sys
from pathlib import Path
from training.stages.folder import held
with held(Path(sys.argv[1]), "run"):
    print("held", flush=True)
    sys.stdin.readline()
    child = "import sys; from pathlib import Path; from training.stages.folder import held\\n"
    child += "with held(Path(sys.argv[1]), 'train'): print('child', flush=True)"
    subprocess.run([sys.executable, "-c", child, sys.argv[1]], check=True)
    sys.stdin.readline()
"""
SHORT = ("training.max_steps=4", "training.checkpoint_every=2", "training.dev_sentences=2")


@pytest.mark.slow
def test_a_second_process_is_told_who_has_the_folder_until_that_one_dies(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    told = f"{tmp_path}: process {holder.pid} on {socket.gethostname()}, with `run` since 2.*, is"
    with pytest.raises(RunHeldError, match=told), held(tmp_path, "train"):
        pass
    holder.stdin.write("\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "child\n", "its own processes may work there"
    os.kill(holder.pid, signal.SIGKILL)
    holder.communicate()
    with held(tmp_path, "train"):  # what is left of it is no living lock
        assert f'"pid": {os.getpid()}' in (tmp_path / ".lock").read_text()


def test_a_run_that_is_held_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr("fcntl.lockf", refuse)
    with pytest.raises(RunHeldError, match="another process is at work here"):
        toy_run(tmp_path, *SHORT).run()
    assert [path.name for path in (tmp_path / "run").iterdir()] == [".lock"]


@pytest.mark.parametrize(
    ("known", "fingerprint", "agrees"),
    [
        ("a" * 16, "a" * 16 + "-" + "b" * 16, True),
        ("a" * 16 + "-" + "b" * 16, "a" * 16 + "-" + "b" * 16, True),
        ("a" * 16 + "-" + "c" * 16, "a" * 16 + "-" + "b" * 16, False),
        ("c" * 16, "a" * 16 + "-" + "b" * 16, False),
        ("", "a" * 16, False),
    ],
)
def test_fingerprints_agree_in_what_both_have(known: str, fingerprint: str, agrees: bool) -> None:
    assert agree(known, fingerprint) is agrees


@pytest.mark.parametrize("content", [b"", b"0123", b"\xff" * 16, b"0" * 16 + b"\n"])
def test_a_damaged_marker_says_nothing(tmp_path: Path, content: bytes) -> None:
    assert read_marker(tmp_path / "marker") == ""
    (tmp_path / "marker").write_bytes(content)
    assert read_marker(tmp_path / "marker") == ""


def test_a_sitting_that_is_killed_as_it_begins_goes_on_to_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call that touches the disk before the first step may be the last one."""
    monkeypatch.setattr(Run, "_score_dev", lambda *_: {"bleu": 1.0, "chrf": 1.0})
    for stage in ("prepare", "subwords", "train"):
        toy_run(tmp_path, *SHORT).run(only=stage)
    checkpoints = tmp_path / "run" / "checkpoints"
    whole = load_state(checkpoint_path(checkpoints, 4))
    shutil.rmtree(checkpoint_path(checkpoints, 4))
    begun = tmp_path / "begun"
    shutil.copytree(tmp_path / "run", begun)

    def sit(disk: FragileDisk | None, changed: str = "") -> None:
        settings = *SHORT, *([changed] if changed else [])
        run = toy_run(tmp_path, *settings)
        if disk is None:
            run.run(only="train")
            return
        with monkeypatch.context() as patch, disk.spun_up():
            patch.setattr(Trainer, "train", lambda self: None)
            run.run(only="train")

    other = "training.average_checkpoints=2"  # changes what the sitting notes, and no weights
    counted = FragileDisk()
    sit(counted, other)
    assert {"write", "fsync", "replace", "unlink"} <= {*counted.calls}
    for number, call in enumerate(counted.calls):
        shutil.rmtree(tmp_path / "run")
        shutil.copytree(begun, tmp_path / "run")
        sit(FragileDisk(number), other)
        assert read_marker(checkpoints / "recipe.fingerprint") != "", call
        assert 1 <= len(read_sittings(tmp_path / "run")) <= 2, call
        if number % 6:
            continue
        sit(None)
        state = load_state(checkpoint_path(checkpoints, 4))
        assert all(torch.equal(state.model[name], one) for name, one in whole.model.items()), call
        assert not [path for path in (tmp_path / "run").rglob(".*") if path.suffix == ".tmp"]


def test_each_sitting_is_recorded(tmp_path: Path) -> None:
    for steps in (2, 3):
        run = toy_run(tmp_path, *SHORT, f"training.max_steps={steps}", "training.dev_sentences=1")
        for stage in ("prepare", "subwords", "train"):
            run.run(only=stage)
    lines = (tmp_path / "run" / "sittings.jsonl").read_text().splitlines()
    first, second = map(json.loads, lines)
    assert (first["recipe"]["training"]["max_steps"], first["recipe"]["seed"]) == (2, 1)
    assert second["recipe"]["training"]["max_steps"] == 3
    assert first["data_sha256"] == second["data_sha256"]
    tokenizer = (tmp_path / "run" / "data" / "tokenizer.model").read_bytes()
    assert first["data_sha256"]["tokenizer.model"] == hashlib.sha256(tokenizer).hexdigest()
    assert "train/toy.train.de-en.de.ids" in first["data_sha256"]
    assert {"python", "torch", "sentencepiece", "sacrebleu", "numpy"} == first["versions"].keys()
    assert (first["device"], first["processes"]) == ("cpu", 1)


def test_a_sitting_of_an_earlier_version_is_read_without_settings_that_are_gone(
    tmp_path: Path,
) -> None:
    recipe = toy_recipe(tmp_path)
    settings = json.loads(json.dumps(dataclasses.asdict(recipe))) | {"revive_units": False}
    settings["training"]["int8_share"] = 0.0
    assert recipe_of({"recipe": settings}, "a run") == recipe
