"""Attention of many pairs at a time, in places of their texts."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from tests.toy import toy_pairs
from tests.waiting import wait_until
from translator.model.transformer import Transformer
from translator.tokens.tokenizer import Tokenizer
from translator.translate.marks.alignment import Aligner, places_of

PAIRS = toy_pairs(3, random.Random(0))


def test_each_piece_has_a_row_and_a_place(model: Transformer, tokenizer: Tokenizer) -> None:
    for (source, target), found in zip(
        PAIRS, Aligner(model, tokenizer).align(PAIRS, "en"), strict=True
    ):
        assert found is not None
        assert found.weights.shape == (len(found.target), len(found.source))
        assert "".join(source[slice(*span)] for span in found.source) == source.replace(" ", "")
        assert "".join(target[slice(*span)] for span in found.target) == target.replace(" ", "")


def test_company_changes_nothing(model: Transformer, tokenizer: Tokenizer) -> None:
    together = Aligner(model, tokenizer).align(PAIRS, "en")
    for pair, found in zip(PAIRS, together, strict=True):
        [alone] = Aligner(model, tokenizer).align([pair], "en")
        assert alone is not None
        assert found is not None
        np.testing.assert_allclose(found.weights, alone.weights, atol=1e-5)


def test_a_pair_that_is_too_long_has_none(model: Transformer, tokenizer: Tokenizer) -> None:
    called: list[int] = []
    found = Aligner(model, tokenizer).align(
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
    first, *_ = Aligner(model, tokenizer).align(PAIRS, "en", has_log_probs=True)
    assert first is not None
    assert first.log_probs is not None
    ids = [tokenizer.bos_id, *tokenizer.encode(target)]
    src = torch.tensor([tokenizer.encode_source(source, "en")])
    with torch.inference_mode():
        every = model(src, torch.tensor([ids]), None).log_softmax(dim=-1)[0]
    expected = [float(every[place, piece]) for place, piece in enumerate(ids[1:])]
    np.testing.assert_allclose(first.log_probs, expected, atol=1e-4)
    [without] = Aligner(model, tokenizer).align(PAIRS[:1], "en")
    assert without is not None
    assert without.log_probs is None


def test_who_waits_is_read_for_by_whose_turn_it_is(
    model: Transformer, tokenizer: Tokenizer
) -> None:
    aligner = Aligner(model, tokenizer)
    decode, sizes = model.decode, list[int]()

    def counted(tgt_in: torch.Tensor, *arguments: object) -> torch.Tensor:
        sizes.append(len(tgt_in))
        return decode(tgt_in, *arguments)  # type: ignore[arg-type]

    def waiting() -> bool:
        return len(aligner._waiting) == 3

    with ThreadPoolExecutor(3) as pool, pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "decode", counted)
        with aligner.alone():
            futures = [
                pool.submit(aligner.align, [pair], "en", has_log_probs=number == 1)
                for number, pair in enumerate(PAIRS)
            ]
            wait_until(waiting)
        found = [future.result(60)[0] for future in futures]
    assert sizes == [3]
    for number, (pair, together) in enumerate(zip(PAIRS, found, strict=True)):
        [alone] = Aligner(model, tokenizer).align([pair], "en", has_log_probs=True)
        assert alone is not None
        assert together is not None
        np.testing.assert_allclose(together.weights, alone.weights, atol=1e-5)
        assert (together.log_probs is not None) == (number == 1)


def test_an_error_is_told_to_all_who_were_read_for(
    model: Transformer, tokenizer: Tokenizer
) -> None:
    aligner = Aligner(model, tokenizer)

    def failing(*_: object) -> torch.Tensor:
        raise RuntimeError("no memory")

    with ThreadPoolExecutor(2) as pool, pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "decode", failing)
        with aligner.alone():
            futures = [pool.submit(aligner.align, [pair], "en") for pair in PAIRS[:2]]
            wait_until(lambda: len(aligner._waiting) == 2)
        for future in futures:
            with pytest.raises(RuntimeError, match="no memory"):
                future.result(60)
    assert aligner.align(PAIRS, "en")


def test_one_batch_at_a_time(model: Transformer, tokenizer: Tokenizer) -> None:
    aligner = Aligner(model, tokenizer)
    running: list[int] = []
    decode, most = model.decode, 0

    def watched(*arguments: object) -> torch.Tensor:
        nonlocal most
        running.append(1)
        most = max(most, len(running))
        states = decode(*arguments)  # type: ignore[arg-type]
        running.pop()
        return states

    with ThreadPoolExecutor(8) as pool, pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "decode", watched)
        found = list(pool.map(lambda _: aligner.align(PAIRS, "en"), range(16)))
    assert most == 1
    assert all(len(one) == len(PAIRS) for one in found)
