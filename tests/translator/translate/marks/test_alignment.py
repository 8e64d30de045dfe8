"""Attention of many pairs at a time, in places of their texts."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.toy import toy_pairs
from translator.model.transformer import Transformer
from translator.tokens.tokenizer import Tokenizer
from translator.translate.marks.alignment import align, names_of, places_of, readable

PAIRS = toy_pairs(3, random.Random(0))


def test_each_piece_has_a_row_and_a_place(model: Transformer, tokenizer: Tokenizer) -> None:
    for (source, target), found in zip(PAIRS, align(model, tokenizer, PAIRS, "en"), strict=True):
        assert found is not None
        assert found.weights.shape == (len(found.target), len(found.source))
        assert "".join(source[slice(*span)] for span in found.source) == source.replace(" ", "")
        assert "".join(target[slice(*span)] for span in found.target) == target.replace(" ", "")


def test_company_changes_nothing(model: Transformer, tokenizer: Tokenizer) -> None:
    together = align(model, tokenizer, PAIRS, "en")
    for pair, found in zip(PAIRS, together, strict=True):
        [alone] = align(model, tokenizer, [pair], "en")
        assert alone is not None
        assert found is not None
        np.testing.assert_allclose(found.weights, alone.weights, atol=1e-5)


def test_a_pair_that_is_too_long_has_none(model: Transformer, tokenizer: Tokenizer) -> None:
    called: list[int] = []
    found = align(
        model, tokenizer, [("Hund " * 500, "dog"), PAIRS[0]], "en", lambda: called.append(1)
    )
    assert [one is None for one in found] == [True, False]
    assert called == [1]


@pytest.mark.parametrize(
    ("text", "pieces", "expected"),
    [
        ("Der Hund", ["▁Der", "▁Hu", "nd"], ["Der", "Hu", "nd"]),
        ("a € b", ["▁a", "▁", "<0xE2>", "<0x82>", "<0xAC>", "▁b"], ["a", "", "", "", "", "b"]),
    ],
)
def test_places_of_pieces(text: str, pieces: list[str], expected: list[str]) -> None:
    assert [text[slice(*span)] for span in places_of(text, pieces)] == expected


def test_spans_are_shown_in_another_way() -> None:
    sentence = "Führe ls -l aus"
    read = readable(sentence, [((6, 11), "X")])
    assert read.text == "Führe X aus"
    assert [read.offset_of(place) for place in (0, 6, 11, 12)] == [0, 6, 7, 8]
    assert [read.place_of(offset) for offset in (0, 6, 7, 8)] == [0, 6, 11, 12]


def test_the_same_span_has_the_same_name(tokenizer: Tokenizer) -> None:
    assert names_of(["a", "b", "a"], tokenizer) == {}  # the toy vocabulary has no placeholders
