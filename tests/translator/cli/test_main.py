"""Commands that print one thing, and what all commands have in common."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.alone import run_alone
from training import cli as training_main
from translator.cli import main as translator_main
from translator.cli.flags import SHOWN, FlagReport
from translator.cli.main import main
from translator.cli.translate import add_terms, glossary_of
from translator.pipeline.translation import SentenceTranslation, Translation, WrongNumbers

Capture = pytest.CaptureFixture[str]

PROGRAMS: dict[str, Callable[[list[str]], object]] = {
    "translator": translator_main.main,
    "training": training_main.main,
}


WRONG_COMMAND_LINES = [
    line.split("\t")
    for line in Path(__file__).with_name("wrong_command_lines.tsv").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("command_line", "message"), WRONG_COMMAND_LINES)
def test_a_wrong_command_line_is_answered_in_one_line(
    capsys: Capture, command_line: str, message: str
) -> None:
    program, *arguments = command_line.split()
    with pytest.raises(SystemExit) as stopped:
        PROGRAMS[program](arguments)
    assert stopped.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {message}")
    assert line.endswith(" --help")


def test_help_loads_no_model() -> None:
    code = "import sys; from translator.cli.main import main; main(['--help'])"
    check = "import atexit, sys; atexit.register(lambda: print('torch' in sys.modules)); "
    done = run_alone(check + code)
    assert done.stdout.endswith("False\n")


def test_terms_of_a_file_and_of_the_command_line_are_one_glossary(tmp_path: Path) -> None:
    parser, path = argparse.ArgumentParser(), tmp_path / "terms"
    add_terms(parser)
    path.write_text("Hund\tDog\n", encoding="utf-8")
    kept = glossary_of(parser.parse_args(["--keep", "Foo", "--keep", "Bar"]))
    assert (dict(kept.pairs), tuple(kept.keep)) == ({}, ("Foo", "Bar"))
    both = glossary_of(parser.parse_args(["--keep", "Foo", "--glossary", str(path)]))
    assert dict(both.pairs)["Hund"] == "Dog"
    assert "Foo" in both.keep


WRONG = Translation(
    text="5,59260 inhabitants",
    flags=("numbers", "retried"),
    sentences=(
        SentenceTranslation(separator="", source="Gut.", text="Good."),
        SentenceTranslation(
            separator=" ",
            source="5.592.260 Einwohner",
            text="5,59260 inhabitants",
            flags=("numbers", "retried"),
            numbers=WrongNumbers(("5.592.260",), ()),
        ),
    ),
)


def test_nothing_is_said_of_what_is_right(capsys: Capture) -> None:
    report = FlagReport()
    report.add([Translation(text="a")])
    report.print("Lines")
    assert capsys.readouterr().err == ""


def test_sentences_with_wrong_numbers_are_shown(capsys: Capture) -> None:
    report = FlagReport()
    assert report.counted(lambda _: [WRONG])(["x"]) == [WRONG]
    report.print("Lines")
    counts, shown = capsys.readouterr().err.splitlines()
    assert counts.startswith("Lines translated once more, since a sentence ran in circles,")
    assert counts.endswith("; with numbers to be checked: 1")
    assert shown == (
        "check the numbers: 5.592.260 Einwohner → 5,59260 inhabitants "
        "(only in the source: 5.592.260; only in the translation: nothing)"
    )


def test_not_all_of_many_are_shown(capsys: Capture) -> None:
    report = FlagReport()
    report.add([WRONG] * 50)
    report.print("Lines")
    assert len(capsys.readouterr().err.splitlines()) == 1 + SHOWN


def test_pairs_are_scored_line_by_line(directory: str, tmp_path: Path, capsys: Capture) -> None:
    source, translations = tmp_path / "a.de", tmp_path / "a.en"
    source.write_text("Der Hund.\nDie Katze.\n")
    translations.write_text("The dog.\n\n")
    command = ["score", "--model", directory, "--input", str(source)]
    command += ["--translations", str(translations)]
    assert main(command) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.keys() for line in found] == [{"log_prob", "score", "num_pieces"}] * 2
    assert found[1]["num_pieces"] == 1  # an empty translation is its end alone
    out = tmp_path / "scores.jsonl"
    assert main([*command, "--pieces", "--output", str(out)]) == 0
    first = json.loads(out.read_text().splitlines()[0])
    assert first["pieces"][-1][0] == "</s>"
    assert sum(log_prob for _, log_prob in first["pieces"]) == pytest.approx(
        first["log_prob"], abs=1e-2
    )


def test_files_that_do_not_fit_are_told_before_any_work(tmp_path: Path, capsys: Capture) -> None:
    source, translations = tmp_path / "a.de", tmp_path / "a.en"
    source.write_text("a\nb\n")
    translations.write_text("a\n")
    command = ["score", "--model", "/nowhere", "--input", str(source), "--translations"]
    assert main([*command, str(translations)]) == 1
    assert "a.de: 2, of " in capsys.readouterr().err
    assert main([*command, "/none"]) == 1
    assert capsys.readouterr().err == "error: /none: no such file\n"


def test_attention_is_drawn(directory: str, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "map.png"
    arguments = ["attention", "--model", directory, "Der", "Hund.", "--output", str(out)]
    assert main([*arguments, "--target-text", "The dog."]) == 0
    assert out.read_bytes()[:4] == b"\x89PNG"
    assert "Der Hund. → The dog." in capsys.readouterr().out
    assert main(["attention", "--model", directory, " ", "--output", str(out)]) == 1
    assert "error: the text is empty; give a sentence" in capsys.readouterr().err
    assert main([*arguments, "--layer", "9"]) == 1
    assert "has layers 1 to 2" in capsys.readouterr().err
