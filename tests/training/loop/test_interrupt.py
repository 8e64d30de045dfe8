"""The first signal is noted; the second one acts as always."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from training.loop.interrupt import SIGNALS, DeferredInterrupt


@pytest.fixture(autouse=True)
def usual_handler() -> Iterator[None]:
    """Let Ctrl-C interrupt, as it does where the tests do not run in the background."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_signal_is_only_noted(number: signal.Signals) -> None:
    before = [signal.getsignal(each) for each in SIGNALS]
    with DeferredInterrupt() as interrupt:
        assert not interrupt.is_requested
        signal.raise_signal(number)
        assert interrupt.is_requested
    assert [signal.getsignal(each) for each in SIGNALS] == before


def test_the_second_one_interrupts_at_once() -> None:
    with DeferredInterrupt() as interrupt:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert interrupt.is_requested


def test_handlers_are_put_back_after_an_error() -> None:
    before = [signal.getsignal(each) for each in SIGNALS]
    with pytest.raises(RuntimeError), DeferredInterrupt():
        raise RuntimeError
    assert [signal.getsignal(each) for each in SIGNALS] == before


def test_in_another_thread_nothing_is_noted() -> None:
    found: list[object] = []

    def enter() -> None:
        with DeferredInterrupt() as interrupt:
            found.extend([interrupt.is_requested, signal.getsignal(signal.SIGINT)])

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert found == [False, before]
