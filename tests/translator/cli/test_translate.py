"""`python -m translator` as a person uses it."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from translator.cli import translate as cli
from translator.cli.main import main
from translator.pipeline.translation import Translation

Capture = pytest.CaptureFixture[str]


def test_a_file_is_translated_line_by_line(directory: str, tmp_path: Path) -> None:
    source, target = tmp_path / "in.de", tmp_path / "out.en"
    source.write_text("Der Hund.\n\n😀\nDie Katze.\n")
    arguments = ["translate", "--model", directory, "--input", str(source), "--output", str(target)]
    assert main([*arguments, "--beam-size", "1"]) == 0
    lines = target.read_text().split("\n")
    assert len(lines) == 5
    assert lines[1:3] == ["", "😀"]


def test_a_file_with_a_form_is_translated_as_a_whole(directory: str, tmp_path: Path) -> None:
    source, target = tmp_path / "in.json", tmp_path / "out.json"
    source.write_text('{\n "a": "Der Hund.",\n "b": "1"\n}\n')
    arguments = ["translate", "--model", directory, "--input", str(source), "--output", str(target)]
    assert main([*arguments, "--beam-size", "1"]) == 0
    lines = target.read_text().split("\n")
    assert [lines[0], *lines[2:]] == ["{", ' "b": "1"', "}", ""]
    assert not (tmp_path / "out.json.partial").exists()


def test_a_file_with_a_form_goes_to_standard_output(
    directory: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    source = tmp_path / "in.json"
    source.write_bytes(b'\xef\xbb\xbf["1"]\r\n')
    assert main(["translate", "--model", directory, "--input", str(source)]) == 0
    assert capfdbinary.readouterr().out == source.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "x.odt"], "x.odt: a translation has the format of its source; let the name"),
        (["--output", "x.docx", "--resume"], "is translated as a whole, and cannot be continued"),
        (["--output", "x.docx"], "in.docx: is damaged, or no document of this kind"),
        (["--format", "markdown"], "in.docx is read by its ending; leave out --format"),
        (["--column", "1"], "in.docx: Word has no option 'columns'"),
        (["--sheet-names"], "in.docx: Word has no option 'sheet_names'"),
        (["--front-matter"], "in.docx: Word has no option 'front_matter'"),
    ],
)
def test_files_with_a_form_that_cannot_be_translated(
    directory: str, tmp_path: Path, capfd: Capture, arguments: list[str], message: str
) -> None:
    source = tmp_path / "in.docx"
    source.write_bytes(b"no archive")
    assert main(["translate", "--model", directory, "--input", str(source), *arguments]) == 1
    assert message in capfd.readouterr().err


def test_markup_that_is_not_read_is_refused_unless_its_format_is_named(
    directory: str, tmp_path: Path, capsys: Capture
) -> None:
    source = tmp_path / "in.vue"
    source.write_text("<code>1</code>")
    command = ["translate", "--model", directory, "--input", str(source)]
    assert main(command) != 0
    assert "in.vue: is source code, which is not read" in capsys.readouterr().err
    assert main([*command, "--format", "html"]) == 0


def test_columns_of_a_table_are_chosen(directory: str, tmp_path: Path) -> None:
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_bytes(b"name;note\r\ndog;a\r\ncat;b\r\n")
    arguments = ["translate", "--model", directory, "--input", str(source)]
    assert main([*arguments, "--output", str(output), "--column", "note"]) == 0
    rows = [line.split(b";", 1) for line in output.read_bytes().split(b"\r\n")]
    assert [row[0] for row in rows] == [b"name", b"dog", b"cat", b""]
    assert rows[0][1] == b"note"


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
    directory: str, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["translate", "--model", directory, "--beam-size", "1", "Der", "Hund."]) == 0
    from_arguments = capfd.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Der Hund.\n")))
    assert main(["translate", "--model", directory, "--beam-size", "1"]) == 0
    assert capfd.readouterr().out == from_arguments
    assert from_arguments.endswith("\n")


def test_a_person_at_a_terminal_is_told_to_type(
    directory: str, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = io.TextIOWrapper(io.BytesIO(b""))
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["translate", "--model", directory]) == 0
    assert capfd.readouterr().err == ""
    monkeypatch.setattr(typed, "isatty", lambda: True, raising=False)
    assert main(["translate", "--model", directory]) == 0
    assert capfd.readouterr().err == "type text, a line at a time; Ctrl-D ends it\n"


def test_sentences_that_were_searched_again_are_counted(
    directory: str, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [
        Translation(text="a"),
        Translation(text="b", flags=("retried",)),
        Translation(text="c", flags=("copied", "retried")),
    ]
    monkeypatch.setattr(cli, "_texts_of", lambda *_: lambda _: answers)
    assert main(["translate", "--model", directory, "x\ny\nz"]) == 0
    written = capfd.readouterr()
    assert written.out == "a\nb\nc\n"
    assert "had a wrong number: 2. Still in circles: 0; still copied: 1; with" in written.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "fr"], "error: --from fr: this model translates only de-en, en-de"),
        (
            ["--from", "de", "--to", "fr"],
            "--from de --to fr: this model translates only de-en, en-de",
        ),
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
    directory: str, capsys: Capture, arguments: list[str], message: str
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
def test_an_argument_that_is_not_utf8_is_refused(capsys: Capture, command: str) -> None:
    with pytest.raises(SystemExit):
        main([*command.split(), "1\udcff"])
    assert "is not UTF-8 (invalid start byte)" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(("name", "arguments"), [("input", []), ("output", ["Der Hund."])])
def test_closed_standard_streams_are_told(
    directory: str,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    arguments: list[str],
) -> None:
    monkeypatch.setattr(f"sys.std{name[:-3]}", None)
    assert main(["translate", "--model", directory, *arguments]) == 1
    assert f"error: standard {name} is closed; name" in capsys.readouterr().err


def test_the_source_is_not_written_over(directory: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "text"
    path.write_text("Der Hund.\n")
    arguments = ["translate", "--model", directory, "--input", str(path), "--output", str(path)]
    assert main(arguments) == 1
    assert "text: is the file to translate; name another" in capsys.readouterr().err
    assert path.read_text() == "Der Hund.\n"


def test_a_page_is_translated_as_a_whole(directory: str, tmp_path: Path, capsys: Capture) -> None:
    page, output = tmp_path / "page.html", tmp_path / "out.html"
    page.write_bytes(b"<p>1</p>\r\n<pre>2</pre>\r\n")
    command = ["translate", "--model", directory, "--format", "html"]
    assert main([*command, "--input", str(page), "--output", str(output)]) == 0
    assert output.read_bytes() == page.read_bytes()
    assert main([*command, "<b>1 &lt; 2</b>"]) == 0
    assert capsys.readouterr().out == "<b>1 &lt; 2</b>\n"
    assert main([*command, "--resume", "--output", str(output)]) == 1
    assert "--resume: only plain text can be continued" in capsys.readouterr().err


def test_terms_of_a_glossary(directory: str, tmp_path: Path, capsys: Capture) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text("a\tb\tc\n")
    assert main(["translate", "--model", directory, "--glossary", str(terms), "1"]) == 1
    assert "line 1: must be a term, a tab and its translation" in capsys.readouterr().err
    assert main(["translate", "--model", directory, "--keep", " ", "1"]) == 1
    assert "glossary: ' ' must not be empty" in capsys.readouterr().err


def test_n_best_are_lines_of_json(directory: str, tmp_path: Path, capsys: Capture) -> None:
    path, out = tmp_path / "text", tmp_path / "out.jsonl"
    path.write_text("Der Hund.\n12\nDie Katze.\n")
    command = ["translate", "--model", directory, "--from", "DE", "--to", "en"]
    command += ["--input", str(path), "--n-best", "3"]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    first, number, _ = (json.loads(line) for line in lines)
    assert 1 <= len(first) <= 3  # the model is random, and may write the same text thrice
    assert all(one.keys() == {"text", "score", "log_prob"} for one in first)
    assert [one["score"] for one in first] == sorted((o["score"] for o in first), reverse=True)
    assert number == [{"text": "12", "score": None, "log_prob": None}]
    assert main([*command, "--output", str(out)]) == 0
    assert out.read_text().splitlines() == lines
    assert main([*command[:-1], "1"]) == 0
    assert [json.loads(line)[0]["text"] for line in capsys.readouterr().out.splitlines()] == [
        json.loads(line)[0]["text"] for line in lines
    ]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--n-best", "0"], "--n-best: must be in 1..64, got 0"),
        (["--n-best", "2", "--format", "html"], "--n-best: is for plain text"),
        (["--n-best", "2", "--keep", "a"], "leave out --glossary and --keep"),
    ],
)
def test_n_best_is_refused_where_it_means_nothing(
    capsys: Capture, flags: list[str], message: str
) -> None:
    assert main(["translate", "--model", "/nowhere", *flags, "Hund"]) == 1
    assert message in capsys.readouterr().err
