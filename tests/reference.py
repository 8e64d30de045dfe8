"""The model that one reads, stepped without any cache: what every runtime is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, Self

import torch

from translator.config import ModelConfig
from translator.model.embedding import pad, padding_mask
from translator.model.transformer import Transformer
from translator.runtime.contract import SlotsHand
from translator.search.beam import BeamSearch
from translator.search.rows import Array


class ReferenceSlots:
    """The sources of sentences, and all ids that each of their rows has been fed."""

    most_dead = 0.0

    def __init__(self, sources: Sequence[Sequence[int]], beam_size: int) -> None:
        self.beam_size = beam_size
        self.sources: list[Sequence[int]] = []
        self.fed: list[list[list[int]]] = []
        self.join(sources)

    def join(self, newcomers: Any) -> None:
        self.sources += [*newcomers]
        self.fed += [[[] for _ in range(self.beam_size)] for _ in newcomers]

    def keep(self, places: Sequence[int]) -> None:
        self.sources = [self.sources[place] for place in places]
        self.fed = [self.fed[place] for place in places]

    def reorder(self, parents: Array) -> None:
        self.fed = [
            [[*rows[parent]] for parent in own]
            for rows, own in zip(self.fed, parents.tolist(), strict=True)
        ]


class ReferenceModel:
    """A `Transformer` as the engine wants it.

    `keeps_share` leaves forbidden ids their share of the probability, as `transformers` does.
    """

    def __init__(
        self, model: Transformer, forbidden_ids: Sequence[int], keeps_share: bool = False
    ) -> None:
        self.model, self.forbidden_ids = model, list(forbidden_ids)
        self.keeps_share = keeps_share
        self.num_bytes = 0

    @property
    def config(self) -> ModelConfig:
        return self.model.config

    @property
    def max_target_ids(self) -> int:
        return 1 << 40

    def twins(self, count: int) -> list[Self]:
        return [self] * count

    def second_pass(self) -> None:
        return

    def warm_up(self) -> None:
        pass

    def at_work(self, threads: int | None) -> nullcontext[None]:
        return nullcontext()

    def hand(
        self, beam_size: int, bos_id: int, eos_id: int
    ) -> SlotsHand[Sequence[Sequence[int]], ReferenceSlots]:
        return SlotsHand(self, beam_size, bos_id, eos_id)

    def encode(self, sources: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        return sources

    def slots(self, memory: Sequence[Sequence[int]], beam_size: int) -> ReferenceSlots:
        return ReferenceSlots(memory, beam_size)

    @torch.inference_mode()
    def step(
        self,
        ids: Array,
        slots: ReferenceSlots,
        count: int = 1,
        beam_log_probs: Array | None = None,
    ) -> tuple[Array, Array, Array]:
        for rows, own in zip(slots.fed, ids.tolist(), strict=True):
            for row, piece_id in zip(rows, own, strict=True):
                row.append(piece_id)
        pad_id = self.model.config.pad_id
        src = pad([s for s in slots.sources for _ in range(slots.beam_size)], pad_id)
        rows = [row for rows in slots.fed for row in rows]
        mask = padding_mask(src, pad_id)
        states = self.model.decode(pad(rows, pad_id), self.model.encode(src, mask), mask)
        last = states[torch.arange(len(rows)), [len(row) - 1 for row in rows]]
        logits = self.model.logits(last)
        if self.keeps_share:
            logits = logits.log_softmax(-1)
        logits[:, self.forbidden_ids] = -1e9
        found = logits if self.keeps_share else logits.log_softmax(-1)
        found = found.view(len(slots.fed), slots.beam_size, -1).double()
        if beam_log_probs is not None:
            found = found + torch.from_numpy(beam_log_probs)[:, :, None]
        best, places = found.flatten(1).topk(min(count, found[0].numel()))
        vocab_size = found.size(2)
        return (
            best.float().numpy(),
            (places % vocab_size).numpy(),
            (places // vocab_size).numpy(),
        )

    def advance(
        self, search: BeamSearch, slots: ReferenceSlots, turn_rows: int, waits: bool
    ) -> list[int]:
        is_greedy = search.next_ids.shape[1] == 1
        so_far = None if is_greedy else search.log_probs
        done = search.extend(*self.step(search.next_ids, slots, search.num_candidates, so_far))
        if not is_greedy:
            slots.reorder(search.parents)
        return done
