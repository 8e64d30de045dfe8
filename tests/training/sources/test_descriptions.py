"""Descriptions of packages become pairs of titles and sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.cli import main
from training.sources.descriptions import pair_up, read_descriptions

GERMAN = """\
Package: puzzle
Description-md5: 0f25c2
Description-de: Rätselspiel
 Ein Spiel, in dem Sie Kacheln
 umherschieben. Es macht Spaß.
 .
 Es kann:
  * Punkte zählen
 .
 Der letzte Absatz.

Package: only-german
Description-md5: 2543c2
Description-de: Nur deutsch

Package: longer
Description-md5: 77aa00
Description-de: Ein Titel
 Ein Absatz.
"""
ENGLISH = """\
Package: puzzle
Description-md5: 0f25c2
Description-en: puzzle game
 A game in which you push tiles
 around. It is fun.
 .
 It can:
  * keep score
 .
 The last paragraph.

Package: longer
Description-md5: 77aa00
Description-en: a title
 One paragraph.
 .
 One more.
"""


def test_titles_and_sentences_are_paired_and_lists_left_out() -> None:
    both = [read_descriptions(text.splitlines()) for text in (GERMAN, ENGLISH)]
    assert [language for language, _ in both] == ["de", "en"]
    assert [pair.sides for pair in pair_up(("de", "en"), (both[0][1], both[1][1]))] == [
        ("Rätselspiel", "puzzle game"),
        ("Ein Spiel, in dem Sie Kacheln umherschieben.", "A game in which you push tiles around."),
        ("Es macht Spaß.", "It is fun."),
        ("Der letzte Absatz.", "The last paragraph."),
    ]


def test_the_command_writes_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / f"Translation-{code}" for code in ("de", "en")]
    for path, text in zip(files, (GERMAN, ENGLISH), strict=True):
        path.write_text(text, "utf-8")
    assert main(["read-descriptions", "--input", *map(str, files), "--out", str(tmp_path)]) == 0
    assert (tmp_path / "descriptions.en").read_text("utf-8").splitlines()[0] == "puzzle game"
    assert "4 pairs in" in capsys.readouterr().out


def test_a_file_without_descriptions_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Translation-de"
    path.write_text("Package: x\n", "utf-8")
    assert main(["read-descriptions", "--input", str(path), str(path), "--out", str(tmp_path)])
    assert "Description-LANGUAGE" in capsys.readouterr().err
