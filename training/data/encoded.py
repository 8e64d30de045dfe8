"""Encoded text, memory-mapped on disk so that it opens at once, and the batches made of it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.data.subword_sampling import SubwordSampler
from translator.durable import replacing
from translator.errors import TranslatorError
from translator.model.embedding import pad, padding_mask

Number = TypeVar("Number", np.uint16, np.int64)
IDS_PER_WRITE = 1 << 20


class StoreError(TranslatorError):
    """Encoded text is missing or damaged."""


class TokenStore:
    """The sentences of one side as ids, without special ids.

    `PATH.ids` holds all ids one after another (uint16), `PATH.ends` where each sentence ends
    (int64).
    """

    def __init__(self, path: Path) -> None:
        """Open the two files that start with `path`.

        Raises:
            StoreError: one is missing, or they do not belong together.
        """
        self.path = path
        self.ids: NDArray[np.uint16] = _open(path, "ids", np.uint16)
        self.ends: NDArray[np.int64] = _open(path, "ends", np.int64)
        if (int(self.ends[-1]) if len(self.ends) else 0) != len(self.ids):
            raise StoreError(f"{path}.ids: truncated; run `subwords` again")

    def __reduce__(self) -> tuple[type[TokenStore], tuple[Path]]:
        """Be sent to another process as a path, not as a copy."""
        return TokenStore, (self.path,)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> NDArray[np.uint16]:
        start = int(self.ends[index - 1]) if index else 0
        return self.ids[start : int(self.ends[index])]

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Ids in each sentence, (n,)."""
        return np.diff(self.ends, prepend=0).astype(np.int32)

    @staticmethod
    def write(path: Path, sentences: Iterable[Sequence[int]]) -> int:
        """Write sentences as they come; they appear at the end. Return how many there were.

        Files that are there already are replaced, not changed: a process may have them open.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        ids: list[int] = []
        ends: list[int] = []
        total = count = 0
        with (
            replacing(Path(f"{path}.ids")) as id_stream,
            replacing(Path(f"{path}.ends")) as end_stream,
        ):

            def flush() -> None:
                id_stream.write(np.array(ids, dtype=np.uint16).tobytes())
                end_stream.write(np.array(ends, dtype=np.int64).tobytes())
                ids.clear()
                ends.clear()

            for sentence in sentences:
                ids.extend(sentence)
                total += len(sentence)
                ends.append(total)
                count += 1
                if len(ids) >= IDS_PER_WRITE:
                    flush()
            flush()
        return count


def _open(path: Path, suffix: str, dtype: type[Number]) -> NDArray[Number]:
    file = Path(f"{path}.{suffix}")
    try:
        if not file.stat().st_size:
            return np.empty(0, dtype=dtype)
        return np.memmap(file, dtype=dtype, mode="r")
    except OSError as error:
        raise StoreError(f"{file}: {error.strerror}; run `subwords` first") from error
    except ValueError as error:
        raise StoreError(f"{file}: truncated; run `subwords` again") from error


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """Ids of one sentence pair: `src` is tags, text, EOS; `tgt` is text, EOS."""

    src: Sequence[int]
    tgt: Sequence[int]


def moved(tensor: Tensor, device: torch.device) -> Tensor:
    """Return `tensor` on `device`; the CPU waits for none of the device's work."""
    if device.type == "cuda" and tensor.device.type == "cpu":
        tensor = tensor.pin_memory()  # memory that the device reads by itself
    return tensor.to(device, non_blocking=True)


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
        src, src_mask, tgt_in, tgt_out = (moved(tensor, device) for tensor in tensors)
        return TrainBatch(src, src_mask, tgt_in, tgt_out, self.num_targets)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stream:
    """One corpus in one direction.

    Attributes:
        source, target: n sentences each, aligned.
        tag_ids: put before every source.
        weight: how often each pair is seen, relative to the other streams.
    """

    source: TokenStore
    target: TokenStore
    tag_ids: tuple[int, ...]
    weight: float = 1.0

    @property
    def sides(self) -> tuple[TokenStore, TokenStore]:
        """Source and target."""
        return self.source, self.target


class EncodedCorpus:
    """All pairs of several streams, by one running number."""

    def __init__(
        self, streams: Sequence[Stream], eos_id: int, subword_sampler: SubwordSampler | None = None
    ) -> None:
        """Join streams; with a `subword_sampler`, words are split in other ways each time.

        Raises:
            ValueError: the two sides of a stream have different numbers of sentences.
        """
        for stream in streams:
            if len(stream.source) != len(stream.target):
                raise ValueError(f"{stream.source.path} and {stream.target.path} are not aligned")
        self.streams, self.eos_id, self._sampler = tuple(streams), eos_id, subword_sampler
        self.is_resampled = subword_sampler is not None
        self.starts = np.cumsum([0, *(len(stream.source) for stream in streams)])
        sides = [
            np.stack((s.source.lengths + len(s.tag_ids) + 1, s.target.lengths + 1)) for s in streams
        ]
        empty = np.empty((2, 0), dtype=np.int32)
        self.lengths: NDArray[np.int32] = np.concatenate([empty, *sides], axis=1)  # (2, n)

    def __len__(self) -> int:
        return int(self.starts[-1])

    def __getitem__(self, index: int) -> EncodedPair:
        return self._pair(index, None)

    def pairs(self, indices: Sequence[int], key: str = "") -> list[EncodedPair]:
        """Return several pairs; `key` alone decides how their words are split, if that varies."""
        generator = random.Random(key) if self._sampler else None
        return [self._pair(int(index), generator) for index in indices]

    def spaced(self, count: int) -> range:
        """Return the numbers of about `count` pairs, evenly spaced; of all, if there are fewer."""
        return range(0, len(self), max(1, len(self) // count))

    def _pair(self, index: int, generator: random.Random | None) -> EncodedPair:
        place = int(np.searchsorted(self.starts, index, side="right")) - 1
        stream, row = self.streams[place], index - int(self.starts[place])
        src, tgt = stream.source[row].tolist(), stream.target[row].tolist()
        if generator is not None and self._sampler is not None:
            src, tgt = (self._sampler.resample(ids, generator) for ids in (src, tgt))
        return EncodedPair([*stream.tag_ids, *src, self.eos_id], [*tgt, self.eos_id])


def make_batch(
    pairs: Sequence[EncodedPair], pad_id: int, bos_id: int, multiple_of: int = 1
) -> TrainBatch:
    """Pad pairs into one batch; the decoder's input is its output shifted right after BOS."""
    src = pad([pair.src for pair in pairs], pad_id, multiple_of)
    return TrainBatch(
        src=src,
        src_mask=padding_mask(src, pad_id),
        tgt_in=pad([[bos_id, *pair.tgt[:-1]] for pair in pairs], pad_id, multiple_of),
        tgt_out=pad([pair.tgt for pair in pairs], pad_id, multiple_of),
        num_targets=sum(len(pair.tgt) for pair in pairs),
    )
