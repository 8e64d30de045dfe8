"""Text that lies on the device as ids, and batches of a few shapes that are gathered there.

A step of one shape can be recorded on a GPU and played back. So sentences are sorted into a few
widths, each with a fixed number of rows; what is missing in a batch is padding. The CPU says in a
few numbers a row where each sentence lies and what stands before it. That is all that is sent in a
step, and nothing waits for it. A thread makes these rows ahead, since sorting a pool takes a while.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.data.encoded import EncodedCorpus, TrainBatch, moved
from training.data.loader import StepBatches, StepPlan
from training.data.sampler import Lengths
from translator.model.embedding import padding_mask

WIDTHS = (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 176, 256)
"""Those of sentences. Longer pairs get further ones, each half as wide again."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """Shapes (rows, width), one for each width.

    Attributes:
        widths: ascending; the last one fits the longest pair.
        max_batch_tokens: rows times width, at most; a wider pair is a batch of its own.
    """

    widths: tuple[int, ...]
    max_batch_tokens: int

    @classmethod
    def fitting(cls, lengths: Lengths, max_batch_tokens: int, most: int | None = None) -> Shapes:
        """Return the shapes for pairs with `lengths` (2, n).

        Rows times width is `max_batch_tokens`, at most. If the model has not any number of
        positions, no shape is wider than `most` of them, unless a pair is.
        """
        longest = int(lengths.max(initial=1))
        widths = list(WIDTHS)
        while widths[-1] < longest:
            widths.append(widths[-1] * 3 // 2)
        if most is not None and longest <= most < widths[-1]:
            widths = [*(width for width in widths if width < most), most]
        return cls(tuple(widths), max_batch_tokens)

    def rows_of(self, width: int) -> int:
        """Return how many rows a batch of this width has."""
        return max(1, self.max_batch_tokens // width)

    def of(self, lengths: Lengths) -> tuple[int, int]:
        """Return the shape (rows, width) of a batch of pairs with `lengths` (2, m)."""
        width = self.widths[int(np.searchsorted(self.widths, lengths.max()))]
        return self.rows_of(width), width

    def group(self, lengths: Lengths, order: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Group pairs into batches, all of them full but the last.

        What is left over of a width goes with the next one.

        Args:
            lengths: (2, n) source and target lengths.
            order: (m,) pairs to group; those of one width are taken in this order.
        """
        bucket = np.searchsorted(self.widths, lengths[:, order].max(axis=0))
        batches: list[NDArray[np.int64]] = []
        left = order[:0]
        for number, width in enumerate(self.widths):
            pairs = np.concatenate((left, order[bucket == number]))
            rows = self.rows_of(width)
            whole = len(pairs) // rows * rows
            batches += np.split(pairs[:whole], range(rows, whole, rows)) if whole else []
            left = pairs[whole:]
        return [*batches, left] if len(left) else batches


NUM_PLACES = 5  # of a row: start and length of both sides, number of tags; the tags follow
NO_PAIR = (0, 0, 0, -1, 0)  # a source of EOS alone, and no target: nothing that weighs


@dataclass(frozen=True, slots=True)
class RowBatch:
    """A micro-batch, said by where its text lies.

    Attributes:
        rows: (B, 5 + K) int64, on the CPU or the text's device.
        width: of source and target, with padding.
    """

    text: DeviceText
    rows: Tensor
    width: int
    num_targets: int

    def to(self, device: torch.device) -> TrainBatch:
        """Return the batch, gathered on `device`, where the text is."""
        return self.text.gather(moved(self.rows, device), self.width, self.num_targets)


