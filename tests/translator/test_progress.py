"""A bar belongs on a terminal; a file gets lines."""

from __future__ import annotations

import io
import re
import sys

import pytest
from tqdm import tqdm

from translator import progress
from translator.progress import progress_bar


class Terminal(io.StringIO):
    """A terminal that remembers what it is told."""

    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar(total=30, unit="steps", mininterval=0.0) as bar:
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
    assert first == "0/30 steps, 00:00 so far, ? left"
    assert re.fullmatch(r"30/30 steps, 00:00 so far, 00:00 left, [\d,.]+ steps/s, loss 29", last)


@pytest.mark.parametrize(
    ("rate", "unit", "is_scaled", "speed"),
    [
        (None, "steps", False, ""),
        (1.03, "s", False, ""),
        (0.05, "steps", False, ", 20.0 s each"),
        (36.56, "sentences", False, ", 36.6 sentences/s"),
        (87_210.0, "pairs", True, ", 87.2k pairs/s"),
    ],
)
def test_a_speed_has_a_unit_and_a_space(
    monkeypatch: pytest.MonkeyPatch, rate: float | None, unit: str, is_scaled: bool, speed: str
) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_bar(total=9, unit=unit, unit_scale=is_scaled) as bar:
        monkeypatch.setattr(tqdm, "format_dict", {**bar.format_dict, "rate": rate, "elapsed": 0})
        assert str(bar).partition(" left")[2] == speed


def test_a_file_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LOG_EVERY_S", 0.0)
    lines = told(io.StringIO(), monkeypatch).splitlines()
    assert len(lines) >= 30
    assert not any("\r" in line or "|" in line for line in lines)
