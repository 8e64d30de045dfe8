"""What is remembered of sentences on a device: tensors with a row for each slot, of fixed sizes.

A slot is free or has a sentence; nothing moves when others come and go. What a free slot computes
is finite, and no one reads it.

Letters: B slots of K beams, S places of a source, T positions of a target, L layers, H heads of d
numbers, D width, V pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import torch
from torch import Tensor

from translator.runtime.plan import FORBIDDEN, Plan, Recurrence
from translator.search.rows import round_up
from translator.search.search import MOST_FORCED

FINE, FINE_UP_TO = 32, 128
"""Lengths are multiples of `FINE` up to `FINE_UP_TO`, and have two steps for each doubling above.

PyTorch's attention reads masks best whose rows begin at multiples of 16."""

SENTENCES_STEP = 128
"""Numbers of sentences are powers of two up to twice this, and multiples of it above."""


class Capacity(NamedTuple):
    """How much there is room for: B sentences, S places of a source, T positions of a target."""

    sentences: int
    source: int
    target: int


class Bucket(NamedTuple):
    """The shape of a step."""

    sentences: int  # B
    source: int  # S, places of a source
    target: int  # T, positions of a target
    # the longest that no sentence may have twice; 0 if all may repeat what they like
    ngram_size: int = 0
    is_forced: bool = False  # whether a sentence may still have to say what it was told to


def length_bucket(length: int) -> int:
    """Return the size for sources or targets of this length."""
    if length <= FINE_UP_TO:
        return round_up(max(length, 1), FINE)
    return round_up(length, 1 << ((length - 1).bit_length() - 2))


def sentences_bucket(count: int) -> int:
    """Return the size for so many sentences."""
    if count <= 2 * SENTENCES_STEP:
        return 1 << max(count - 1, 0).bit_length()
    return round_up(count, SENTENCES_STEP)


FIXED = {"row", "beam_rows"}
"""Fields of `Slots` that never change."""


@dataclass(frozen=True, slots=True)
class Slots:
    """All that steps read and write; whatever a step changes, it changes in place."""

    row: Tensor  # (B,) int64, the number of each slot
    beam_rows: Tensor  # (B, K) int64, the number of each beam among all
    is_live: Tensor  # (B,) bool, whether the search goes on
    fed: Tensor  # (B,) int64, ids that the decoder has read
    last: Tensor  # (B,) int64, the value of `fed` at the last permitted step
    wanted: Tensor  # (B, 1) int64, hypotheses that are wanted, less one
    first: Tensor  # (B,) int64, how many ids are fed before the search begins to choose
    ngram_sizes: Tensor  # (B,) int64, `no_repeat_ngram_size`
    forced: Tensor  # (B, `MOST_FORCED`) int64, the ids that are fed, in order
    # (B, T + 2) float64, what a hypothesis that ends behind so many fed ids is divided by
    penalties: Tensor
    last_penalty: Tensor  # (B, 1) float64, at the last permitted step
    log_probs: Tensor  # (B, K) of the live beams, best first; -inf for a dead one
    next_ids: Tensor  # (B, K) int64, what is fed next
    scores: Tensor  # (B, K) float64 of the best finished hypotheses, best first; -inf for none
    ends: Tensor  # (B, K) int64, step · K + rank of the continuation that ended each
    # (B, T, 3, K) int64: at each step the beams' ids, whom they continued, and the best K
    # continuations as beam · V + id
    steps: Tensor
    # (B, K, T · K), added to what a beam's query makes of each key of its sentence: 0 for those
    # that it or its forebears wrote, else `FORBIDDEN`
    past_mask: Tensor
    source_mask: Tensor  # (B, S), the same of the source
    # L times keys and values (B, T, K, 2, H, d), or states (B, K, D) float32
    past: tuple[Tensor, ...]
    memory: tuple[Tensor, ...]  # L times keys and values of the source, (B, S, 2, H, d)
    allowed: Tensor  # (B, V) added to logits, or (B, 0) if all ids are allowed

    def tensors(self) -> list[Tensor]:
        """Return all that a slot remembers; the first axis of each is that of slots."""
        found: list[Tensor] = []
        for field in fields(self):
            value: Tensor | tuple[Tensor, ...] = getattr(self, field.name)
            if field.name not in FIXED:
                found += value if isinstance(value, tuple) else [value]
        return found

    def first_slots(self, count: int) -> Slots:
        """Return views of the first slots."""
        views: dict[str, Any] = {}
        for field in fields(self):
            value: Tensor | tuple[Tensor, ...] = getattr(self, field.name)
            if isinstance(value, tuple):
                views[field.name] = tuple(tensor[:count] for tensor in value)
            else:
                views[field.name] = value[:count]
        return Slots(**views)

    def move(self, sources: Sequence[int], places: Sequence[int]) -> None:
        """Copy slots to other places."""
        device = self.fed.device
        one, other = (torch.tensor([*some], device=device) for some in (sources, places))
        for tensor in self.tensors():
            tensor.index_copy_(0, other, tensor.index_select(0, one))

    def stop(self, slots: Sequence[int]) -> None:
        """Let the search in some slots end: what it finds is no longer wanted."""
        chosen = torch.tensor([*slots], device=self.fed.device)
        self.is_live.index_fill_(0, chosen, False)
        self.log_probs.index_fill_(0, chosen, -torch.inf)

    def take_over(self, other: Slots, count: int) -> None:
        """Copy the first slots of others, narrower or wider; what is cut off is free."""
        for mine, theirs in zip(self.tensors(), other.tensors(), strict=True):
            sizes = [min(pair) for pair in zip(mine.shape, theirs.shape, strict=True)]
            part = tuple(slice(size) for size in (min(count, sizes[0]), *sizes[1:]))
            mine[part] = theirs[part]


