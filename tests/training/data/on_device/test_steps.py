"""What a thread makes ahead comes in order, and the thread ends with its reader."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator

import pytest

from training.data.on_device import steps
from training.data.on_device.steps import ahead


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "batches ahead"]


def wait_until_none() -> None:
    deadline = time.monotonic() + 60
    while threads():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_everything_comes_in_order() -> None:
    assert list(ahead(iter(range(100)), 3)) == list(range(100))
    wait_until_none()


def test_no_more_than_wanted_is_made_ahead() -> None:
    made = []

    def items() -> Iterator[int]:
        for number in itertools.count():
            made.append(number)
            yield number

    stream = ahead(items(), 4)
    assert [next(stream) for _ in range(3)] == [0, 1, 2]
    time.sleep(0.1)
    assert len(made) <= 3 + 4 + 1
    stream.close()  # type: ignore[attr-defined]
    wait_until_none()


def test_an_exception_reaches_the_reader() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("broken")

    stream = ahead(items(), 4)
    assert next(stream) == 1
    with pytest.raises(ZeroDivisionError, match="broken"):
        next(stream)
    wait_until_none()


def test_the_thread_ends_while_it_waits_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "POLL_S", 0.01)
    stream = ahead(itertools.count(), 1)
    assert next(stream) == 0
    stream.close()  # type: ignore[attr-defined]
    wait_until_none()
