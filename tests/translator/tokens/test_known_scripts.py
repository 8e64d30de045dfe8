"""A script is known if a vocabulary has learned it, not if it has seen a letter of it."""

from __future__ import annotations

from translator.tokens.known_scripts import known_scripts
from translator.tokens.tokenizer import Tokenizer
from translator.translate.translator import DEFAULT_MODEL

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


def test_the_shipped_model_reads_latin_only() -> None:
    assert Tokenizer.load(DEFAULT_MODEL / "tokenizer.model").scripts == {"LATIN"}
