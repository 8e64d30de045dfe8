"""The benchmark says what is wrong before it measures anything, and counts as it says it does."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.decoding import report
from tests.benchmarks.decoding.report import run_benchmark
from tests.benchmarks.decoding.subject import read_subject
from translator.errors import EngineError, TranslatorError
from translator.runtime.plan import multiply_adds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": "nowhere"}, "nowhere: no such model directory"),
        ({"input": "nowhere"}, "nowhere: no such file"),
        ({"input": "model"}, "model: no such file"),
        ({"input": "empty"}, "empty: has no sentence to translate"),
        ({"input": "blank"}, "blank: has no sentence to translate"),
        ({"input": "latin-1"}, "latin-1, line 2: is not UTF-8"),
        ({"source_language": "xx"}, "xx: the model translates de-en, en-de; choose --from there"),
        ({"threads": [1, 0]}, "--threads: must be 1 or more, got 0"),
        ({"threads": [-1]}, "--threads: must be 1 or more, got -1"),
        ({"form": ["trained", "huge"]}, "--form: choose from trained, d512, opus-mt, .*got huge"),
        ({"unit": "mmx"}, "--unit: choose one of avx512-vnni, .*got mmx"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_measured(
    directory: Path,
    capfd: pytest.CaptureFixture[str],
    arguments: dict[str, Any],
    message: str,
) -> None:
    given = options_in(directory, **arguments)
    with pytest.raises(TranslatorError, match=message):
        run_benchmark(given)
    assert capfd.readouterr().out == ""


def options_in(directory: Path, **given: Any) -> argparse.Namespace:
    """Return the options of a command line; `model` and `input` are names in `directory`."""
    usual: dict[str, Any] = {"model": "model", "input": "a.de", "source_language": "de"}
    usual["threads"] = [1]
    usual |= {"form": ["trained"], "unit": None, "quick": True, **given}
    usual |= {name: directory / usual[name] for name in ("model", "input")}
    return argparse.Namespace(**usual)


def test_a_process_that_fails_is_told_in_one_line(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "describe", str)
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(EngineError, match="the measurement with 2 threads has failed"):
        run_benchmark(options_in(directory, threads=[2]))


class Fake:
    """Takes as long as it is told, by a clock of its own, and makes ten ids of each sentence."""

    def __init__(self, seconds: float, clock: list[float]) -> None:
        self.name, self._seconds, self._clock = f"fake {seconds}", seconds, clock
        self.batches: list[int] = []

    def translate_batch(self, sources: Sequence[Sequence[int]], beam_size: int) -> int:
        self._clock[0] += self._seconds
        self.batches.append(len(sources))
        return 10 * len(sources)

    translate_corpus = translate_batch


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> list[Fake]:
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    return [Fake(0.5, clock), Fake(1.0, clock)]


def test_contenders_take_turns_and_each_has_its_own_time(fakes: list[Fake]) -> None:
    order: list[str] = []

    def work(contender: Any) -> int:
        order.append(contender.name)
        found: int = contender.translate_batch([[4]], 1)
        return found

    assert report.alternate(fakes, work, 3) == ([0.5, 1.0], 10)
    assert order == ["fake 0.5", "fake 1.0"] * 4


def test_a_row_by_hand(
    directory: Path, fakes: list[Fake], capsys: pytest.CaptureFixture[str]
) -> None:
    """Five batches of 0.5 s each; the floor is what all products take at 1 GOP/s."""
    (directory / "b.de").write_text("Der Hund.\n" * 40)
    subject = read_subject(directory / "model", directory / "b.de", "de")
    report.print_row(subject, fakes, 1, batch_size=4, int8=1.0, repeats=3)
    assert fakes[0].batches == [4] * 20
    num_ids = 5 * 4 * len(subject.sources[0])
    floor_s = 2 * multiply_adds(subject.plan, num_ids, 5 * 4 * 10) / 1e9
    cells = capsys.readouterr().out.strip("| \n").split(" | ")
    assert cells == ["1", "4", "500.0", "1000.0", "2.00×", "80", f"{2.5 / floor_s:.1f}×"]
