"""The benchmark counts as it says it does."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.decoding import report
from tests.benchmarks.decoding.subject import read_subject
from translator.runtime.plan import step_work


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
    num_products = num_ids * report.source_work(subject.plan) + 5 * 4 * 10 * step_work(subject.plan)
    floor_s = 2 * num_products / 1e9
    cells = capsys.readouterr().out.strip("| \n").split(" | ")
    assert cells == ["1", "4", "500.0", "1000.0", "2.00×", "80", f"{2.5 / floor_s:.1f}×"]
