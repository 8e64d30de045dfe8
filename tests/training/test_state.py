"""Checkpoints survive what happens to disks."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
import torch

from training import state as state_module
from training.state import (
    STATE,
    CheckpointError,
    TrainState,
    checkpoint_path,
    list_checkpoints,
    load_latest,
    load_state,
    prune,
    save_state,
)


def make_state(step: int) -> TrainState:
    return TrainState(
        step=step, epoch=2, position=7, model={"w": torch.full((3,), float(step))}, best_score=1.5
    )


def test_a_checkpoint_comes_back_whole(tmp_path: Path) -> None:
    path = save_state(tmp_path, make_state(12))
    state = load_state(path)
    assert (state.step, state.epoch, state.position, state.best_score) == (12, 2, 7, 1.5)
    assert torch.equal(state.model["w"], torch.full((3,), 12.0))


def test_nothing_to_resume(tmp_path: Path) -> None:
    assert load_latest(tmp_path / "nowhere") == (None, [])


@pytest.mark.parametrize("damage", ["truncate", "flip", "remove"])
def test_a_damaged_checkpoint_is_named_and_the_one_before_used(tmp_path: Path, damage: str) -> None:
    save_state(tmp_path, make_state(1))
    path = save_state(tmp_path, make_state(2)) / STATE
    content = bytearray(path.read_bytes())
    if damage == "truncate":
        path.write_bytes(content[:-10])
    elif damage == "flip":
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    else:
        path.unlink()
    state, warnings = load_latest(tmp_path)
    assert state is not None
    assert state.step == 1
    assert len(warnings) == 1
    assert "step-0000002" in warnings[0]


def test_a_write_cut_short_is_ignored(tmp_path: Path) -> None:
    save_state(tmp_path, make_state(1))
    (tmp_path / ".step-0000002.tmp").mkdir()
    (tmp_path / ".step-0000002.tmp" / STATE).write_bytes(b"half")
    state, warnings = load_latest(tmp_path)
    assert state is not None
    assert (state.step, warnings) == (1, [])


def test_a_full_disk_leaves_the_last_good_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_state(tmp_path, make_state(1))

    def full(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(state_module, "write_durably", full)
    with pytest.raises(CheckpointError, match=r"step-0000002.*No space left.*free some space"):
        save_state(tmp_path, make_state(2))
    assert [path.name for path in tmp_path.iterdir()] == ["step-0000001"]
    state, _ = load_latest(tmp_path)
    assert state is not None
    assert state.step == 1


def test_pruning_keeps_the_last_and_the_best(tmp_path: Path) -> None:
    for step in range(1, 7):
        save_state(tmp_path, make_state(step))
    prune(tmp_path, keep=2, best_step=3)
    assert list_checkpoints(tmp_path) == [checkpoint_path(tmp_path, s) for s in (3, 5, 6)]
