"""What cleaning drops, what it must keep, and what it tells."""

from __future__ import annotations

import gzip
import json
import lzma
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.toy import toy_pairs
from training.cli import main
from training.data.cleaning import Cleaner, CleaningConfig, HeldOut, PairJudge, fingerprint
from training.data.corpus import CleaningReport, SentencePair
from translator.store.model_directory import LoadedModel, save_model_directory


def cleaned(
    pairs: list[SentencePair],
    report: CleaningReport | None = None,
    held_out: HeldOut | None = None,
    **settings: Any,
) -> list[SentencePair]:
    config = CleaningConfig(**({"max_words": 5} | settings))
    cleaner = Cleaner(config, ("de", "en"), held_out)
    return list(cleaner.clean(pairs, report or CleaningReport()))


def test_cleaning_counts_what_it_drops_by_reason() -> None:
    pairs = [
        SentencePair("Ein Hund.", "A dog."),
        SentencePair("Ein Hund.", "A dog."),
        SentencePair("Ein Hund.", "One dog."),
        SentencePair("", "A dog."),
        SentencePair("a b c d e f", "A dog."),
        SentencePair("Ja.", "x" * 70),
    ]
    report = CleaningReport()
    kept = cleaned(pairs, report=report)
    assert kept == [pairs[0], pairs[2]]
    assert report.num_kept == 2
    assert report.dropped == {
        "repeated pair": 1,
        "empty side": 1,
        "over 5 words": 1,
        "length ratio over 4": 1,
    }


def test_repetitions_may_be_kept_and_survive_other_faults() -> None:
    pairs = [SentencePair("a", "b"), SentencePair("a", ""), SentencePair("a", "b")]
    report = CleaningReport()
    kept = list(cleaned(pairs, report=report, deduplicate="none"))
    assert kept == [pairs[0], pairs[2]]
    assert report.dropped == {"empty side": 1}


def test_equal_pairs_are_those_with_equal_sides_in_equal_order() -> None:
    pairs = [SentencePair(*sides) for sides in (("a", "b"), ("b", "a"), ("ab", ""), ("a", "b"))]
    report = CleaningReport()
    assert cleaned(pairs, report=report) == pairs[:2]
    assert report.dropped == {"empty side": 1, "repeated pair": 1}


@pytest.mark.parametrize(("longer", "kept"), [(4 * 12, True), (4 * 12 + 1, False)])
def test_the_ratio_gives_short_sides_some_room(longer: int, kept: bool) -> None:
    for pair in (SentencePair("Ja", "x" * longer), SentencePair("x" * longer, "Ja")):
        assert bool(cleaned([pair])) == kept


@pytest.mark.parametrize(
    ("setting", "source", "target", "reason"),
    [
        ("copies", "the same four words", "The same four words!", "sides are equal"),
        ("repetitions", "ja ja ja ja ja", "yes", "repetition"),
        ("repetitions", "x" * 10, "x", "repetition"),
        ("same_numbers", "im Jahr 1912", "in 1921 or so, 1", "other numbers"),
        ("markup", "ein <b>Hund</b>", "a dog", "mark-up"),
        ("markup", "ein Hund", "a dog &nbsp;", "mark-up"),
        ("markup", ":::no-loc(Identity):::", "Identity", "mark-up"),
        ("script", "Привет, мир", "Hello, world", "another script"),
        (
            "languages",
            "This sentence was never translated into the language that it should be in.",
            "This sentence was never translated into the other language.",
            "another language",
        ),
    ],
)
def test_each_fault_is_found_if_looked_for(
    setting: str, source: str, target: str, reason: str
) -> None:
    pair, report = SentencePair(source, target), CleaningReport()
    wanted: dict[str, Any] = {setting: True}
    assert cleaned([pair], report, max_words=50, **wanted) == []
    assert report.dropped == {reason: 1}
    assert report.examples == {reason: [pair]}
    assert cleaned([pair], max_words=50) == [pair], "unless asked for, it is kept"


GOOD = [
    ("Die Temperatur a < b beträgt 1.234,5 °C", "The temperature a < b is 1,234.5 °C"),
    ("Zwei Hunde", "2 dogs"),
    ("sehr, sehr, sehr gut", "very, very, very good"),
    ("München", "Munich"),
    ("Paris", "Paris"),
    ("Ich bin achtzehn.", "I am 18."),
    ("Der Typ ist List<string>, nicht <name>.", "The type is List<string>, not <name>."),
    ("C++ & Qt 6", "C++ & Qt 6"),
    ("Das α-Teilchen heißt nach Ελλάδα", "The α particle is named for Ελλάδα"),
]


def test_good_pairs_pass_every_check() -> None:
    everything: dict[str, Any] = dict.fromkeys(
        ("copies", "repetitions", "same_numbers", "markup", "script", "languages"), True
    )
    pairs = [SentencePair(*sides) for sides in GOOD]
    assert cleaned(pairs, max_words=50, min_letters=0.4, **everything) == pairs


def test_as_much_as_is_allowed_is_kept() -> None:
    words = SentencePair("a b c d e", "f g h i j")
    lengths = [SentencePair("x" * 10, "y" * count) for count in (80, 81)]
    assert cleaned([words, *lengths]) == [words, lengths[0]]


def test_a_side_of_signs_has_few_letters() -> None:
    pairs = [SentencePair("--- 12.5 ---", "dash"), SentencePair("gut", "good")]
    report = CleaningReport()
    assert cleaned(pairs, report, min_letters=0.5) == pairs[1:]
    assert report.dropped == {"few letters": 1}


