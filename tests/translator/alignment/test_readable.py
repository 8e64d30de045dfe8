"""Sentences as the model reads them once more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from translator.alignment.readable import names_of, readable, readable_pair
from translator.text.characters import Alphabet, symbols
from translator.tokens.tokenizer import Tokenizer


def test_spans_are_shown_in_another_way() -> None:
    sentence = "Führe ls -l aus"
    read = readable(sentence, [((6, 11), "X")])
    assert read.text == "Führe X aus"
    assert [read.offset_of(place) for place in (0, 6, 11, 12)] == [0, 6, 7, 8]
    assert [read.place_of(offset) for offset in (0, 6, 7, 8)] == [0, 6, 11, 12]


def test_the_same_span_has_the_same_name(tokenizer: Tokenizer) -> None:
    assert names_of(["a", "b", "a"], tokenizer) == {}  # the toy vocabulary has no placeholders


def test_both_have_the_same_placeholder_for_a_span() -> None:
    tokenizer: Any = SimpleNamespace(num_placeholders=2, alphabet=Alphabet(frozenset({"LATIN"})))
    pair = readable_pair("Führe `ls` aus", [(6, 10)], "Run `ls` now, not `cd`", tokenizer)
    [first, _] = symbols(2)
    assert [one.text for one in pair] == [f"Führe {first} aus", f"Run {first} now, not `cd`"]
    assert pair[1].place_of(len("Run X now")) == len("Run `ls` now")


def test_a_name_that_the_model_cannot_spell_has_a_placeholder() -> None:
    alphabet = Alphabet(frozenset({"LATIN"}), frozenset(map(chr, range(128))))
    tokenizer: Any = SimpleNamespace(num_placeholders=2, alphabet=alphabet)
    source, target = readable_pair("Frau Żuk ruht", [(5, 8)], "Ms Żuk rests", tokenizer)
    [first, _] = symbols(2)
    assert (source.text, target.text) == (f"Frau {first} ruht", f"Ms {first} rests")
