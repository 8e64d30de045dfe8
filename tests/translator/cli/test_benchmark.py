"""The benchmark started by the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.benchmark.report import Measurement
from translator.benchmark.subject import DEFAULT_FORMS
from translator.cli import benchmark
from translator.cli.main import main


def test_the_benchmark_reads_its_input(
    directory: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(benchmark, "require_ctranslate2", lambda: None)
    monkeypatch.setattr(benchmark, "run_benchmark", lambda *arguments: asked.extend(arguments))
    path = tmp_path / "a.de"
    assert main(["benchmark", directory, "--input", str(path), "--from", "en", "--quick"]) == 0
    wanted = Measurement(
        model=Path(directory),
        source=path,
        language="en",
        forms=tuple(DEFAULT_FORMS),
        quick=True,
        unit=None,
    )
    assert asked == [wanted, [1, 2]]
