"""Attention of many pairs at a time, in places of their texts."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from tests.toy import toy_pairs
from translator.alignment.alignment import Aligner, places_of
from translator.alignment.forced import PairReader
from translator.model.reference import Reference
from translator.model.transformer import Transformer
from translator.tokens.tokenizer import Tokenizer

PAIRS = toy_pairs(3, random.Random(0))


def aligner_of(model: Transformer, tokenizer: Tokenizer) -> Aligner:
    """Return one that reads with the reference."""
    return Aligner(PairReader(Reference.of(model), tokenizer.pad_id), tokenizer, "de")


def test_each_piece_has_a_row_and_a_place(model: Transformer, tokenizer: Tokenizer) -> None:
    for (source, target), found in zip(
        PAIRS, aligner_of(model, tokenizer).align(PAIRS, "en"), strict=True
    ):
        assert found is not None
        assert found.weights.shape == (len(found.target), len(found.source))
        assert "".join(source[slice(*span)] for span in found.source) == source.replace(" ", "")
        assert "".join(target[slice(*span)] for span in found.target) == target.replace(" ", "")


def test_company_changes_nothing(model: Transformer, tokenizer: Tokenizer) -> None:
    together = aligner_of(model, tokenizer).align(PAIRS, "en")
    for pair, found in zip(PAIRS, together, strict=True):
        [alone] = aligner_of(model, tokenizer).align([pair], "en")
        assert alone is not None
        assert found is not None
        np.testing.assert_allclose(found.weights, alone.weights, atol=1e-5)


def test_a_pair_that_is_too_long_has_none(model: Transformer, tokenizer: Tokenizer) -> None:
    called: list[int] = []
    found = aligner_of(model, tokenizer).align(
        [("Hund " * 500, "dog"), PAIRS[0]], "en", lambda: called.append(1)
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


def test_log_probabilities_are_those_of_the_model(model: Transformer, tokenizer: Tokenizer) -> None:
    source, target = PAIRS[0]
    first, *_ = aligner_of(model, tokenizer).align(PAIRS, "en", has_log_probs=True)
    assert first is not None
    assert first.log_probs is not None
    ids = [tokenizer.bos_id, *tokenizer.encode(target)]
    src = torch.tensor([tokenizer.encode_source(source, "en")])
    with torch.inference_mode():
        every = model(src, torch.tensor([ids]), None).log_softmax(dim=-1)[0]
    expected = [float(every[place, piece]) for place, piece in enumerate(ids[1:])]
    np.testing.assert_allclose(first.log_probs, expected, atol=1e-4)
    [without] = aligner_of(model, tokenizer).align(PAIRS[:1], "en")
    assert without is not None
    assert without.log_probs is None
