"""The model that one reads, stepped without any cache: what every runtime is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Self

import torch

from translator.config import ModelConfig
from translator.model.embedding import pad, padding_mask
from translator.model.transformer import Transformer
from translator.runtime.contract import SearchedBatch
from translator.search.rows import Array


class ReferenceRuntime:
    """A `Transformer` as the engine wants it.

    `keeps_share` leaves forbidden ids their share of the probability, as `transformers` does.
    """

    def __init__(
        self, model: Transformer, forbidden_ids: Sequence[int], keeps_share: bool = False
    ) -> None:
        self.model, self.forbidden_ids = model, list(forbidden_ids)
        self.keeps_share = keeps_share
        self.num_bytes = 0
        self.max_target_ids = 1 << 40

    @property
    def config(self) -> ModelConfig:
        return self.model.config

    def replicas(self, count: int) -> list[Self]:
        return [self] * count

    def forced_scorer(self) -> None:
        return

    def warm_up(self) -> None:
        pass

    def at_work(self, threads: int | None) -> nullcontext[None]:
        return nullcontext()

    def batch(self, beam_size: int, bos_id: int, eos_id: int) -> ReferenceBatch:
        return ReferenceBatch(self, beam_size, bos_id, eos_id)


class ReferenceBatch(SearchedBatch):
    """The sources of sentences, and all ids that each of their rows has been fed."""

    def __init__(self, runtime: ReferenceRuntime, beam_size: int, bos_id: int, eos_id: int) -> None:
        super().__init__(beam_size, bos_id, eos_id)
        self.runtime = runtime
        self.sources: list[Sequence[int]] = []
        self.fed: list[list[list[int]]] = []

    def _read(self, sources: Sequence[Sequence[int]]) -> None:
        self.sources += sources
        self.fed += [[[] for _ in range(self.beam_size)] for _ in sources]

    def _keep(self, slots: Sequence[int]) -> None:
        self.sources = [self.sources[slot] for slot in slots]
        self.fed = [self.fed[slot] for slot in slots]

    def reorder(self, parents: Array) -> None:
        self.fed = [
            [[*rows[parent]] for parent in own]
            for rows, own in zip(self.fed, parents.tolist(), strict=True)
        ]

    def step(self, turn_rows: int, waits: bool) -> list[int]:
        search, is_greedy = self.search, self.beam_size == 1
        so_far = None if is_greedy else search.log_probs
        best = self.continuations(search.next_ids, search.num_candidates, so_far)
        done = search.extend(*best)
        if not is_greedy:
            self.reorder(search.parents)
        return done

    @torch.inference_mode()
    def continuations(
        self, ids: Array, count: int, beam_log_probs: Array | None
    ) -> tuple[Array, Array, Array]:
        model = self.runtime.model
        for rows, own in zip(self.fed, ids.tolist(), strict=True):
            for row, piece_id in zip(rows, own, strict=True):
                row.append(piece_id)
        pad_id = model.config.pad_id
        src = pad([s for s in self.sources for _ in range(self.beam_size)], pad_id)
        rows = [row for rows in self.fed for row in rows]
        mask = padding_mask(src, pad_id)
        states = model.decode(pad(rows, pad_id), model.encode(src, mask), mask)
        last = states[torch.arange(len(rows)), [len(row) - 1 for row in rows]]
        logits = model.logits(last)
        if self.runtime.keeps_share:
            logits = logits.log_softmax(-1)
        logits[:, self.runtime.forbidden_ids] = -1e9
        found = logits if self.runtime.keeps_share else logits.log_softmax(-1)
        found = found.view(len(self.fed), self.beam_size, -1).double()
        if beam_log_probs is not None:
            found = found + torch.from_numpy(beam_log_probs)[:, :, None]
        best, numbers = found.flatten(1).topk(min(count, found[0].numel()))
        vocab_size = found.size(2)
        parents = numbers // vocab_size
        return best.float().numpy(), (numbers % vocab_size).numpy(), parents.numpy()
