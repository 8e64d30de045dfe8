"""Progress: rows of all parts together, whoever tells of them, and when."""

from __future__ import annotations

import threading

import pytest

from tests.waiting import PATIENCE_S
from translator.bulk.progress import Polling, Progress


def test_rows_of_all_parts_count(capfd: pytest.CaptureFixture[str]) -> None:
    with Progress(100, 20) as progress:
        progress.tell(1, 10)
        progress.tell_all({1: 15, 2: 5})
        assert progress.rows == 40
        progress.tell(1, 3)  # begun anew by another worker
        assert progress.rows == 28
        progress.finish(1, 50)
        progress.tell(1, 15)  # told before that
        assert progress.rows == 75
    shown = capfd.readouterr().err
    assert "75/100" in shown
    assert "row/s" in shown


def test_polling_asks_until_it_ends() -> None:
    asked = threading.Event()
    with Polling(asked.set, every_s=0.01):
        assert asked.wait(PATIENCE_S)
    assert "bulk-progress" not in {thread.name for thread in threading.enumerate()}
