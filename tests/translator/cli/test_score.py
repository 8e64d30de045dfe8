"""Scores of given translations by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from translator.cli.main import main


def test_pairs_are_scored_line_by_line(
    directory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_files_that_do_not_fit_are_told_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, translations = tmp_path / "a.de", tmp_path / "a.en"
    source.write_text("a\nb\n")
    translations.write_text("a\n")
    command = ["score", "--model", "/nowhere", "--input", str(source), "--translations"]
    assert main([*command, str(translations)]) == 1
    assert "a.de: 2, of " in capsys.readouterr().err
    assert main([*command, "/none"]) == 1
    assert capsys.readouterr().err == "error: /none: no such file\n"
