"""Which pairs make up each batch: an endless stream that resumes from an epoch and a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from translator.errors import ConfigError

Lengths = NDArray[np.signedinteger[Any]]
Grouping = Callable[[Lengths, NDArray[np.int64]], list[NDArray[np.int64]]]
PAIRS_PER_POOL = 1 << 19  # sorted by length at a time: the first batch is ready at once


@dataclass(frozen=True, slots=True)
class Share:
    """Consecutive pairs that are seen at a rate of their own.

    Attributes:
        per_epoch: pairs drawn from them in each epoch, going through all before any comes again.
    """

    count: int
    per_epoch: int


def shares(
    counts: Sequence[int], weights: Sequence[float], temperature: float = 1.0
) -> list[Share]:
    """Return how much of each stream an epoch holds.

    A stream's part of an epoch is proportional to (count · weight)^(1/temperature); an epoch is as
    long as all streams together, each `weight` times over. A temperature of 1 keeps these
    proportions, infinity would make all streams equal.

    Source: Arivazhagan et al. 2019, §4.1.
    """
    weighted = np.array(counts, dtype=np.float64) * weights
    flattened = np.where(weighted > 0, weighted, 0.0) ** (1 / temperature)
    scale = weighted.sum() / max(flattened.sum(), 1e-300)
    per_epoch = np.rint(flattened * scale).astype(int)
    return [Share(count, int(drawn)) for count, drawn in zip(counts, per_epoch, strict=True)]


def length_buckets(
    lengths: Lengths, max_batch_tokens: int, order: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """Group pairs of similar length so that no batch exceeds the padded token budget.

    Args:
        lengths: (2, n) source and target lengths.
        max_batch_tokens: rows times the longest side.
        order: (m,) pairs to group; those of equal length are taken in this order.

    Returns:
        arrays of indices; a pair longer than the budget is a batch of its own.
    """
    longest = lengths[:, order].max(axis=0)
    by_length = np.lexsort((lengths[0][order], longest))
    sorted_order, widths = order[by_length], longest[by_length].tolist()
    batches, start = [], 0
    for end in range(1, len(widths) + 1):
        is_full = end < len(widths) and (end + 1 - start) * widths[end] > max_batch_tokens
        if end == len(widths) or is_full:
            batches.append(sorted_order[start:end])
            start = end
    return batches


class BatchSampler:
    """An endless stream of batches.

    The batches of an epoch, and their order, depend on the seed and the epoch alone, so a stream
    continued from `(epoch, position)` is the stream that was interrupted.
    """

    def __init__(
        self,
        lengths: Lengths,
        max_batch_tokens: int,
        seed: int,
        shares: Sequence[Share] | None = None,
        group: Grouping | None = None,
    ) -> None:
        """Sample pairs with `lengths` (2, n) in batches of at most `max_batch_tokens`.

        The shares are those of the n pairs, in order; all come at the same rate if None. `group`
        makes batches of the pairs of a pool; it is `length_buckets` if None.

        Raises:
            ConfigError: there is nothing to sample.
        """
        self.lengths, self.max_batch_tokens, self.seed = lengths, max_batch_tokens, seed
        self._group = group or self._by_length
        self.shares = list(shares or [Share(lengths.shape[1], lengths.shape[1])])
        if not any(share.count and share.per_epoch for share in self.shares):
            raise ConfigError(["data: no pairs to train on"])
        self.epoch = self.position = 0

    def restore(self, epoch: int, position: int) -> None:
        """Continue after batch number `position` of `epoch`."""
        self.epoch, self.position = epoch, position

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        """Yield arrays of pair indices for ever."""
        while True:
            for number, batch in enumerate(self.batches(self.epoch)):
                if number >= self.position:
                    self.position = number + 1
                    yield batch
            self.restore(self.epoch + 1, 0)

    def batches(self, epoch: int) -> Iterator[NDArray[np.int64]]:
        """Yield the batches of one epoch."""
        order = self._order(epoch)
        for start in range(0, len(order), PAIRS_PER_POOL):
            pool = order[start : start + PAIRS_PER_POOL]
            batches = self._group(self.lengths, pool)
            np.random.default_rng((self.seed, epoch, start)).shuffle(batches)
            yield from batches

    def _by_length(self, lengths: Lengths, order: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        return length_buckets(lengths, self.max_batch_tokens, order)

    def _order(self, epoch: int) -> NDArray[np.int64]:
        chosen, first = [], 0
        for number, share in enumerate(self.shares):
            if share.count:
                chosen.append(first + self._drawn(number, share, epoch))
            first += share.count
        order = np.concatenate(chosen)
        np.random.default_rng((self.seed, epoch)).shuffle(order)
        return order

    def _drawn(self, number: int, share: Share, epoch: int) -> NDArray[np.int64]:
        """Return this epoch's pairs of one share: the next of one permutation after another."""
        start, end = epoch * share.per_epoch, (epoch + 1) * share.per_epoch
        permutations = [np.empty(0, dtype=np.int64)]
        while start < end:
            shuffle, place = divmod(start, share.count)
            generator = np.random.default_rng((self.seed, number, shuffle, 1))
            permutations.append(generator.permutation(share.count)[place : place + end - start])
            start += len(permutations[-1])
        return np.concatenate(permutations)
