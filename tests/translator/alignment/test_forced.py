"""Pairs are read in batches, whoever asks, by whatever is fastest."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from tests.waiting import wait_until
from translator.alignment.forced import PairReader
from translator.model.reference import Reference
from translator.model.transformer import Transformer
from translator.runtime.contract import ForcedScorer, ForcedScores, IdPair

PAIRS: list[IdPair] = [([4, 9, 8, 3], [2, 7, 6]), ([5, 3], [2, 5]), ([7, 7, 7, 7, 3], [2] * 6)]


def ones(pairs: Sequence[IdPair], has_log_probs: bool) -> list[ForcedScores]:
    """Attend to everything alike."""
    return [
        ForcedScores(
            np.ones((len(tgt), len(src)), np.float32),
            np.zeros(len(tgt) - 1, np.float32) if has_log_probs else None,
        )
        for src, tgt in pairs
    ]


def expect_equal(found: ForcedScores, expected: ForcedScores) -> None:
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-5)
    if found.log_probs is None or expected.log_probs is None:
        assert found.log_probs is expected.log_probs
    else:
        np.testing.assert_allclose(found.log_probs, expected.log_probs, atol=1e-4)


@pytest.mark.parametrize("has_log_probs", [True, False])
def test_company_changes_nothing(model: Transformer, has_log_probs: bool) -> None:
    reader = PairReader(Reference.of(model), 0)
    together = reader.read(PAIRS, has_log_probs)
    for (src, tgt), found in zip(PAIRS, together, strict=True):
        assert found.weights.shape == (len(tgt), len(src))
        np.testing.assert_allclose(found.weights.sum(axis=1), 1, atol=1e-5)
        assert (found.log_probs is not None) == has_log_probs
        assert found.log_probs is None or len(found.log_probs) == len(tgt) - 1
        [alone] = reader.read([(src, tgt)], has_log_probs)
        expect_equal(found, alone)


def test_what_is_faster_reads_as_soon_as_it_is_there(model: Transformer) -> None:
    asked: list[int] = []

    def find_faster() -> ForcedScorer | None:
        asked.append(1)
        return ones if len(asked) > 1 else None

    reader = PairReader(Reference.of(model), 0, find_faster)
    [reference] = reader.read(PAIRS[:1], has_log_probs=False)
    assert reference.weights.max() < 1
    for _ in range(2):
        [found] = reader.read(PAIRS[:1], has_log_probs=False)
        assert found.weights.min() == 1
    [with_log_probs] = reader.read(PAIRS[:1], has_log_probs=True)
    assert with_log_probs.log_probs is not None
    assert not with_log_probs.log_probs.any()
    assert len(asked) == 2, "asked for no more"


def test_who_waits_is_read_for_by_whose_turn_it_is(model: Transformer) -> None:
    reader = PairReader(Reference.of(model), 0)
    decode, sizes = model.decode, list[int]()

    def counted(tgt_in: torch.Tensor, *arguments: object) -> torch.Tensor:
        sizes.append(len(tgt_in))
        return decode(tgt_in, *arguments)  # type: ignore[arg-type]

    wanted = [False, True, False]
    with ThreadPoolExecutor(3) as pool, pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "decode", counted)
        with reader.alone():
            futures = [
                pool.submit(reader.read, [pair], has_log_probs)
                for pair, has_log_probs in zip(PAIRS, wanted, strict=True)
            ]
            wait_until(lambda: len(reader._waiting) == 3)
        found = [future.result(60)[0] for future in futures]
    assert sorted(sizes) == [1, 2], "those that want the same"
    for pair, has_log_probs, together in zip(PAIRS, wanted, found, strict=True):
        [alone] = reader.read([pair], has_log_probs)
        expect_equal(together, alone)


def test_an_error_is_told_to_all_who_were_read_for(model: Transformer) -> None:
    reader = PairReader(Reference.of(model), 0)

    def failing(*_: object) -> torch.Tensor:
        raise RuntimeError("no memory")

    with ThreadPoolExecutor(2) as pool, pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "decode", failing)
        with reader.alone():
            futures = [pool.submit(reader.read, [pair], False) for pair in PAIRS[:2]]
            wait_until(lambda: len(reader._waiting) == 2)
        for future in futures:
            with pytest.raises(RuntimeError, match="no memory"):
                future.result(60)
    assert reader.read(PAIRS, has_log_probs=False)


def test_one_batch_at_a_time(model: Transformer) -> None:
    reader = PairReader(Reference.of(model), 0)
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
        found = list(pool.map(lambda _: reader.read(PAIRS, has_log_probs=False), range(16)))
    assert most == 1
    assert all(len(one) == len(PAIRS) for one in found)
