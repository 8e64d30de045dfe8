"""The characters that stand for what is not language."""

from __future__ import annotations

import unicodedata

from translator.text.characters import has_letters
from translator.text.placeholders import MAX_PLACEHOLDERS, PLACEHOLDER, placeholders_in, symbols


def test_placeholders_are_the_first_of_the_private_use_area() -> None:
    assert symbols(3) == ["\ue001", "\ue002", "\ue003"]
    assert symbols(0) == []
    every = symbols(MAX_PLACEHOLDERS)
    assert every[-1] == "\ue040"
    assert {unicodedata.category(symbol) for symbol in every} == {"Co"}
    assert not has_letters("".join(every)), "a text of placeholders has nothing to translate"


def test_exactly_the_placeholders_are_recognised() -> None:
    assert all(PLACEHOLDER.fullmatch(symbol) for symbol in symbols(MAX_PLACEHOLDERS))
    assert not any(map(PLACEHOLDER.search, ("\ue000", "\ue041", "\uf8ff", "a", "%1", "")))


def test_placeholders_of_a_text_are_sorted_and_keep_their_number() -> None:
    assert placeholders_in("b\ue003 a\ue001\ue003 \ue041") == ["\ue001", "\ue003", "\ue003"]
    assert placeholders_in("der Hund") == []
