"""Encoded sentence pairs on disk, and the sampler that turns them into batches of equal cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from translator.batch import pad, padding_mask
from translator.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """Ids of one sentence pair: `src` is tag, text, EOS; `tgt` is text, EOS."""

    src: NDArray[np.uint16]
    tgt: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class TrainBatch:
    """Padded tensors of one micro-batch.

    Attributes:
        src: (B, S) int64.
        src_mask: (B, 1, 1, S) bool, True = attend.
        tgt_in: (B, T) int64, BOS then the target.
        tgt_out: (B, T) int64, the target then EOS.
        num_targets: real target ids, EOS included.
    """

    src: Tensor
    src_mask: Tensor
    tgt_in: Tensor
    tgt_out: Tensor
    num_targets: int

    def to(self, device: torch.device) -> TrainBatch:
        """Return the same batch on `device`."""
        tensors = (self.src, self.src_mask, self.tgt_in, self.tgt_out)
        src, src_mask, tgt_in, tgt_out = (t.to(device, non_blocking=True) for t in tensors)
        return TrainBatch(src, src_mask, tgt_in, tgt_out, self.num_targets)


class EncodedCorpus:
    """Sentence pairs as memory-mapped ids: opened at once, however large.

    On disk `NAME.src.npy` and `NAME.tgt.npy` hold all ids one after another (uint16) and
    `NAME.ends.npy` (2, n) where each sentence ends.
    """

    def __init__(self, prefix: Path) -> None:
        """Open the three files that start with `prefix`."""
        self.src = np.load(f"{prefix}.src.npy", mmap_mode="r")
        self.tgt = np.load(f"{prefix}.tgt.npy", mmap_mode="r")
        ends = np.load(f"{prefix}.ends.npy")
        self.starts = np.concatenate([np.zeros((2, 1), dtype=np.int64), ends[:, :-1]], axis=1)
        self.lengths: NDArray[np.int64] = ends - self.starts  # (2, n): source, target

    def __len__(self) -> int:
        """Return the number of pairs."""
        return int(self.lengths.shape[1])

    def __getitem__(self, index: int) -> EncodedPair:
        """Return one pair."""
        (src_start, tgt_start), (src_length, tgt_length) = (
            self.starts[:, index],
            self.lengths[:, index],
        )
        return EncodedPair(
            self.src[src_start : src_start + src_length],
            self.tgt[tgt_start : tgt_start + tgt_length],
        )

    @staticmethod
    def write(
        prefix: Path, tokenizer: Tokenizer, sides: dict[str, list[str]], directions: Sequence[str]
    ) -> int:
        """Encode aligned `sides` (language → lines) in every direction; return the pair count."""
        texts = {
            language: [tokenizer.encode(line) for line in sides[language]] for language in sides
        }
        src_ids: list[NDArray[np.uint16]] = []
        tgt_ids: list[NDArray[np.uint16]] = []
        for direction in directions:
            source, target = direction.split("-")
            tag = tokenizer.tag_id(target)
            for src, tgt in zip(texts[source], texts[target], strict=True):
                src_ids.append(np.array([tag, *src, tokenizer.eos_id], dtype=np.uint16))
                tgt_ids.append(np.array([*tgt, tokenizer.eos_id], dtype=np.uint16))
        ends = np.array([[len(ids) for ids in side] for side in (src_ids, tgt_ids)]).cumsum(axis=1)
        np.save(f"{prefix}.src.npy", np.concatenate(src_ids))
        np.save(f"{prefix}.tgt.npy", np.concatenate(tgt_ids))
        np.save(f"{prefix}.ends.npy", ends)
        return len(src_ids)


def make_batch(
    pairs: Sequence[EncodedPair], pad_id: int, bos_id: int, multiple_of: int = 1
) -> TrainBatch:
    """Pad pairs into one batch; the decoder's input is its output shifted right behind BOS."""
    src = pad([pair.src.tolist() for pair in pairs], pad_id, multiple_of)
    targets = [pair.tgt.tolist() for pair in pairs]
    return TrainBatch(
        src=src,
        src_mask=padding_mask(src, pad_id),
        tgt_in=pad([[bos_id, *target[:-1]] for target in targets], pad_id, multiple_of),
        tgt_out=pad(targets, pad_id, multiple_of),
        num_targets=sum(map(len, targets)),
    )


def length_buckets(
    lengths: NDArray[np.int64], max_batch_tokens: int, order: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """Group pairs of similar length so that no batch exceeds the padded token budget.

    Args:
        lengths: (2, n) source and target lengths.
        max_batch_tokens: rows times the longest side.
        order: (n,) the order in which pairs of equal length are taken.

    Returns:
        arrays of indices; a pair longer than the budget is a batch of its own.
    """
    longest = lengths.max(axis=0)[order]
    by_length = order[np.lexsort((lengths[0][order], longest))]
    batches, start = [], 0
    widths = lengths.max(axis=0)[by_length]
    for end in range(1, len(by_length) + 1):
        is_full = end < len(by_length) and (end + 1 - start) * widths[end] > max_batch_tokens
        if end == len(by_length) or is_full:
            batches.append(by_length[start:end])
            start = end
    return batches


class BatchSampler:
    """An endless stream of batches whose place is two numbers.

    The batches of an epoch, and their order, depend on the seed and the epoch alone, so a stream
    continued from `(epoch, position)` is the stream that was interrupted.
    """

    def __init__(self, lengths: NDArray[np.int64], max_batch_tokens: int, seed: int) -> None:
        """Sample pairs with `lengths` (2, n) in batches of at most `max_batch_tokens`."""
        self.lengths, self.max_batch_tokens, self.seed = lengths, max_batch_tokens, seed
        self.epoch = self.position = 0
        self._batches = self._shuffled()

    def _shuffled(self) -> list[NDArray[np.int64]]:
        generator = np.random.default_rng((self.seed, self.epoch))
        order = generator.permutation(self.lengths.shape[1])
        batches = length_buckets(self.lengths, self.max_batch_tokens, order)
        generator.shuffle(batches)
        return batches

    def restore(self, epoch: int, position: int) -> None:
        """Continue behind batch number `position` of `epoch`."""
        self.epoch, self.position = epoch, position
        self._batches = self._shuffled()

    @property
    def batches_per_epoch(self) -> int:
        """Number of batches in the current epoch."""
        return len(self._batches)

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        """Yield arrays of pair indices for ever."""
        while True:
            while self.position < len(self._batches):
                self.position += 1
                yield self._batches[self.position - 1]
            self.restore(self.epoch + 1, 0)
