"""What a report shows of single sentences."""

from __future__ import annotations

from pathlib import Path

from training.report.examples import CHARACTERS_SHOWN, SENTENCES_SHOWN, part_section
from training.report.sentences import ScoredSentence


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


def test_each_reason_has_a_few_examples(tmp_path: Path) -> None:
    many = [sentence(n, "a cat", chrf=float(n)) for n in range(1, 20)]
    worst = part_section("p", many, tmp_path).split("### ")[1]
    assert worst.startswith("Worst by chrF: p")
    assert worst.count("**line ") == SENTENCES_SHOWN
    assert "**line 1**: chrF 1.0, length ratio 1.00" in worst


def test_long_sentences_are_cut_and_mark_up_is_text(tmp_path: Path) -> None:
    text = part_section("p", [sentence(1, "*" * (CHARACTERS_SHOWN + 7))], tmp_path)
    assert r"\*" * CHARACTERS_SHOWN + " *(and 7 characters more)*" in text
