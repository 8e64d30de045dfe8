"""The most probable ids of a row of logits, found without sorting or normalising the vocabulary."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

STRIPES = (16, 20, 12, 24, 25, 10, 8)
"""Into how many stripes the vocabulary may be cut; 16 was the fastest for V = 8k to 16k."""

NATS_PER_BIT = math.log(2)

FORBIDDEN = -1e9
"""Logit of ids that are never produced: 2 to its power is 0."""

ROWS_AT_ONCE = 32
"""Rows that are normalised together: few enough for their powers to stay in the caches."""


class BestIds(nn.Module):
    """Ids and log-probabilities of the best ids of each row, or of each sentence's beams."""

    def __init__(self, vocab_size: int) -> None:
        """Cut a vocabulary into stripes of equal width; into one if it cannot be."""
        super().__init__()
        self.num_stripes: int = next((n for n in STRIPES if vocab_size % n == 0), 1)
        self.nats_per_bit, self.rows_at_once = NATS_PER_BIT, ROWS_AT_ONCE

    def forward(
        self, logits: Tensor, beam_log_probs: Tensor | None, count: int
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Choose.

        Args:
            logits: (N, V) in bits, that is, multiplied by log2(e).
            beam_log_probs: (B, K) in nats, of what each of N = B · K rows has produced so far;
                None if rows are sentences, and only the best id of each is wanted.
            count: C continuations of a sentence; K · V if that is less.

        Returns:
            log-probabilities in nats (of the beam and the id together), ids, and which of the
            sentence's beams each continues: (B, C), best first.
        """
        if beam_log_probs is None:
            values, ids = self.best_one(logits)
            log_probs = self.log_totals(logits, values).mul_(-self.nats_per_bit)
            return log_probs, ids, torch.zeros_like(ids)
        return self.best_of_beams(logits, beam_log_probs, count)

    def best_one(self, logits: Tensor) -> tuple[Tensor, Tensor]:
        """Return values and ids (N, 1); a faster `max` (PyTorch's looks for both at once)."""
        num_rows, width = logits.size(0), logits.size(1) // self.num_stripes
        if num_rows == 1 or self.num_stripes == 1:
            return logits.max(dim=1, keepdim=True)
        stripes = logits.view(num_rows * self.num_stripes, width)
        stripe = stripes.amax(dim=1).view(num_rows, self.num_stripes).argmax(dim=1)  # (N,)
        first = torch.arange(0, num_rows * self.num_stripes, self.num_stripes, device=logits.device)
        values, places = stripes.index_select(0, first + stripe).max(dim=1)
        return values[:, None], places.add_(stripe * width)[:, None]

    def log_totals(self, logits: Tensor, highest: Tensor) -> Tensor:
        """Return log2 of the sum (N, 1) of 2^(logits - highest); `highest` is (N, 1)."""
        totals = [
            part.sub(high).exp2_().sum(dim=1, keepdim=True)
            for part, high in zip(
                torch.split(logits, self.rows_at_once),
                torch.split(highest, self.rows_at_once),
                strict=False,
            )
        ]
        return torch.cat(totals).log2_()

    def best_of_beams(
        self, logits: Tensor, beam_log_probs: Tensor, count: int
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return log-probabilities, ids and beams (B, C), best first.

        The vocabulary is cut into stripes, laid one below the other. The best ids lie in the
        `count` columns with the highest maxima; only those are looked at one by one.
        """
        num_rows, vocab_size = logits.shape
        batch, width = beam_log_probs.size(0), vocab_size // self.num_stripes
        columns = logits.view(num_rows, self.num_stripes, width).amax(dim=1)  # (N, width)
        highest = columns.amax(dim=1, keepdim=True)
        normalisers = (highest + self.log_totals(logits, highest)).mul_(self.nats_per_bit)
        offsets = beam_log_probs.reshape(num_rows, 1).sub(normalisers)
        columns = columns.mul_(self.nats_per_bit).add_(offsets).view(batch, -1)
        chosen = columns.topk(min(count, columns.size(1)), dim=1, sorted=False)[1]  # (B, C)
        first_rows = torch.arange(0, num_rows, num_rows // batch, device=logits.device)
        beams = chosen.div(width, rounding_mode="floor")
        rows = beams.add(first_rows[:, None])
        first_ids = torch.arange(0, vocab_size, width, device=logits.device)
        ids = chosen.sub(beams * width)[:, :, None].add(first_ids).flatten(1)  # (B, C · stripes)
        rows = rows[:, :, None].expand(-1, -1, self.num_stripes).reshape(batch, -1)
        values = logits.view(-1).take(rows * vocab_size + ids).mul_(self.nats_per_bit)
        values = values.add_(offsets.view(-1).take(rows))
        best, places = values.topk(min(count, values.size(1)), dim=1)
        return (
            best,
            ids.gather(1, places),
            beams.gather(1, places.div(self.num_stripes, rounding_mode="floor")),
        )
