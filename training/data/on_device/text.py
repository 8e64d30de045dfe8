"""The ids of a corpus on the device, and batches gathered there.

The CPU says in a few numbers a row where each sentence lies and what stands before it. That is all
that is sent in a step, and nothing waits for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.data.encoded import EncodedCorpus, TrainBatch, moved
from training.data.on_device.shapes import Shapes
from translator.model.embedding import padding_mask

NUM_PLACES = 5  # of a row: start and length of both sides, number of tags; the tags follow
NO_PAIR = (0, 0, 0, -1, 0)  # a source of EOS alone, and no target: nothing that weighs


@dataclass(frozen=True, slots=True)
class RowBatch:
    """A micro-batch, said by where its text lies.

    Attributes:
        text: that it is gathered from.
        rows: (B, 5 + K) int64, on the CPU or the text's device.
        width: of source and target, with padding.
        num_targets: real target ids, EOS included.
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
        """Copy the text to `device`; a side that several streams share is there once.

        Args:
            corpus: of which words are not split anew.
            shapes: that batches have.
            device: where batches are gathered.
            pad_id: id of padding.
            bos_id: id that the decoder begins with.
        """
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
        found = self.ids[(start + place).clamp(0, len(self.ids) - 1)].long() & 0xFFFF
        ending = torch.where(place == length, self.eos_id, self.pad_id)
        return torch.where(place < length, found, ending)
