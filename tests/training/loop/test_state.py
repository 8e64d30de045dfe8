"""Checkpoints survive what happens to disks."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from tests.disk import Synced, small_disk
from training.loop.state import (
    CHECKSUM,
    STATE,
    VERSION,
    CheckpointError,
    NewerCheckpointError,
    TrainState,
    best_checkpoints,
    capture_rng,
    checkpoint_path,
    list_checkpoints,
    load_latest,
    load_state,
    prune,
    restore_rng,
    save_state,
)


def make_state(step: int) -> TrainState:
    return TrainState(
        step=step, epoch=2, position=7, model={"w": torch.full((3,), float(step))}, best_score=1.5
    )


def test_the_disk_has_a_checkpoint_and_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = Synced(monkeypatch)
    path = save_state(tmp_path, make_state(12))
    for written in (path / STATE, path / CHECKSUM, tmp_path):
        assert written in synced, written


def test_nothing_to_resume(tmp_path: Path) -> None:
    assert load_latest(tmp_path / "nowhere") == (None, [])


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (STATE, lambda content: content[:-10]),
        (STATE, flipped),
        (STATE, None),
        *((CHECKSUM, lambda _, bad=bad: bad) for bad in (b"", b"{", b"{}", b"\xff", b"[]")),
        *((CHECKSUM, lambda _, bad=bad: bad) for bad in (b"null", b'{"state.pt": 3}')),
    ],
)
def test_a_damaged_checkpoint_is_named_and_the_one_before_used(
    tmp_path: Path, name: str, damage: Callable[[bytes], bytes] | None
) -> None:
    save_state(tmp_path, make_state(1))
    path = save_state(tmp_path, make_state(2)) / name
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(damage(path.read_bytes()))
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


def test_pruning_keeps_the_last_and_the_best(tmp_path: Path) -> None:
    for step in range(1, 9):
        save_state(tmp_path, make_state(step))
    state = TrainState(dev_scores={1: 5.0, 2: 3.0, 3: 9.0, 4: 1.0, 5: 5.0, 6: 2.0, 7: 0.0, 8: 4.0})
    best = best_checkpoints(tmp_path, 2, state)
    assert best == [checkpoint_path(tmp_path, s) for s in (1, 3)], "of equal scores the earlier"
    prune(tmp_path, 2, state)
    assert list_checkpoints(tmp_path) == [checkpoint_path(tmp_path, s) for s in (1, 3, 7, 8)]


def test_pruning_keeps_one_that_has_no_score_until_there_is_a_newer_one(tmp_path: Path) -> None:
    state = TrainState(dev_scores={2: 5.0, 4: 3.0, 6: 1.0})
    for step in range(1, 6):
        save_state(tmp_path, make_state(step))
    prune(tmp_path, 1, state)
    assert list_checkpoints(tmp_path) == [checkpoint_path(tmp_path, s) for s in (2, 4, 5)]
    save_state(tmp_path, make_state(6))
    prune(tmp_path, 1, state)
    assert list_checkpoints(tmp_path) == [checkpoint_path(tmp_path, s) for s in (2, 6)]


def rewrite(path: Path, change: dict[str, object]) -> None:
    """Give a checkpoint other values, with the right checksum; None removes one."""
    values = torch.load(path / STATE, weights_only=True) | change
    torch.save({key: value for key, value in values.items() if value is not None}, path / STATE)
    digest = hashlib.sha256((path / STATE).read_bytes()).hexdigest()
    (path / CHECKSUM).write_text(json.dumps({STATE: digest}))


def test_a_checkpoint_of_another_version_is_passed_over(tmp_path: Path) -> None:
    save_state(tmp_path, make_state(1))
    rewrite(save_state(tmp_path, make_state(2)), {"a_field_of_the_future": 1})
    state, warnings = load_latest(tmp_path)
    assert state is not None
    assert (state.step, len(warnings)) == (1, 1)
    assert "step-0000002" in warnings[0]


def test_a_checkpoint_without_a_version_still_loads(tmp_path: Path) -> None:
    path = save_state(tmp_path, make_state(3))
    assert torch.load(path / STATE, weights_only=True)["version"] == VERSION
    rewrite(path, {"version": None})
    assert load_state(path).step == 3


def test_a_checkpoint_of_a_later_version_is_an_error_and_not_passed_over(tmp_path: Path) -> None:
    save_state(tmp_path, make_state(1))
    rewrite(save_state(tmp_path, make_state(2)), {"version": VERSION + 1})
    message = f"step-0000002: its version is {VERSION + 1}, and this program reads up to {VERSION}"
    with pytest.raises(NewerCheckpointError, match=f"{message}; update the program"):
        load_latest(tmp_path)


def test_two_damaged_checkpoints_give_two_warnings_newest_first(tmp_path: Path) -> None:
    for step in (1, 2, 3):
        save_state(tmp_path, make_state(step))
    for step in (2, 3):
        (checkpoint_path(tmp_path, step) / STATE).write_bytes(b"")
    state, warnings = load_latest(tmp_path)
    assert state is not None
    assert state.step == 1
    assert ["step-0000003" in warnings[0], "step-0000002" in warnings[1]] == [True, True]
    (checkpoint_path(tmp_path, 1) / STATE).unlink()
    assert load_latest(tmp_path)[0] is None
    assert len(load_latest(tmp_path)[1]) == 3


def test_everything_a_resume_needs_comes_back(tmp_path: Path) -> None:
    state = TrainState(
        step=3,
        epoch=1,
        position=2,
        model={"w": torch.randn(3)},
        optimizer={"state": {0: {"step": torch.tensor(3.0)}}, "param_groups": [{"lr": 0.1}]},
        ema={"w": torch.randn(3)},
        rng=[capture_rng(), capture_rng()],
        best_score=31.5,
        best_step=2,
        stale_checkpoints=1,
        train_seconds=12.5,
        run_seconds=13.5,
        num_skipped=2,
        target_tokens=999,
    )
    again = load_state(save_state(tmp_path, state))
    for field in dataclasses.fields(TrainState):
        torch.testing.assert_close(getattr(again, field.name), getattr(state, field.name))


def test_random_numbers_continue_where_they_stopped(tmp_path: Path) -> None:
    torch.manual_seed(5)
    path = save_state(tmp_path, TrainState(step=1, rng=[capture_rng()]))
    expected = torch.rand(4)
    torch.manual_seed(6)
    restore_rng(load_state(path).rng[0])
    assert torch.equal(torch.rand(4), expected)


def test_a_disk_that_fills_up_in_the_middle_leaves_no_half_checkpoint(tmp_path: Path) -> None:
    save_state(tmp_path, make_state(1))
    for step in (1, 2):  # the same step again, and the next
        state = make_state(step)
        state.num_skipped = 7
        with pytest.raises(CheckpointError, match="free some space"), small_disk(1000):
            save_state(tmp_path, state)
    assert [path.name for path in tmp_path.iterdir()] == ["step-0000001"]
    assert load_latest(tmp_path)[1] == []
    assert load_state(checkpoint_path(tmp_path, 1)).num_skipped == 0
    save_state(tmp_path, make_state(2))
    assert load_state(checkpoint_path(tmp_path, 2)).step == 2


def test_pruning_fewer_than_there_are_to_keep_deletes_nothing(tmp_path: Path) -> None:
    for step in (1, 2):
        save_state(tmp_path, make_state(step))
    (tmp_path / "step-notes").mkdir()
    prune(tmp_path, 5, TrainState(dev_scores={1: 2.0, 2: 1.0}))
    assert list_checkpoints(tmp_path) == [checkpoint_path(tmp_path, s) for s in (1, 2)]
    prune(tmp_path, 1, TrainState(dev_scores={2: 1.0}))
    assert list_checkpoints(tmp_path) == [checkpoint_path(tmp_path, 2)]
    assert (tmp_path / "step-notes").is_dir()


def test_checkpoints_are_ordered_by_number_beyond_seven_digits(tmp_path: Path) -> None:
    for step in (9_999_999, 10_000_000):
        save_state(tmp_path, make_state(step))
    state, _ = load_latest(tmp_path)
    assert state is not None
    assert state.step == 10_000_000
