"""Which pairs make a batch: the budget, and a stream that continues where it stopped."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from training.data import sampler as sampler_module
from training.data.sampler import BatchSampler, Share, length_buckets, shares
from translator.errors import ConfigError


def random_lengths(count: int, seed: int = 0) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(1, 60, (2, count))


def test_there_is_little_padding() -> None:
    lengths = random_lengths(1000)
    batches = length_buckets(lengths, 300, np.arange(1000))
    used = sum(int(lengths[:, b].max() * len(b)) for b in batches)
    assert lengths.max(axis=0).sum() / used > 0.9


def test_every_epoch_has_every_pair_once_in_another_order() -> None:
    sampler = BatchSampler(random_lengths(200), 200, seed=1)
    epochs = []
    for _ in range(2):
        count = len(list(sampler.batches(sampler.epoch)))
        epochs.append([i for batch in itertools.islice(iter(sampler), count) for i in batch])
    assert sorted(epochs[0]) == sorted(epochs[1]) == list(range(200))
    assert epochs[0] != epochs[1]


@pytest.mark.parametrize("taken", [0, 7, 40, 150])
@pytest.mark.parametrize("pairs_per_pool", [None, 37])
def test_a_restored_stream_is_the_stream(
    monkeypatch: pytest.MonkeyPatch, taken: int, pairs_per_pool: int | None
) -> None:
    if pairs_per_pool:
        monkeypatch.setattr(sampler_module, "PAIRS_PER_POOL", pairs_per_pool)
    whole = BatchSampler(random_lengths(200), 200, seed=1)
    stream = iter(whole)
    for _ in range(taken):
        next(stream)
    resumed = BatchSampler(random_lengths(200), 200, seed=1)
    resumed.restore(whole.epoch, whole.position)
    for ours, theirs in itertools.islice(zip(stream, iter(resumed), strict=False), 80):
        assert np.array_equal(ours, theirs)


def test_seeds_give_different_orders() -> None:
    first, second = (next(iter(BatchSampler(random_lengths(200), 200, seed=s))) for s in (1, 2))
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("max_batch_tokens", [1, 60, 61, 5000])
@pytest.mark.parametrize("seed", range(3))
def test_every_budget_is_kept(max_batch_tokens: int, seed: int) -> None:
    lengths = random_lengths(300, seed)
    batches = length_buckets(lengths, max_batch_tokens, np.arange(300))
    assert sorted(np.concatenate(batches).tolist()) == list(range(300))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * lengths[:, batch].max() <= max_batch_tokens


def test_a_budget_that_is_met_exactly_is_not_exceeded() -> None:
    lengths = np.full((2, 10), 5)
    sizes = [len(batch) for batch in length_buckets(lengths, 15, np.arange(10))]
    assert sizes == [3, 3, 3, 1]


def test_several_giants_are_batches_of_their_own() -> None:
    lengths = np.array([[500, 5, 700, 5, 600], [5, 5, 5, 5, 5]])
    batches = [batch.tolist() for batch in length_buckets(lengths, 100, np.arange(5))]
    assert batches == [[1, 3], [0], [4], [2]]


def test_the_order_does_not_depend_on_where_the_stream_was_taken_up() -> None:
    """Epoch 3 of a fresh stream is epoch 3 of one restored there, whatever came before."""
    lengths = random_lengths(200)
    whole = BatchSampler(lengths, 200, seed=1)
    stream = (batch.tolist() for batch in whole)
    while whole.epoch < 3:
        first = next(stream)
    jumped = BatchSampler(lengths, 200, seed=1)
    jumped.restore(3, 0)
    assert next(iter(jumped)).tolist() == first
    assert (jumped.epoch, jumped.position) == (3, 1)


def test_shares_follow_weight_and_temperature() -> None:
    counts, weights = [100, 1000, 0], [4.0, 0.5, 1.0]
    assert [share.per_epoch for share in shares(counts, weights)] == [400, 500, 0]
    flatter = [share.per_epoch for share in shares(counts, weights, temperature=5.0)]
    assert sum(flatter) == pytest.approx(900, abs=2)
    assert flatter[0] / flatter[1] == pytest.approx((400 / 500) ** 0.2, rel=0.01)
    assert flatter[2] == 0


def test_parts_are_seen_at_their_rate_and_each_pair_before_any_again() -> None:
    parts = [Share(30, 75), Share(100, 20)]
    sampler = BatchSampler(random_lengths(130), 300, seed=1, shares=parts)
    seen = [0] * 130
    for epoch in range(4):
        drawn = [int(i) for batch in sampler.batches(epoch) for i in batch]
        assert sum(i < 30 for i in drawn) == 75
        assert sum(i >= 30 for i in drawn) == 20
        for i in drawn:
            seen[i] += 1
        assert max(seen[:30]) - min(seen[:30]) <= 1
        assert max(seen[30:]) <= 1
    assert sum(seen[30:]) == 80


def test_nothing_to_sample_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no pairs to train on"):
        BatchSampler(random_lengths(0), 200, seed=1)
