"""What is being downloaded, as all workers read it."""

from __future__ import annotations

from pathlib import Path

from service.fetching.state import STATE, Progress, State, read_state, write_state


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert read_state(tmp_path) == State()
    state = State({"pt": Progress("downloading", 3, 9)}, ["de", "pt"], 1, 2, "no network")
    write_state(tmp_path, state)
    assert read_state(tmp_path) == state
    (tmp_path / STATE).write_text("{")
    assert read_state(tmp_path) == State()