def test_near_duplicates_differ_in_case_digits_and_punctuation_only() -> None:
    pairs = [SentencePair("Seite 1.", "Page 1."), SentencePair("seite 2", "page 2!")]
    assert cleaned(pairs) == pairs
    assert cleaned(pairs, deduplicate="near") == pairs[:1]


def test_held_out_sentences_are_never_trained_on() -> None:
    held_out = HeldOut(["Ein Hund!", "12"])
    pairs = [
        SentencePair("ein hund", "a dog"),
        SentencePair("Hund", "ein Hund."),
        SentencePair("zwei Hunde", "two dogs"),
        SentencePair("13", "13"),
    ]
    report = CleaningReport()
    assert cleaned(pairs, report, held_out) == pairs[2:]
    assert report.dropped == {"in a development or test part": 2}
    assert cleaned(pairs, held_out=held_out) != cleaned(pairs, held_out=None)


def test_examples_are_few() -> None:
    report = CleaningReport()
    cleaned([SentencePair(str(n), "") for n in range(100)], report)
    assert (report.dropped, len(report.examples["empty side"])) == ({"empty side": 100}, 3)


def test_fingerprints_are_the_same_in_every_process() -> None:
    assert fingerprint("ä", "b") == 17555035253931279855 != fingerprint("äb", "")


def test_users_clean_their_own_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "raw.de.gz").write_bytes(gzip.compress(b"ein Hund\n\nzwei\n"))
    (tmp_path / "raw.en.xz").write_bytes(lzma.compress(b"a dog\nnothing\ntwo\n"))
    (tmp_path / "test.en").write_text("Two!\n")
    out = tmp_path / "out"
    sides = ["--input", str(tmp_path / "raw.de.gz"), str(tmp_path / "raw.en.xz")]
    held_out = ["--held-out", str(tmp_path / "test.en")]
    assert main(["clean", *sides, *held_out, "--out", str(out), "--set", "markup=true"]) == 0
    assert (out / "clean.de").read_text() == "ein Hund\n"
    assert (out / "clean.en").read_text() == "a dog\n"
    report = json.loads((out / "report.json").read_text())
    assert report["dropped"] == {"empty side": 1, "in a development or test part": 1}
    assert "3 pairs read; dropped: 1 empty side, 1 in a" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "markupp=true"], "markupp: unknown key; did you mean markup?"),
        (["--set", "markup"], "must look like markup=true"),
        (["--held-out", "nowhere.de"], "nowhere.de: no such file"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    for name in ("a.de", "a.en"):
        (tmp_path / name).write_text("x\n")
    sides = ["--input", str(tmp_path / "a.de"), str(tmp_path / "a.en")]
    assert main(["clean", *sides, "--out", str(tmp_path / "out"), *arguments]) == 1
    [line] = capsys.readouterr().err.strip().splitlines()
    assert message in line
    assert not (tmp_path / "out").exists()


def test_empty_files_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = [tmp_path / "a.de", tmp_path / "a.en"]
    for path in sides:
        path.touch()
    assert main(["clean", "--input", *map(str, sides), "--out", str(tmp_path / "out")]) == 1
    assert f"error: {sides[0]}, {sides[1]}: are empty" in capsys.readouterr().err


PAIRS = [SentencePair(*pair) for pair in dict.fromkeys(toy_pairs(6, random.Random(5)))]


@pytest.fixture
def judge(tmp_path: Path, loaded: LoadedModel) -> PairJudge:
    path = tmp_path / "model"
    weights = loaded.model.state_dict()
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, {})
    return PairJudge(path)


def by_hand(loaded: LoadedModel, source: str, target: str, language: str) -> float:
    """Return the nats a piece of a target, found piece by piece."""
    tokenizer, model = loaded.tokenizer, loaded.model.eval()
    src = torch.tensor([tokenizer.encode_source(source, language)])
    ids = [tokenizer.bos_id, *tokenizer.encode(target), tokenizer.eos_id]
    nats = 0.0
    with torch.inference_mode():
        for end in range(1, len(ids)):
            logits = model(src, torch.tensor([ids[:end]]), None)[0, -1]
            nats -= math.log(float(logits.softmax(0)[ids[end]]))
    return nats / (len(ids) - 1)


def test_cross_entropy_is_that_of_each_pair_alone(judge: PairJudge, loaded: LoadedModel) -> None:
    found = judge.cross_entropy([pair.sides for pair in PAIRS], "en")
    wanted = [by_hand(loaded, *pair.sides, "en") for pair in PAIRS]
    np.testing.assert_allclose(found, wanted, rtol=0.02)  # the directory has 16-bit weights


def test_both_directions_count_and_so_does_their_difference(
    judge: PairJudge, loaded: LoadedModel
) -> None:
    for pair, found in zip(PAIRS, judge.improbability(PAIRS, ("de", "en")), strict=True):
        there = by_hand(loaded, pair.source, pair.target, "en")
        back = by_hand(loaded, pair.target, pair.source, "de")
        assert found == pytest.approx(abs(there - back) + (there + back) / 2, rel=0.05)


def test_the_order_of_pairs_does_not_matter(judge: PairJudge) -> None:
    first = judge.improbability(PAIRS, ("de", "en"))
    again = judge.improbability(PAIRS[::-1], ("de", "en"))
    np.testing.assert_allclose(first, again[::-1], rtol=1e-4)


def test_no_pairs_are_no_work(judge: PairJudge) -> None:
    assert judge.improbability([], ("de", "en")).shape == (0,)