class DeviceText:
    """All ids of a corpus in one tensor; what lies on disk in 16 bits takes 16 bits here."""

    def __init__(
        self,
        corpus: EncodedCorpus,
        shapes: Shapes,
        device: torch.device,
        *,
        pad_id: int,
        bos_id: int,
    ) -> None:
        """Copy the text to `device`; a side that several streams share is there once."""
        self.corpus, self.shapes = corpus, shapes
        self.pad_id, self.bos_id, self.eos_id = pad_id, bos_id, corpus.eos_id
        self.num_tags = max((len(stream.tag_ids) for stream in corpus.streams), default=0)
        sides = {side.path: side for stream in corpus.streams for side in stream.sides}
        self._first: dict[Path, int] = {}
        total = sum(len(side.ids) for side in sides.values())
        self.ids = torch.zeros(total + 1, dtype=torch.int16, device=device)
        start = 0
        for path, side in sides.items():
            self._first[path], end = start, start + len(side.ids)
            self.ids[start:end] = torch.from_numpy(np.array(side.ids).view(np.int16)).to(device)
            start = end

    def batch(self, indices: NDArray[np.int64]) -> RowBatch:
        """Return a batch of pairs of the corpus, in one of the shapes."""
        lengths = self.corpus.lengths[:, indices]
        num_rows, width = self.shapes.of(lengths)
        rows = np.zeros((num_rows, NUM_PLACES + self.num_tags), dtype=np.int64)
        rows[:, :NUM_PLACES] = NO_PAIR
        streams = np.searchsorted(self.corpus.starts, indices, side="right") - 1
        for number in np.unique(streams).tolist():
            chosen = np.flatnonzero(streams == number)
            stream = self.corpus.streams[number]
            pairs = indices[chosen] - self.corpus.starts[number]
            for place, side in zip((0, 2), stream.sides, strict=True):
                ends, starts = side.ends[pairs], side.ends[pairs - 1]
                starts[pairs == 0] = 0
                rows[chosen, place] = starts + self._first[side.path]
                rows[chosen, place + 1] = ends - starts
            rows[chosen, NUM_PLACES - 1] = len(stream.tag_ids)
            rows[chosen, NUM_PLACES : NUM_PLACES + len(stream.tag_ids)] = stream.tag_ids
        return RowBatch(self, torch.from_numpy(rows), width, int(lengths[1].sum()))

    def gather(self, rows: Tensor, width: int, num_targets: int) -> TrainBatch:
        """Return the batch that `rows` (B, 5 + K), on the device, speak of."""
        columns = (column[:, None] for column in rows.unbind(1))  # (B, 1) each
        src_start, src_length, tgt_start, tgt_length, num_tags, *tags = columns
        place = torch.arange(width, device=rows.device)[None]  # (1, W)
        src = self._sentences(src_start, src_length, place - num_tags)  # (B, W)
        for number, tag in enumerate(tags):
            src = torch.where((place == number) & (num_tags > number), tag, src)
        tgt_out = self._sentences(tgt_start, tgt_length, place)  # (B, W)
        before = tgt_out.roll(1, dims=1)
        tgt_in = torch.where(place == 0, self.bos_id, before)
        tgt_in = torch.where(place > tgt_length.clamp(min=0), self.pad_id, tgt_in)
        return TrainBatch(src, padding_mask(src, self.pad_id), tgt_in, tgt_out, num_targets)

    def _sentences(self, start: Tensor, length: Tensor, place: Tensor) -> Tensor:
        """Return ids (B, W): sentences, EOS, and padding; anything before place 0.

        Args:
            start: (B, 1), of the sentence in `ids`.
            length: (B, 1), in ids; -1 for padding alone.
            place: (1 or B, W), in the sentence.
        """
        sentence_ids = self.ids[(start + place).clamp(0, len(self.ids) - 1)].long() & 0xFFFF
        ending = torch.where(place == length, self.eos_id, self.pad_id)
        return torch.where(place < length, sentence_ids, ending)


NUM_AHEAD = 64
POLL_S = 0.5  # how often the thread looks whether anyone still reads

Item = TypeVar("Item")


def load_rows(text: DeviceText, step_plans: Iterator[StepPlan]) -> Iterator[StepBatches]:
    """Yield the batches of each plan, in order."""

    def made() -> Iterator[StepBatches]:
        for plan in step_plans:
            indices = (np.array(some, dtype=np.int64) for some, _ in plan.micro_batches)
            yield StepBatches(plan.epoch, plan.position, [text.batch(some) for some in indices])

    return ahead(made(), NUM_AHEAD)


def ahead(items: Iterator[Item], count: int) -> Iterator[Item]:
    """Yield `items`, of which a thread makes up to `count` before they are asked for.

    An exception of theirs is raised here. The thread ends when the iterator is closed.
    """
    ready: queue.Queue[Item | BaseException] = queue.Queue(count)
    is_over = threading.Event()

    def put(item: Item | BaseException) -> None:
        is_put = False
        while not is_put and not is_over.is_set():
            with suppress(queue.Full):
                ready.put(item, timeout=POLL_S)
                is_put = True

    def make() -> None:
        try:
            for item in items:
                put(item)
                if is_over.is_set():
                    return
            put(StopIteration())
        except BaseException as error:
            put(error)

    threading.Thread(target=make, name="batches ahead", daemon=True).start()
    try:
        while not isinstance(item := ready.get(), BaseException):
            yield item
        if not isinstance(item, StopIteration):
            raise item
    finally:
        is_over.set()
