"""Two processes train, and one Ctrl-C ends both with a checkpoint."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.toyrun import RECIPE, write_corpus
from training.loop.launch import train_in_processes
from training.loop.state import list_checkpoints, load_latest

PATIENCE_S = 240  # less than the time after which torchrun would kill them
TORCHRUN = ["-m", "torch.distributed.run", "--nproc-per-node", "2", "-m", "training", "train"]
OURS = ["-m", "training", "train"]
SETTINGS = (
    *("max_steps=100000", "checkpoint_every=100000", "dev_sentences=2", "warmup_steps=2"),
    *("max_batch_tokens=200",),
)


def write_run(folder: Path) -> list[str]:
    """Write a toy recipe, corpus and catalogue; return the arguments of every stage."""
    write_corpus(folder, train=60)
    (folder / "toy.toml").write_text(RECIPE.replace("vocab_size = 320", "vocab_size = 300"))
    lines = ["[toy]", 'description = "toy"', 'licence = "public domain"']
    for part in ("train", "dev", "test"):
        for code in ("de", "en"):
            lines += [f"[toy.files.{part}.{code}]", f'path = "{part}.{code}"']
    (folder / "mine.toml").write_text("\n".join(lines))
    places = {"--data": folder, "--catalogue": folder / "mine.toml", "--out": folder / "run"}
    arguments = [str(folder / "toy.toml"), "--device", "cpu"]
    arguments += [text for option, path in places.items() for text in (option, str(path))]
    return arguments + [f"--set=training.{setting}" for setting in SETTINGS]


def wait_for_steps(log: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not (log.exists() and '"kind": "train"' in log.read_text()):
        assert process.poll() is None, "training ended before it could be interrupted"
        assert time.monotonic() < deadline, "training has not begun"
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "extra", "code"), [(TORCHRUN, [], 1), (OURS, ["--processes", "2"], 130)]
)
def test_one_interrupt_to_the_group_saves_and_ends_both(
    tmp_path: Path, command: list[str], extra: list[str], code: int
) -> None:
    arguments = write_run(tmp_path)
    for stage in ("prepare", "subwords"):
        subprocess.run([sys.executable, "-m", "training", stage, *arguments], check=True)
    process = subprocess.Popen(
        [sys.executable, *command, *arguments, *extra],
        env=os.environ | {"OMP_NUM_THREADS": "1", "TORCH_ELASTIC_SHUTDOWN_TIMEOUT": "300"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        wait_for_steps(tmp_path / "run" / "checkpoints" / "log.jsonl", process)
        os.killpg(process.pid, signal.SIGINT)
        told, _ = process.communicate(timeout=PATIENCE_S)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
    assert process.returncode == code
    assert told.count("interrupted; step ") == 1, "the first process speaks for all"
    state, warnings = load_latest(tmp_path / "run" / "checkpoints")
    assert state is not None
    assert f"interrupted; step {state.step} is saved" in told
    assert (len(state.rng), warnings) == (2, [])
    assert len(list_checkpoints(tmp_path / "run" / "checkpoints")) == 1
    # torchrun ends with a traceback of its own, of which nothing is in this project
    assert told.count("Traceback") == (1 if command is TORCHRUN else 0)
    assert "training/loop" not in told.partition("Traceback")[2]


@pytest.mark.slow
def test_a_process_that_fails_is_one_line(tmp_path: Path) -> None:
    code = "import sys; from training.cli import main; sys.exit(main(sys.argv[1:]))"
    own = write_run(tmp_path)
    for stage in ("prepare", "subwords"):
        subprocess.run([sys.executable, "-m", "training", stage, *own], check=True)
    (tmp_path / "run" / "data" / "tokenizer.model").write_bytes(b"damaged")
    arguments = ["train", *own, "--processes", "2"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "not a SentencePiece model" in done.stderr
    assert done.stderr.strip().splitlines()[-1] == (
        "error: a training process failed; its own message is above"
    )


def test_what_the_launcher_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.launcher import api

    seen: list[object] = []

    class Launch:
        def __init__(self, config: api.LaunchConfig, entrypoint: str) -> None:
            seen.extend([config.nproc_per_node, config.max_restarts, entrypoint])

        def __call__(self, *arguments: str) -> None:
            seen.append(arguments)
            raise SignalException("interrupted", signal.SIGINT)

    monkeypatch.setattr(api, "elastic_launch", Launch)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "30")
    with pytest.raises(KeyboardInterrupt):
        train_in_processes(2, ["train", "r.toml"])
    assert seen == [2, 0, sys.executable, ("-m", "training", "train", "r.toml")]
