"""How the tests run: some while no other does, and none is left out without a word."""

from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MACHINE, TURN = Path(__file__), Path(__file__).with_name("conftest.py")
"""Files that the processes of pytest-xdist lock; nothing is written to them."""

IS_INSIDE_A_TEST = "PYTEST_CURRENT_TEST" in os.environ
"""Whether a test has started this process; that test holds the machine already."""


@contextmanager
def holding_the_machine(*, alone: bool) -> Iterator[None]:
    """Share the machine with the tests of other processes, or wait until none of them runs."""
    if IS_INSIDE_A_TEST:
        yield
        return
    with MACHINE.open() as machine, TURN.open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)  # in turn: else who wants to be alone may wait for ever
        try:
            fcntl.flock(machine, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        finally:
            fcntl.flock(turn, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(machine, fcntl.LOCK_UN)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test that is marked `alone` while no other does."""
    with holding_the_machine(alone=item.get_closest_marker("alone") is not None):
        return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was left out, and what to install for it."""
    if said := left_out(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(said)


def left_out(reports: list[pytest.TestReport]) -> str:
    """Return how many tests were left out for each reason; nothing if none was."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in reports
        if isinstance(report.longrepr, tuple)
    )
    said = "; ".join(f"{count} ({reason})" for reason, count in reasons.items())
    return f"left out: {said}" if said else ""


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Take a test that is left out for a failure where `CI` is set, as `.ci/run` does."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
