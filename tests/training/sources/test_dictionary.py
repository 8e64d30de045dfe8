"""A dictionary becomes pairs of plain text: no marks, no patterns, nothing obsolete."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.cli import main
from training.data.corpus import SentencePair
from training.sources.dictionary import keep_usual, read_dictionary

ENTRIES = """\
# Version :: devel
Orkan {m} (Windstärke 12) [meteo.] | Orkane {pl} :: hurricane (wind force 12) | hurricanes
Ort {m} des Geschehens; Schauplatz | Die Feuerwehr war da. :: scene | Firefighters arrived/came.
etw. aufwühlen {vt} (Boden, Wasser) :: to churn up <> sth. (soil, water)
Minimal…; Mindest… | Mindestgröße {f} :: minimum | minimum size
Muhme {f} [veraltet]; Tante {f} :: aunt
Gesichtserker {m} [obs.] :: nose
a; b; c; d :: e
ungleich | zwei :: unequal
nur Deutsch
"""


def pairs_of(text: str) -> list[tuple[str, str]]:
    return [(pair.source, pair.target) for pair in read_dictionary(text.splitlines())]


def test_forms_are_paired_and_marks_are_left_out() -> None:
    assert pairs_of(ENTRIES) == [
        ("Orkan", "hurricane"),
        ("Orkane", "hurricanes"),
        ("Ort des Geschehens", "scene"),
        ("Schauplatz", "scene"),
        ("Die Feuerwehr war da.", "Firefighters arrived."),
        ("etwas aufwühlen", "to churn up something"),
        ("Mindestgröße", "minimum size"),
        ("Tante", "aunt"),
        ("a", "e"),
        ("b", "e"),
        ("c", "e"),
    ]


def test_nothing_is_said_twice() -> None:
    assert pairs_of("Hund {m} :: dog\nHund :: dog (animal)") == [("Hund", "dog")]


def test_apostrophes_are_those_of_keyboards() -> None:
    assert pairs_of("Ich fass’ es nicht. :: I can’t get over sb.’s luck .") == [
        ("Ich fass' es nicht.", "I can't get over somebody's luck.")
    ]


def test_only_usual_words_are_kept() -> None:
    pairs = [
        SentencePair("Hund", "dog"),
        SentencePair("Hund", "Canis"),
        SentencePair("Tapir", "dog"),
    ]
    assert list(keep_usual(pairs, [{"hund"}, {"dog"}])) == pairs[:1]


def run(tmp_path: Path, entries: str, *more: str) -> int:
    (tmp_path / "list").write_text(entries)
    return main(
        ["read-dictionary", "--input", f"{tmp_path}/list", "--out", f"{tmp_path}/out", *more]
    )


def test_words_and_phrases_are_written_apart(tmp_path: Path) -> None:
    assert run(tmp_path, ENTRIES) == 0
    found = {path.name: path.read_text().splitlines() for path in (tmp_path / "out").iterdir()}
    assert found["phrases.de"] == ["Die Feuerwehr war da.", "etwas aufwühlen"]
    assert found["phrases.en"] == ["Firefighters arrived.", "to churn up something"]
    assert len(found["words.de"]) == len(found["words.en"]) == 9


def test_texts_say_what_is_usual(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("Ein Orkan!\nEIN ORKAN, Tante\n")
    (tmp_path / "a.en").write_text("aunt aunt hurricane\nHurricane\n")
    texts = [f"{tmp_path}/a.de", f"{tmp_path}/a.en"]
    assert run(tmp_path, ENTRIES, "--usual-in", *texts) == 0
    assert (tmp_path / "out" / "words.de").read_text() == "Orkan\n"
    assert (tmp_path / "out" / "words.en").read_text() == "hurricane\n"


def test_a_file_in_another_form_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "Hund\tdog\n") == 1
    assert "has no entry in the form" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_usual_words_are_needed_for_both_languages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.de").write_text("Ein Orkan\n")
    assert run(tmp_path, ENTRIES, "--usual-in", f"{tmp_path}/a.de") == 1
    assert "names no file that ends in .en" in capsys.readouterr().err
