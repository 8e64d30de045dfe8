"""What is measured: sentences as the engine reads them, and a random model of known lengths."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.benchmarks.decoding.subject import (
    FORMS,
    LONGEST_RANDOM,
    RANDOM_TARGET_IDS,
    first_target,
    random_subject,
    read_subject,
)
from translator.errors import UnsupportedLanguageError
from translator.store.model_directory import LoadedModel


def test_a_trained_model_and_real_sentences(directory: Path, loaded: LoadedModel) -> None:
    lines = ["Der Hund sieht die Katze.", "", "Das Kind.", "Der Mann hört den Vogel."]
    (directory / "b.de").write_text("\n".join(lines) + "\n")
    subject, tokenizer = (
        read_subject(directory / "model", directory / "b.de", "de"),
        loaded.tokenizer,
    )
    expected = [tokenizer.encode_source(line, "en") for line in lines if line]
    assert sorted(subject.sources) == sorted(expected)
    assert subject.name == "model, b.de"
    assert subject.target_ids == 0, "the model decides"
    assert subject.pieces[tokenizer.eos_id] == "</s>"
    assert subject.options == loaded.description.decoding


def test_the_order_is_random_and_always_the_same(directory: Path) -> None:
    lines = [f"Der Hund {'sieht ' * count}" for count in range(30)]
    (directory / "b.de").write_text("\n".join(lines) + "\n")
    first, second = (read_subject(directory / "model", directory / "b.de", "de") for _ in range(2))
    assert first.sources == second.sources
    assert first.sources != sorted(first.sources, key=len)


def test_the_first_language_possible(loaded: LoadedModel) -> None:
    directions = ("en-de", "de-fr", "de-en")
    description = dataclasses.replace(
        loaded.description, languages=("de", "en", "fr"), directions=directions
    )
    assert first_target(description, "de") == "fr"
    assert first_target(description, "en") == "de"
    with pytest.raises(UnsupportedLanguageError, match="fr: the model translates en-de, de-fr"):
        first_target(description, "fr")


def test_random_sentences_have_all_lengths_and_no_special_ids() -> None:
    subject = random_subject("bergamot-tiny", 300)
    assert {len(source) for source in subject.sources} <= set(range(1, LONGEST_RANDOM + 1))
    assert len({len(source) for source in subject.sources}) > 60
    ids = {piece_id for source in subject.sources for piece_id in source}
    assert min(ids) >= 4
    assert max(ids) < FORMS["bergamot-tiny"].vocab_size == len(set(subject.pieces)) == 32_000
    assert subject.name == "bergamot-tiny: random weights, d256, 6+2 layers, V 32,000"
    assert subject.target_ids == RANDOM_TARGET_IDS
    assert set(subject.special_ids.forbidden_ids) == {0, 1, 2, 3}
    assert random_subject("bergamot-tiny", 5).sources == subject.sources[:5]
