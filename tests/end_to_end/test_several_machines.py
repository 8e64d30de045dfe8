"""The commands of `docs/training-on-several-machines.md`, on two machines of which one dies.

The machines are two network namespaces, joined by a virtual cable, with folders of their own. To
make these, a test must run as root, with the right to configure networks and the program `ip`
(iproute2). Elsewhere both machines are this one, still with folders of their own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.checkout import ROOT
from tests.docs.pages import read
from tests.docs.test_examples import examples
from tests.ports import free_port
from training.loop.state import TrainState, list_checkpoints, load_latest

PAGE, TUTORIAL = (
    read(ROOT / "docs" / f"{n}.md") for n in ("training-on-several-machines", "training")
)
START_S, END_S = 600, 120
SHORTER = {
    "max_steps = 300": "max_steps = 60",
    "checkpoint_every = 100": "checkpoint_every = 20\ndev_sentences = 2",
}
"""What the recipe of the tutorial has, and what it has here."""

NEEDED = ("mine/recipe.toml", "mine/corpora.toml", "runs/mine/data")
"""What the page says to copy."""


@dataclass(frozen=True)
class Machine:
    """A folder, and a namespace of the network; this machine's if that has no name."""

    folder: Path
    namespace: str = ""

    def command(self, what: str) -> str:
        """Return the commands of the page for this machine."""
        name = "first" if "first" in self.folder.name else "second"
        mark = re.escape(f"<!-- {name} machine: {what} -->")
        [code] = re.findall(rf"^{mark}\n```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
        if not self.namespace:
            for there, here in {"10.0.0.1": "127.0.0.1", "eth0": "lo", "29500": PORT}.items():
                code = code.replace(there, here)
        return str(code)

    def start(self, code: str) -> subprocess.Popen[str]:
        """Run some shell code here."""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        inside = ["ip", "netns", "exec", self.namespace] if self.namespace else []
        with (self.folder / "told").open("w") as told:
            process = subprocess.Popen(
                [*inside, "bash", "-euo", "pipefail", "-c", code],
                cwd=self.folder,
                env=os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), **PASSIVE},
                stdout=told,
                stderr=subprocess.STDOUT,
                text=True,
            )
        STARTED.append(process)
        return process

    @property
    def told(self) -> str:
        """What the last command has printed."""
        return (self.folder / "told").read_text(encoding="utf-8")

    def run(self, code: str) -> None:
        """Run some shell code here, and wait for its success."""
        assert self.start(code).wait(START_S) == 0, self.told

    def losses(self) -> dict[int, float]:
        """Return the loss by step; of a step that was done again, the last."""
        log = self.folder / "runs" / "mine" / "checkpoints" / "log.jsonl"
        lines = map(json.loads, log.read_text().splitlines() if log.is_file() else [])
        return {line["step"]: line["loss"] for line in lines if line["kind"] == "train"}

    def state(self) -> TrainState:
        """Return the newest checkpoint."""
        state, warnings = load_latest(self.folder / "runs" / "mine" / "checkpoints")
        assert state is not None
        assert not warnings
        return state


PORT = str(free_port())
STARTED: list[subprocess.Popen[str]] = []
PASSIVE = {"OMP_WAIT_POLICY": "PASSIVE"}


def ip(*arguments: str) -> bool:
    """Run `ip`; return whether it could do that."""
    with suppress(FileNotFoundError):
        return not subprocess.run(["ip", *arguments], capture_output=True, check=False).returncode
    return False


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[tuple[Machine, Machine]]:
    """Return two machines, the first of which has the toy corpus."""
    names = [f"{name}-{os.getpid()}" for name in ("first", "second")]
    folders = [tmp_path / name for name in names]
    cable = ["link", "add", "eth0", "netns", names[0]]
    cable += ["type", "veth", "peer", "name", "eth0", "netns", names[1]]
    are_apart = all(ip("netns", "add", name) for name in names) and ip(*cable)
    for number, (name, folder) in enumerate(zip(names, folders, strict=True), start=1):
        folder.mkdir()
        if are_apart:
            assert ip("-n", name, "address", "add", f"10.0.0.{number}/24", "dev", "eth0")
            assert ip("-n", name, "link", "set", "eth0", "up")
            assert ip("-n", name, "link", "set", "lo", "up")
    first, second = (
        Machine(folder, name if are_apart else "")
        for name, folder in zip(names, folders, strict=True)
    )
    corpus, catalogue, recipe = examples(TUTORIAL)[:3]
    subprocess.run([sys.executable, "-c", corpus.code], cwd=first.folder, check=True)
    shorter = recipe.code
    for there, here in SHORTER.items():
        assert there in shorter
        shorter = shorter.replace(there, here)
    first.run(catalogue.code + shorter)
    yield first, second
    for process in STARTED:  # of a test that has failed
        if process.poll() is None:
            kill(process)
    for name in names:
        ip("netns", "delete", name)


def copy(source: Path, target: Path) -> None:
    """Do what the page's `rsync` does."""
    for name in NEEDED:
        copying = shutil.copytree if (source / name).is_dir() else shutil.copy
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        copying(source / name, target / name)


def kill(process: subprocess.Popen[Any]) -> None:
    """End a process and all below it at once, as a machine ends that loses its power."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    doomed = [process.pid]
    for pid in doomed:
        doomed += [child for child, parent in parents.items() if parent == pid]
    assert len(doomed) > 1, "what the shell has started must be among them"
    for pid in doomed:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def wait_for_step(machine: Machine, step: int, process: subprocess.Popen[Any]) -> None:
    end_s = time.monotonic() + START_S
    while max(machine.losses(), default=0) < step:
        assert process.poll() is None, machine.told
        assert time.monotonic() < end_s, machine.told
        time.sleep(0.01)


@pytest.mark.slow
def test_a_machine_dies_and_the_run_goes_on_as_if_it_had_not(
    machines: tuple[Machine, Machine], tmp_path: Path
) -> None:
    first, second = machines
    first.run(first.command("prepare"))
    copy(first.folder, second.folder)
    whole = Machine(tmp_path / "first-alone")
    shutil.copytree(first.folder, whole.folder)
    train = "OMP_NUM_THREADS=1 python -m training train mine/recipe.toml --processes 2 "
    whole.run(train + "--data mine --catalogue mine/corpora.toml")

    both = [machine.start(machine.command("train")) for machine in machines]
    wait_for_step(first, 40, both[0])
    kill(both[1])
    assert both[0].wait(END_S) == 1, first.told
    errors = [line for line in first.told.splitlines() if "error: " in line]
    assert len(errors) == 1, first.told
    assert "error: another process of this run has ended, or cannot be reached" in errors[0]
    assert "continues from the last checkpoint" in errors[0]
    assert "/training/" not in first.told, "no traceback of ours"
    assert first.state().step in (20, 40)
    assert not list_checkpoints(second.folder / "runs" / "mine" / "checkpoints")

    both = [machine.start(machine.command("train")) for machine in machines]
    for machine, process in zip(machines, both, strict=True):
        assert process.wait(START_S) == 0, machine.told
    assert "continuing from step" in first.told
    assert first.losses() == whole.losses()
    assert first.state().dev_scores == whole.state().dev_scores
    for name, tensor in whole.state().weights.items():
        assert torch.equal(first.state().weights[name], tensor), name
    first.run(first.command("run"))
    assert (first.folder / "runs" / "mine" / "model" / "weights.safetensors").is_file()
