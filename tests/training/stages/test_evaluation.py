"""Scores mean what they say."""

from __future__ import annotations

import random

import pytest
import sacrebleu

from tests.toy import toy_pairs
from training.stages.evaluation import compare, moses_lines, score
from translator.errors import InputError

REFERENCES = [english for _, english in toy_pairs(60, random.Random(0))]


def test_identity_is_perfect_and_everything_is_signed() -> None:
    scores = score(REFERENCES, REFERENCES, "en")
    assert scores.bleu == pytest.approx(100)
    assert scores.chrf == pytest.approx(100)
    assert scores.lc_tok_bleu == pytest.approx(100)
    assert scores.ter == 0
    printed = str(scores).splitlines()
    assert len(printed) == 4
    assert all("version:" in line for line in printed)
    assert "lower-cased, Moses-tokenised" in printed[3]
    assert "tok:13a" in printed[0]


def test_the_wrong_sentences_score_next_to_nothing() -> None:
    generator = random.Random(1)
    words = [line.split() for line in REFERENCES]
    for line in words:
        generator.shuffle(line)
    scores = score([" ".join(line) for line in reversed(words)], REFERENCES, "en")
    assert scores.bleu < 5


def test_only_the_labelled_score_ignores_case() -> None:
    lowered = [line.lower() for line in REFERENCES]
    scores = score(lowered, REFERENCES, "en")
    assert scores.lc_tok_bleu == pytest.approx(100)
    assert scores.bleu < 100


def test_moses_lines_look_like_the_published_files() -> None:
    assert moses_lines(["Ein Mann (30), »alt«, im T-Shirt."], "de") == [
        "ein mann ( 30 ) , &quot; alt &quot; , im t-shirt ."
    ]
    assert moses_lines(["A man's T-shirt says “Hi”."], "en") == [
        "a man &apos;s t-shirt says &quot; hi . &quot;"
    ]


def test_numbers_must_match() -> None:
    with pytest.raises(InputError, match="1 translations cannot be scored against 2 references"):
        score(["a"], ["a", "b"], "en")
    with pytest.raises(InputError, match="nothing to score: the reference is empty"):
        score([], [], "en")


def p_value(table: str, metric: str) -> float:
    [line] = [line for line in table.splitlines() if line.startswith(metric)]
    return float(line.rsplit("=", 1)[1])


def test_paired_bootstrap_tells_chance_from_progress() -> None:
    generator = random.Random(2)

    def noisy(share: float) -> list[str]:
        return [
            " ".join(w for w in line.split() if generator.random() > share) for line in REFERENCES
        ]

    worse = compare(noisy(0.0), noisy(0.4), REFERENCES, samples=200)
    for metric in ("BLEU", "chrF", "TER"):
        assert p_value(worse, metric) < 0.05
    # each system spoils every second sentence in the same way: there is nothing to tell apart
    first, second = (
        [line if n % 2 == parity else line[4:] for n, line in enumerate(REFERENCES)]
        for parity in (0, 1)
    )
    chance = compare(first, second, REFERENCES, samples=200)
    assert p_value(chance, "BLEU") > 0.05
    assert p_value(chance, "TER") > 0.05
    equal = compare(first, first, REFERENCES, samples=20)
    assert [p_value(equal, metric) for metric in ("BLEU", "chrF", "TER")] == [1, 1, 1]


def test_margins_are_those_of_sacrebleu_and_shrink_with_more_text() -> None:
    spoiled = [line if n % 3 else line[6:] for n, line in enumerate(REFERENCES)]
    scores = score(spoiled, REFERENCES, "en", samples=300)
    plain = score(spoiled, REFERENCES, "en")
    assert plain.margins == {}
    for name, metric in (
        ("bleu", sacrebleu.BLEU()),
        ("chrf", sacrebleu.CHRF()),
        ("ter", sacrebleu.TER()),
    ):
        theirs = metric.corpus_score(spoiled, [REFERENCES], n_bootstrap=300)
        assert getattr(scores, name) == getattr(plain, name) == theirs.score
        said = theirs.format(width=4, signature=str(metric.get_signature()), is_json=True)
        assert f'"confidence_var": {round(scores.margins[name], 4)}' in said
    few, many = spoiled[:15], spoiled * 4
    of_few = score(few, REFERENCES[:15], "en", samples=300)
    of_many = score(many, REFERENCES * 4, "en", samples=300)
    for name in scores.margins:
        assert of_many.margins[name] < scores.margins[name] < of_few.margins[name]
    assert str(scores).count(" ± ") == 4
    assert str(plain).count(" ± ") == 0
    assert "margins" in scores.as_dict()


def test_margins_where_hardly_a_word_is_right() -> None:
    scores = score(["nothing"] * 59 + REFERENCES[-1:], REFERENCES, "en", samples=100)
    assert scores.margins["bleu"] > 0
    assert score(["x"], ["y"], "en", samples=100).margins["bleu"] == 0
