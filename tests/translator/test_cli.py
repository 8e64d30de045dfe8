"""`python -m translator` as a person uses it."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from translator import cli
from translator.cli import main
from translator.store.model_directory import LoadedModel, save_model_directory
from translator.translate.translation import Translation


@pytest.fixture
def directory(tmp_path: Path, loaded: LoadedModel) -> str:
    path = tmp_path / "model"
    weights = loaded.model.state_dict()
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, {})
    return str(path)


def test_a_file_is_translated_line_by_line(directory: str, tmp_path: Path) -> None:
    source, target = tmp_path / "in.de", tmp_path / "out.en"
    source.write_text("Der Hund.\n\n😀\nDie Katze.\n")
    arguments = ["translate", "--model", directory, "--input", str(source), "--output", str(target)]
    assert main([*arguments, "--beam-size", "1"]) == 0
    lines = target.read_text().split("\n")
    assert len(lines) == 5
    assert lines[1:3] == ["", "😀"]


def test_a_pipe_is_read_once(directory: str, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, "😀\n\n".encode())
    os.close(writing)
    source, target = f"/dev/fd/{reading}", tmp_path / "out.en"
    arguments = ["translate", "--model", directory, "--input", source, "--output", str(target)]
    assert main(arguments) == 0
    os.close(reading)
    assert target.read_text() == "😀\n\n"


def test_text_on_the_command_line_and_standard_input(
    directory: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["translate", "--model", directory, "--beam-size", "1", "Der", "Hund."]) == 0
    from_arguments = capfd.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Der Hund.\n")))
    assert main(["translate", "--model", directory, "--beam-size", "1"]) == 0
    assert capfd.readouterr().out == from_arguments
    assert from_arguments.endswith("\n")


def test_a_person_at_a_terminal_is_told_to_type(
    directory: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = io.TextIOWrapper(io.BytesIO(b""))
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["translate", "--model", directory]) == 0
    assert capfd.readouterr().err == ""
    monkeypatch.setattr(typed, "isatty", lambda: True, raising=False)
    assert main(["translate", "--model", directory]) == 0
    assert capfd.readouterr().err == "type text, a line at a time; Ctrl-D ends it\n"


def test_sentences_that_were_searched_again_are_counted(
    directory: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [
        Translation(text="a"),
        Translation(text="b", flags=("retried",)),
        Translation(text="c", flags=("copied", "retried")),
    ]
    monkeypatch.setattr(cli, "lines_of", lambda *_: lambda _: answers)
    assert main(["translate", "--model", directory, "x\ny\nz"]) == 0
    written = capfd.readouterr()
    assert written.out == "a\nb\nc\n"
    assert "2 lines had a sentence that ran in circles, was copied, or lost" in written.err
    assert "0 still run in circles, 1 are still copied, and 0 have what was lost" in written.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "fr"], "error: --from fr: this model translates de-en, en-de"),
        (["--from", "de", "--to", "fr"], "--from de --to fr: this model translates de-en, en-de"),
        (["--input", "/nowhere.de"], "error: /nowhere.de: no such file"),
        (["--output", "/nowhere/o.en"], "error: --output: no such folder: /nowhere"),
        (["--beam-size", "0", "x"], "beam_size: must be in 1..64, got 0"),
        (["--threads", "0", "x"], "threads: must be 1 or more, got 0"),
        (["--output", "o.en", "x"], "a text on the command line goes to standard output"),
        (["--input", "i.de", "x"], "leave out --input and --output, or put the text into a file"),
        (["--resume", "x"], "--resume: name the --output that is to be continued"),
        (["--model", "/nowhere", "x"], "/nowhere: no such model directory"),
    ],
)
def test_mistakes_are_answered_in_one_line(
    directory: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["translate", "--model", directory, *arguments]) == 1
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert message in lines[0]


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_text_is_utf8_whatever_the_locale(
    directory: str, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding=encoding))
    monkeypatch.setattr(os, "fsencode", lambda text: text.encode(encoding, "surrogateescape"))
    typed = "5 €".encode().decode(encoding, "surrogateescape")
    assert main(["translate", "--model", directory, typed]) == 0
    assert written.getvalue() == "5 €\n".encode()


@pytest.mark.parametrize("command", ["translate", "attention --target-text x --output o.png"])
def test_an_argument_that_is_not_utf8_is_refused(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    with pytest.raises(SystemExit):
        main([*command.split(), "1\udcff"])
    assert "is not UTF-8 (invalid start byte)" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(("name", "arguments"), [("input", []), ("output", ["Der Hund."])])
def test_closed_standard_streams_are_told(
    directory: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    arguments: list[str],
) -> None:
    monkeypatch.setattr(f"sys.std{name[:-3]}", None)
    assert main(["translate", "--model", directory, *arguments]) == 1
    assert f"error: standard {name} is closed; name" in capsys.readouterr().err


def test_the_source_is_not_written_over(
    directory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "text"
    path.write_text("Der Hund.\n")
    arguments = ["translate", "--model", directory, "--input", str(path), "--output", str(path)]
    assert main(arguments) == 1
    assert "text: is the source, which would be lost; name another" in capsys.readouterr().err
    assert path.read_text() == "Der Hund.\n"


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
    assert asked == [Path(directory), path, "en", [1, 2], True]


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
