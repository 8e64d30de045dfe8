"""How the tests run: none is left out without a word, and interrupts are heard.

Garbage is looked for only among what tests make.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter

import pytest


def pytest_configure() -> None:
    """Let programs that tests start hear interrupts; a shell's background jobs do not."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Leave out of the search for garbage what is imported: it has nearly all objects.

    A search takes half a second with it, and each start of an engine asks for one. A command ends
    with `gc.unfreeze`; so it is done again.
    """
    if not gc.get_freeze_count():
        gc.freeze()


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
