"""`python -m translator` as a person uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.benchmark.report import Measurement
from translator.cli import main as cli
from translator.cli.main import main
from translator.store.model_directory import LoadedModel, save_model_directory


@pytest.fixture
def directory(tmp_path: Path, loaded: LoadedModel) -> str:
    path = tmp_path / "model"
    weights = loaded.model.state_dict()
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, {})
    return str(path)


def test_attention_is_drawn(
    directory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "map.png"
    arguments = ["attention", "--model", directory, "Der", "Hund.", "--output", str(out)]
    assert main([*arguments, "--target-text", "The dog."]) == 0
    assert out.read_bytes()[:4] == b"\x89PNG"
    assert "Der Hund. → The dog." in capsys.readouterr().out
    assert main(["attention", "--model", directory, " ", "--output", str(out)]) == 1
    assert "error: the text is empty; give a sentence" in capsys.readouterr().err
    assert main([*arguments, "--layer", "9"]) == 1
    assert "has layers 1 to 2" in capsys.readouterr().err


def test_a_model_is_converted(
    directory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "converted"
    assert main(["convert", directory, "--out", str(out), "--format", "ctranslate2"]) == 0
    assert {"model.bin", "tokenizer.model"} <= {path.name for path in out.iterdir()}
    assert f"{out}: a CTranslate2 model" in capsys.readouterr().out


def test_the_benchmark_reads_its_input(
    directory: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(cli, "require_ctranslate2", lambda: None)
    monkeypatch.setattr(cli, "run_benchmark", lambda *arguments: asked.extend(arguments))
    path = tmp_path / "a.de"
    assert main(["benchmark", directory, "--input", str(path), "--from", "en", "--quick"]) == 0
    wanted = Measurement(model=Path(directory), source=path, language="en", quick=True)
    assert asked == [wanted, [1, 2]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "the following arguments are required: command"),
        ("translate --source de x", "unrecognized arguments: --source"),
        ("translate --in x", "unrecognized arguments: --in;"),
        ("attention x --out o.png", "the following arguments are required: --output"),
        ("attention x --output o.png --target y", "unrecognized arguments: --target y"),
        ("attention --output o.png", "the following arguments are required: text"),
        (
            "convert model --out o --to ctranslate2",
            "the following arguments are required: --format",
        ),
        ("convert model --format ctranslate2", "the following arguments are required: --out"),
        ("convert model --out o --format onnx", "argument --format: invalid choice: 'onnx'"),
        ("benchmark --src a.de", "the following arguments are required: --input"),
    ],
)
def test_a_wrong_command_line_is_answered_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments.split())
    assert stopped.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {message}")
    assert line.endswith(" --help")
