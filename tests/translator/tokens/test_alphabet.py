"""A letter or a script is known if a vocabulary has learned it, not if it has seen it once."""

from __future__ import annotations

import io
import math
import random

import pytest
import sentencepiece

from tests.toy import toy_pairs
from translator.pipeline.translator import DEFAULT_MODEL
from translator.text.characters import Alphabet
from translator.tokens.alphabet import Likelihood, alphabet_of, known_scripts
from translator.tokens.tokenizer import Tokenizer

LATIN = [f"▁{first}{second}" for first in "abcdefghijklmnop" for second in "abcdefghijklmnop"]


def test_a_few_letters_make_no_script() -> None:
    assert known_scripts([*LATIN, "Ж", "я", "7", "▁", "。"]) == {"LATIN"}
    assert known_scripts([*LATIN, "Ж", "я", "▁да"]) == {"LATIN", "CYRILLIC"}


def test_a_hundred_words_make_a_script_in_any_vocabulary() -> None:
    russian = [f"{first}{second}" for first in "абвгдежзик" for second in "абвгдежзик"]
    latin = LATIN * 50
    assert known_scripts([*latin, *russian]) == {"LATIN", "CYRILLIC"}
    assert known_scripts([*latin, *russian[1:]]) == {"LATIN"}
    assert known_scripts([*latin, *"абвгдежзик" * 12]) == {"LATIN"}, "letters tell less than words"


def test_scripts_without_words_are_known_by_their_letters() -> None:
    assert known_scripts([*"東京大阪名古屋", *LATIN]) == {"LATIN", "CJK"}


def made(pieces: list[str], **log_probs: float) -> Alphabet:
    return alphabet_of([*LATIN, *pieces], lambda piece: log_probs.get(piece, -math.inf))


def test_a_letter_is_known_by_its_probability_or_a_longer_piece() -> None:
    found = made([*"éïłżü–", "ür"], é=-9.5, ï=-13.0, ł=-13.3, ż=-13.5)
    assert found.known is not None
    assert {*"éïłżüñ–a1"} & found.known == {*"éïłü–a1"}, "an ñ would be bytes"
    assert {*"éïłżüñ–a1"} & found.sure == {*"éü–a1"}


def test_a_capital_is_known_by_the_small_letter_if_that_is_one_of_the_language() -> None:
    """As of French, where `Ê` is rarer than any Polish letter is in English news."""
    assert {*"êÊíÍ"} & made([*"êÊíÍ", "êt", "tê", "mê", "ín"]).sure == {*"êÊí"}


def test_a_letter_of_one_word_only_is_not_known() -> None:
    """As in a vocabulary that has `▁Saṅgha`, and writes any other `ṅ` as bytes."""
    found = made(["▁saṅgha", "ń@@", "▁ó", "mó", "ań"])
    assert found.reads("ńó")
    assert not found.reads("ṅ")


def test_letters_of_a_script_without_capitals_are_known_if_they_are_pieces() -> None:
    found = made([*"東京大阪ʻ"])
    assert found.reads("東京")
    assert not found.reads("東鯨")
    assert not found.reads("Hawaiʻi")


@pytest.fixture(scope="module")
def shipped() -> Alphabet:
    return Tokenizer.load(DEFAULT_MODEL / "tokenizer.model").alphabet


def test_the_shipped_model_reads_latin_only(shipped: Alphabet) -> None:
    assert shipped.scripts == {"LATIN"}


@pytest.mark.parametrize(
    "word", ["Größe", "ÄRGER", "Café", "Señor", "García", "naïve", "façade", "rôle", "à", "…", "„"]
)
def test_the_shipped_model_reads_ordinary_words(shipped: Alphabet, word: str) -> None:
    assert shipped.reads(word)


@pytest.mark.parametrize(
    "word",
    [
        *("Żuk", "Łódź", "Çelik", "Œuvre", "Íris", "Hồng", "Ștefan", "Ñandú", "château", "ð"),
        *("١٢٣", "日", "ب"),
    ],
)
def test_the_shipped_model_does_not_read_names_that_it_would_misspell(
    shipped: Alphabet, word: str
) -> None:
    assert not shipped.reads(word)


@pytest.fixture(scope="module", params=["unigram", "bpe"])
def likelihood(request: pytest.FixtureRequest) -> Likelihood:
    lines = [line for pair in toy_pairs(300, random.Random(0)) for line in pair]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        vocab_size=150,
        model_type=request.param,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return Likelihood(sentencepiece.SentencePieceProcessor(model_proto=model.getvalue()))


def test_the_usual_spelling_is_the_most_probable(likelihood: Likelihood) -> None:
    usual = likelihood.log_prob("Hund")
    assert usual < 0
    assert usual > likelihood.log_prob("hund")
    assert usual > likelihood.log_prob("HUND")


def test_what_is_not_known_is_least_probable(likelihood: Likelihood) -> None:
    assert likelihood.log_prob("鼠") < min(likelihood.log_prob(one) for one in ("Hund", "z", "der"))
    assert likelihood.log_prob("") == 0
