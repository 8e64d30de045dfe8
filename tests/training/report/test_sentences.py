"""Sentences have scores of their own, and a reader sees the most telling ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.report import document
from training.report.document import CHARACTERS_SHOWN, SENTENCES_SHOWN, part_section
from training.report.sentences import (
    ScoredSentence,
    list_parts,
    read_sentences,
    score_sentences,
    selections,
)
from translator.errors import InputError


def write(folder: Path, **sides: list[str]) -> None:
    for side, lines in sides.items():
        suffix = "" if side == "hyp" else f".{side}"
        (folder / f"toy.test.de-en{suffix}.txt").write_text("".join(line + "\n" for line in lines))


def test_a_part_is_read_line_by_line(tmp_path: Path) -> None:
    write(tmp_path, src=["ein Hund", "zwei"], ref=["a dog", "two"], hyp=["a dog", ""])
    (tmp_path / "scores.json").write_text("{}")
    assert list_parts(tmp_path) == ["toy.test.de-en"]
    first, second = read_sentences(tmp_path, "toy.test.de-en")
    assert (first.line, first.source, first.reference, first.hypothesis) == (
        1,
        "ein Hund",
        "a dog",
        "a dog",
    )
    assert first.chrf == pytest.approx(100.0)
    assert first.length_ratio == 1.0
    assert (second.line, second.chrf, second.length_ratio) == (2, 0.0, 0.0)


def test_a_missing_side_is_named_with_what_to_do(tmp_path: Path) -> None:
    write(tmp_path, src=["ein Hund"], hyp=["a dog"])
    message = r"toy\.test\.de-en\.ref\.txt: No such file.*; delete \.evaluate\.done and run"
    with pytest.raises(InputError, match=message):
        read_sentences(tmp_path, "toy.test.de-en")


def test_sides_that_are_not_aligned_are_refused(tmp_path: Path) -> None:
    write(tmp_path, src=["eins", "zwei"], ref=["one", "two"], hyp=["one"])
    with pytest.raises(InputError, match="2 sources, 2 references and 1 translations are not"):
        read_sentences(tmp_path, "toy.test.de-en")


def test_selections_take_the_extremes_and_longer_ones_among_equals() -> None:
    sources = ["aaa", "b" * 20, "c" * 10, "d" * 12]
    references = ["one", "a tall tree", "dog", "the black cat"]
    hypotheses = ["one", "a tall tree", "a dog and a dog and a dog", "q"]
    chosen = selections(score_sentences(sources, references, hypotheses), 2)
    assert {reason: [s.line for s in sentences] for reason, sentences in chosen.items()} == {
        "Worst by chrF": [4, 3],
        "Best by chrF": [2, 1],
        "Longest": [2, 4],
        "Most shortened": [4, 2],
        "Most lengthened": [3, 2],
    }


def sentence(
    line: int, hypothesis: str, reference: str = "a dog", chrf: float = 50.0
) -> ScoredSentence:
    return ScoredSentence(
        line=line, source="ein Hund", reference=reference, hypothesis=hypothesis, chrf=chrf
    )


def test_a_part_is_counted_and_drawn(tmp_path: Path) -> None:
    shown = [sentence(1, "a dog"), sentence(2, "ein Hund"), sentence(3, " "), sentence(4, "x")]
    text = part_section("toy.test.de-en", shown, tmp_path)
    assert "4 sentences. Of their translations 1 equal the reference, 1 equal the source" in text
    assert "and 1 are empty." in text
    assert (tmp_path / "sentences-toy.test.de-en.png").stat().st_size > 1000
    assert "translation: *(empty)*" in text


def test_each_reason_has_a_few_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "plot_sentences", lambda *_: None)
    many = [sentence(n, "a cat", chrf=float(n)) for n in range(1, 20)]
    worst = part_section("p", many, tmp_path).split("### ")[1]
    assert worst.startswith("Worst by chrF: p")
    assert worst.count("**line ") == SENTENCES_SHOWN
    assert "**line 1**: chrF 1.0, length ratio 1.00" in worst


def test_long_sentences_are_cut_and_mark_up_is_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "plot_sentences", lambda *_: None)
    text = part_section("p", [sentence(1, "*" * (CHARACTERS_SHOWN + 7))], tmp_path)
    assert r"\*" * CHARACTERS_SHOWN + " *(and 7 characters more)*" in text
