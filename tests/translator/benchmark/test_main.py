"""A process of the benchmark passes on what it was told, and fails in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.benchmark import __main__ as process
from translator.benchmark.__main__ import main
from translator.benchmark.report import Measurement


def test_a_process_without_a_model_says_so_in_one_line(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["/nowhere", str(directory / "a.de"), "de"]) == 1
    assert capsys.readouterr().err == "error: /nowhere: no such model directory\n"


@pytest.mark.parametrize("quick", [False, True])
def test_arguments_reach_the_report(monkeypatch: pytest.MonkeyPatch, quick: bool) -> None:
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(process, "report", lambda *given: calls.append(given))
    wanted = Measurement(
        model=Path("model"), source=Path("a.de"), language="de", forms=("opus-mt",), quick=quick
    )
    assert main([*wanted.arguments(), "--threads", "2"]) == 0
    assert calls == [(wanted, 2)]