def slot_bytes(plan: Plan[Tensor], capacity: Capacity, beam_size: int, dtype: torch.dtype) -> int:
    """Return the memory of all slots of such a capacity, all but a hundredth."""
    count, source, target = capacity
    rows = target * beam_size
    is_recurrent = isinstance(plan.decoder[0].past, Recurrence)
    keys_values = len(plan.decoder) * 2 * plan.config.num_heads * plan.d_k
    numbers = keys_values * (source + (0 if is_recurrent else rows)) + rows * beam_size + source
    numbers += len(plan.output.weight) if plan.shortlist else 0
    states = len(plan.decoder) * beam_size * plan.config.d_model * 4 if is_recurrent else 0
    wide = rows * 3 + target + MOST_FORCED
    return count * (numbers * dtype.itemsize + states + wide * 8)


def new_slots(plan: Plan[Tensor], capacity: Capacity, beam_size: int, dtype: torch.dtype) -> Slots:
    """Return free slots with a capacity of B, S and T; keys, values and masks are of the dtype."""
    config, device = plan.config, plan.output.weight.device
    count, source, target = capacity
    heads, d_k = config.num_heads, plan.d_k

    def zeros(*shape: int, kind: torch.dtype = torch.int64) -> Tensor:
        return torch.zeros(count, *shape, dtype=kind, device=device)

    def full(*shape: int, kind: torch.dtype, value: float) -> Tensor:
        return torch.full((count, *shape), value, dtype=kind, device=device)

    def past(is_recurrent: bool) -> Tensor:
        if is_recurrent:
            return zeros(beam_size, config.d_model, kind=torch.float32)
        return zeros(target, beam_size, 2, heads, d_k, kind=dtype)

    sums = torch.float64 if beam_size == 1 else torch.float32  # as the search on the CPU has them
    return Slots(
        row=torch.arange(count, device=device),
        beam_rows=torch.arange(count * beam_size, device=device).view(count, beam_size),
        is_live=zeros(kind=torch.bool),
        fed=zeros(),
        last=zeros(),
        wanted=zeros(1),
        first=zeros(),
        ngram_sizes=zeros(),
        forced=zeros(MOST_FORCED),
        penalties=full(target + 2, kind=torch.float64, value=1.0),
        last_penalty=full(1, kind=torch.float64, value=1.0),
        log_probs=full(beam_size, kind=sums, value=-torch.inf),
        next_ids=zeros(beam_size),
        scores=full(beam_size, kind=torch.float64, value=-torch.inf),
        ends=zeros(beam_size),
        steps=zeros(target, 3, beam_size),
        past_mask=full(beam_size, target * beam_size, kind=dtype, value=FORBIDDEN),
        source_mask=full(source, kind=dtype, value=FORBIDDEN),
        past=tuple(past(isinstance(layer.past, Recurrence)) for layer in plan.decoder),
        memory=tuple(zeros(source, 2, heads, d_k, kind=dtype) for _ in plan.decoder),
        allowed=zeros(len(plan.output.weight) if plan.shortlist else 0, kind=dtype),
    )
