"""The benchmark says what is wrong with its arguments before it measures anything."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from translator.benchmark import report
from translator.benchmark.__main__ import main
from translator.benchmark.report import run_benchmark
from translator.errors import EngineError, TranslatorError
from translator.store.model_directory import LoadedModel, save_model_directory


@pytest.fixture
def directory(tmp_path: Path, loaded: LoadedModel) -> Path:
    weights = loaded.model.state_dict()
    save_model_directory(
        tmp_path / "model", loaded.description, loaded.tokenizer, weights, {"name": "toy"}
    )
    (tmp_path / "a.de").write_text("\n \nDer Hund.\n")
    (tmp_path / "empty").touch()
    (tmp_path / "blank").write_text("\n\n")
    (tmp_path / "latin-1").write_bytes(b"a\n\xff\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": "nowhere"}, "nowhere: no such model directory"),
        ({"source": "nowhere"}, "nowhere: no such file"),
        ({"source": "model"}, "model: no such file"),
        ({"source": "empty"}, "empty: has no sentence to translate"),
        ({"source": "blank"}, "blank: has no sentence to translate"),
        ({"source": "latin-1"}, "latin-1, line 2: is not UTF-8"),
        ({"language": "xx"}, "xx: the model translates de-en, en-de; choose --from there"),
        ({"threads": [1, 0]}, "--threads: must be 1 or more, got 0"),
        ({"threads": [-1]}, "--threads: must be 1 or more, got -1"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_measured(
    directory: Path,
    capfd: pytest.CaptureFixture[str],
    arguments: dict[str, Any],
    message: str,
) -> None:
    given = {"model": "model", "source": "a.de", "language": "de", "threads": [1]} | arguments
    for name in ("model", "source"):
        given[name] = directory / given[name]
    with pytest.raises(TranslatorError, match=message):
        run_benchmark(**given, quick=True)
    assert capfd.readouterr().out == ""


def test_a_process_that_fails_is_told_in_one_line(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "describe", str)
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(EngineError, match="the measurement with 2 threads has failed"):
        run_benchmark(directory / "model", directory / "a.de", "de", [2], quick=True)


def test_a_process_without_a_model_says_so_in_one_line(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["/nowhere", str(directory / "a.de"), "de", "1"]) == 1
    assert capsys.readouterr().err == "error: /nowhere: no such model directory\n"
