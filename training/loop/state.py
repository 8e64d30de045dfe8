"""Everything a resume needs, in one dataclass, and its checkpoints on disk."""

from __future__ import annotations

import hashlib
import io
import json
import re
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from translator.durable import new_folder, remove_folder, write_durably
from translator.errors import TranslatorError

STATE, CHECKSUM = "state.pt", "checksum.json"
VERSION = 1  # of what is saved; checkpoints without a version count as 0 and have the same fields


class CheckpointError(TranslatorError):
    """A checkpoint is missing or damaged, or cannot be written."""


class NewerCheckpointError(CheckpointError):
    """A checkpoint was written by a later version of this program, which may mean other things."""


@dataclass(kw_only=True)
class TrainState:
    """A run between two optimizer steps.

    Attributes:
        position: batches of this epoch already used.
        ema: moving average of the weights; empty if switched off.
        rng: for every process, torch's CPU generator and that of its CUDA device.
        stale_checkpoints: checkpoints since the one with the best dev score.
        dev_scores: dev score of every checkpoint so far, by step.
        train_seconds: time spent in training steps, over all sittings.
        run_seconds: that, and the time spent on checkpoints.
        num_skipped: steps not taken because their gradient was not finite.
        target_tokens: real target tokens seen.
    """

    step: int = 0
    epoch: int = 0
    position: int = 0
    model: dict[str, Tensor] = field(default_factory=dict)
    optimizer: dict[str, Any] = field(default_factory=dict)
    ema: dict[str, Tensor] = field(default_factory=dict)
    rng: list[list[Tensor]] = field(default_factory=list)
    best_score: float = float("-inf")
    best_step: int = 0
    stale_checkpoints: int = 0
    dev_scores: dict[int, float] = field(default_factory=dict)
    train_seconds: float = 0.0
    run_seconds: float = 0.0
    num_skipped: int = 0
    target_tokens: int = 0

    @property
    def weights(self) -> dict[str, Tensor]:
        """The weights to evaluate: the moving average if there is one."""
        return self.ema or self.model


def capture_rng() -> list[Tensor]:
    """Return the state of this process's generators, that of a GPU only if one is in use."""
    has_cuda = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]
    return [torch.get_rng_state(), *([torch.cuda.get_rng_state()] if has_cuda else [])]


def restore_rng(states: list[Tensor]) -> None:
    """Put this process's generators back."""
    torch.set_rng_state(states[0])
    if len(states) > 1 and torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        torch.cuda.set_rng_state(states[1])


def checkpoint_path(folder: Path, step: int) -> Path:
    """Return the directory of the checkpoint of `step`."""
    return folder / f"step-{step:07d}"


def list_checkpoints(folder: Path) -> list[Path]:
    """Return the checkpoints in `folder`, oldest first."""
    pattern = re.compile(r"step-\d{7,}")
    paths = folder.iterdir() if folder.is_dir() else iter(())
    steps = {int(path.name[5:]): path for path in paths if pattern.fullmatch(path.name)}
    return [steps[step] for step in sorted(steps)]


def save_state(folder: Path, state: TrainState) -> Path:
    """Write a checkpoint, which appears whole or not at all; return its path.

    Raises:
        CheckpointError: the disk refused; earlier checkpoints are untouched.
    """
    path = checkpoint_path(folder, state.step)
    buffer = io.BytesIO()
    values = {f.name: getattr(state, f.name) for f in fields(state)}
    torch.save({"version": VERSION, **values}, buffer)
    content = buffer.getvalue()
    digest = json.dumps({STATE: hashlib.sha256(content).hexdigest()}).encode()
    try:
        with new_folder(path) as made:
            write_durably(made / STATE, content)
            write_durably(made / CHECKSUM, digest)
    except OSError as error:
        raise CheckpointError(
            f"{path}: cannot be written: {error.strerror}; training continues from the last "
            "checkpoint"
        ) from error
    return path


def load_state(path: Path) -> TrainState:
    """Read one checkpoint.

    Raises:
        CheckpointError: a file is missing, truncated or altered; the message names it.
        NewerCheckpointError: it has a version that this program does not know.
    """
    try:
        content = (path / STATE).read_bytes()
        expected = json.loads((path / CHECKSUM).read_bytes())[STATE]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path}: incomplete checkpoint ({error})") from error
    if hashlib.sha256(content).hexdigest() != expected:
        raise CheckpointError(f"{path / STATE}: truncated or altered; delete this checkpoint")
    values = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    version = values.pop("version", 0)
    if version > VERSION:
        raise NewerCheckpointError(
            f"{path}: its version is {version}, and this program reads up to {VERSION}; update the "
            "program, or name another folder with --out"
        )
    try:
        return TrainState(**values)
    except TypeError as error:
        raise CheckpointError(f"{path}: written by another version ({error})") from error


def load_latest(folder: Path) -> tuple[TrainState | None, list[str]]:
    """Return the newest undamaged checkpoint, and a warning for each damaged one passed over.

    Raises:
        NewerCheckpointError: a later version of this program has gone on with the run.
    """
    warnings: list[str] = []
    for path in reversed(list_checkpoints(folder)):
        try:
            return load_state(path), warnings
        except NewerCheckpointError:
            raise
        except CheckpointError as error:
            warnings.append(str(error))
    return None, warnings


def chosen_checkpoint(folder: Path, step: int | None) -> TrainState:
    """Return the checkpoint of a step, or the newest one that is whole.

    Raises:
        CheckpointError: there is none, or that of the step is damaged; the message lists those that
            are kept.
    """
    if step is None:
        latest, warnings = load_latest(folder)
        if latest is None:
            raise CheckpointError("; ".join([f"{folder}: has no complete checkpoint", *warnings]))
        return latest
    kept = list_checkpoints(folder)
    path = checkpoint_path(folder, step)
    if path not in kept:
        steps = ", ".join(str(int(each.name.partition("-")[2])) for each in kept) or "none"
        raise CheckpointError(
            f"{folder}: the checkpoint of step {step} is not kept; there are: {steps}"
        )
    return load_state(path)


def best_checkpoints(folder: Path, count: int, state: TrainState) -> list[Path]:
    """Return the `count` checkpoints in `folder` with the best dev scores, in order of step.

    Of equal scores the earlier one wins. Scores whose checkpoint is not there do not count.
    """
    scores = _scores(folder, state)
    best = sorted(scores, key=lambda step: (-scores[step], step))[:count]
    return [checkpoint_path(folder, step) for step in sorted(best)]


def _scores(folder: Path, state: TrainState) -> dict[int, float]:
    there = set(list_checkpoints(folder))
    return {
        step: score
        for step, score in state.dev_scores.items()
        if checkpoint_path(folder, step) in there
    }


def prune(folder: Path, keep: int, state: TrainState) -> None:
    """Delete checkpoints.

    Those stay that have one of the `keep` best dev scores or of the `keep` last ones, and the
    newest, which may have been saved between two dev scores.
    """
    last = [checkpoint_path(folder, step) for step in sorted(_scores(folder, state))[-keep:]]
    kept = {*best_checkpoints(folder, keep, state), *last, *list_checkpoints(folder)[-1:]}
    for path in list_checkpoints(folder):
        if path not in kept:
            remove_folder(path)
