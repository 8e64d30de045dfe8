"""A bar belongs on a terminal; a file gets lines."""

from __future__ import annotations

import io
import sys

import pytest

from translator import progress
from translator.progress import progress_bar


class Terminal(io.StringIO):
    """A terminal that remembers what it is told."""

    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar(total=30, unit="step", mininterval=0.0) as bar:
        for number in range(30):
            bar.set_postfix_str(f"loss {number}", refresh=False)
            bar.update()
    return stream.getvalue()


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = told(Terminal(), monkeypatch)
    assert "\r" in shown
    assert "|" in shown


def test_a_file_gets_few_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    first, last = told(io.StringIO(), monkeypatch).splitlines()
    assert first.startswith("0/30 step, 00:00 so far")
    assert last.startswith("30/30 step, ")
    assert last.endswith(", loss 29")


def test_a_file_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LOG_EVERY_S", 0.0)
    lines = told(io.StringIO(), monkeypatch).splitlines()
    assert len(lines) >= 30
    assert not any("\r" in line or "|" in line for line in lines)
