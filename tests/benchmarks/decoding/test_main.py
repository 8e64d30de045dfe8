"""The command passes on what it was told, and fails in one line."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from tests.benchmarks.decoding import __main__ as command
from tests.benchmarks.decoding.__main__ import main


def test_a_process_without_a_model_says_so_in_one_line(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["--model", "/nowhere", "--input", str(directory / "a.de"), "--threads", "1"]
    assert main([*wanted, "--here"]) == 1
    assert capsys.readouterr().err == "error: /nowhere: no such model directory\n"


@pytest.mark.parametrize("here", [False, True])
def test_the_process_that_measures_is_told_everything(
    monkeypatch: pytest.MonkeyPatch, here: bool
) -> None:
    calls: dict[str, argparse.Namespace] = {}
    monkeypatch.setattr(command, "require_ctranslate2", lambda: None)
    monkeypatch.setattr(command, "run_benchmark", lambda given: calls.update(first=given))
    monkeypatch.setattr(command, "report", lambda given: calls.update(second=given))
    wanted = [
        "--input",
        "a.en",
        "--from",
        "en",
        "--model",
        "m",
        "--form",
        "opus-mt",
        "--quick",
        "--threads",
        "1",
        "2",
    ]
    assert main([*wanted, *(["--threads", "2", "--here"] if here else [])]) == 0
    [(name, options)] = calls.items()
    assert name == ("second" if here else "first")
    assert options.threads == ([2] if here else [1, 2])
    assert (options.input, options.source_language) == (Path("a.en"), "en")
    assert (options.model, options.form, options.quick) == (Path("m"), ["opus-mt"], True)
