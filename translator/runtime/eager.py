"""The model in PyTorch's own operations, with a cache: where nothing is compiled.

It is `model/transformer.py` for translating: the same lines, but the decoder takes one position at
a time, and keeps keys and values of those before. It also makes the first translations while the
kernels of `compiled/` are being compiled.

Letters: B sentences of K beams, N = B · K rows, H heads of d numbers, S places of a source, T
positions that a row has written, V pieces, C continuations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from translator import jit
from translator.model.embedding import pad
from translator.model.recurrence import recur
from translator.runtime.contract import SearchedBatch
from translator.runtime.layers import Layers, TorchRuntime, on_device
from translator.runtime.plan import FORBIDDEN, Embedding, Plan, Recurrence, SelfAttention
from translator.search.beam import use_search
from translator.search.rows import Array

ROOM_STEP = 32
"""Positions that room is made for at once."""


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """The encoded sources of B sentences."""

    keys_values: list[Tensor]  # for each decoder layer the keys and values (B, S, 2, H, d)
    mask: Tensor  # (B, 1, 1, S) bool, True = attend
    allowed: Tensor  # (B, V) bool, which ids may be produced; (B, 0) if all may

    def __len__(self) -> int:
        return len(self.mask)

    def widened(self, width: int) -> SourceMemory:
        """Return sources with room for so many places."""
        more = width - self.mask.size(3)
        keys_values = [_lengthened(layer, more) for layer in self.keys_values]
        return SourceMemory(keys_values, F.pad(self.mask, (0, more)), self.allowed)


def _lengthened(keys_values: Tensor, count: int) -> Tensor:
    """Return keys and values (N, T, 2, H, d) with so many more positions."""
    return F.pad(keys_values, (0, 0, 0, 0, 0, 0, 0, count))


class EagerRuntime(TorchRuntime):
    """Encodes sources and takes decoder steps; see `contract.Runtime`."""

    def __init__(
        self,
        plan: Plan[Array],
        device: str = "cpu",
        compiles_search: bool = True,
    ) -> None:
        """Put the weights on a device; on the CPU they are used where they lie.

        Keys and values are kept in bfloat16 on a GPU and float32 on a CPU. To compile the search
        takes seconds at first.
        """
        super().__init__(on_device(plan, device))
        self._layers = Layers(self.plan)
        self.kept_as = torch.float32 if self.device.type == "cpu" else torch.bfloat16
        self.compiles_search = compiles_search

    def warm_up(self) -> None:
        """Compile the search, if it is to be."""
        if self.compiles_search:
            jit.compile_now(use_search)

    def batch(self, beam_size: int, bos_id: int, eos_id: int) -> EagerBatch:
        """Return a batch without sentences; see `contract.Runtime`."""
        return EagerBatch(self, beam_size, bos_id, eos_id)

    def _embed(self, embedding: Embedding[Tensor], ids: Tensor, positions: Tensor) -> Tensor:
        """Return (N, T, D) of ids (N, T) at positions of the same shape."""
        vectors = embedding.positions(int(positions.max()) + 1)
        return F.embedding(ids, embedding.weight) * embedding.scale + vectors[positions]

    # --- the encoder ------------------------------------------------------------------------------

    @torch.inference_mode()
    def encode(self, sources: Sequence[Sequence[int]]) -> SourceMemory:
        """Read sources: B id sequences."""
        plan, lengths = self.plan, torch.tensor([len(ids) for ids in sources])
        src = pad(sources, self.config.pad_id).to(self.device)  # (B, S)
        steps = torch.arange(src.size(1))
        mask = (steps < lengths[:, None]).to(self.device)[:, None, None]  # (B, 1, 1, S)
        x = self._embed(plan.source, src, steps.to(self.device).expand(src.shape))
        keys_values = [layer.to(self.kept_as) for layer in self._layers.encoder(x, mask)]
        return SourceMemory(keys_values, mask, self._allowed(sources))

    def _allowed(self, sources: Sequence[Sequence[int]]) -> Tensor:
        """Return which ids the translation of each source may have: (B, V), or (B, 0) for all."""
        shortlist = self.plan.shortlist
        if shortlist is None:
            return torch.ones(len(sources), 0, dtype=torch.bool, device=self.device)
        allowed = torch.zeros(len(sources), self.config.vocab_size, dtype=torch.bool)
        for row, source in zip(allowed, sources, strict=True):
            row[torch.from_numpy(shortlist.of(source))] = True
        return allowed.to(self.device)

    # --- the decoder ------------------------------------------------------------------------------

    @torch.inference_mode()
    def decode(self, ids: Tensor, batch: EagerBatch) -> Tensor:
        """Return the logits (B, K, V) behind one more id (B, K) of each beam of a batch."""
        batch.make_room()
        mask = batch.past_mask()

        def look_back(number: int, h: Tensor) -> Tensor:
            past = self.plan.decoder[number].past
            if isinstance(past, Recurrence):
                return self._recur(h, past, batch, number)
            return self._attend_to_past(h, past, batch, number, mask)

        x = self._embed(self.plan.target, ids, batch.positions.view(ids.shape))
        memory = batch.memory
        logits = self._layers.decoder(x, look_back, memory.keys_values, memory.mask)
        batch.positions = batch.positions + 1
        allowed = memory.allowed[:, None]
        return logits.masked_fill(~allowed, FORBIDDEN) if allowed.size(2) else logits

    def _attend_to_past(
        self, h: Tensor, past: SelfAttention[Tensor], batch: EagerBatch, number: int, mask: Tensor
    ) -> Tensor:
        query, new = self._layers.parts(self._layers.linear(h, past.qkv))
        keys_values = batch.pasts[number]
        rows = torch.arange(len(keys_values), device=self.device)
        keys_values[rows, batch.positions] = new.flatten(0, 1).to(self.kept_as)
        context = self._layers.attend(query.flatten(0, 1)[:, None], keys_values, mask)
        return context.view(query.shape)

    def _recur(self, h: Tensor, past: Recurrence[Tensor], batch: EagerBatch, number: int) -> Tensor:
        candidates, gates = self._layers.linear(h, past.gates).flatten(0, 1).chunk(2, 1)
        state = batch.pasts[number] = recur(candidates, gates, batch.pasts[number])
        return state.relu().view(h.shape)


class EagerBatch(SearchedBatch):
    """Keys and values of N rows, each of which has a past of its own, and of their sources.

    Rows of a recurrent decoder have a state of D numbers a layer instead of a past: `pasts` are (N,
    T, 2, H, d), or (N, D), of each layer, and `positions` (N,) int64 how many each row has written.
    """

    most_dead = 0.25  # the last sentences are moved when others leave

    def __init__(self, runtime: EagerRuntime, beam_size: int, bos_id: int, eos_id: int) -> None:
        super().__init__(beam_size, bos_id, eos_id)
        self.runtime = runtime
        self._has_states = isinstance(runtime.plan.decoder[0].past, Recurrence)
        self._clear()

    def _clear(self) -> None:
        plan, config, device = self.runtime.plan, self.runtime.config, self.runtime.device
        num_allowed = config.vocab_size if plan.shortlist else 0
        heads = (2, config.num_heads, plan.d_k)
        past = (0, config.d_model) if self._has_states else (0, ROOM_STEP, *heads)
        past_type = torch.float32 if self._has_states else self.runtime.kept_as
        self.memory = SourceMemory(
            [
                torch.zeros(0, 0, *heads, dtype=self.runtime.kept_as, device=device)
                for _ in plan.decoder
            ],
            torch.zeros(0, 1, 1, 0, dtype=torch.bool, device=device),
            torch.zeros(0, num_allowed, dtype=torch.bool, device=device),
        )
        self.positions = torch.zeros(0, dtype=torch.long, device=device)
        self.pasts = [torch.zeros(past, dtype=past_type, device=device) for _ in plan.decoder]

    def _read(self, sources: Sequence[Sequence[int]]) -> None:
        memory = self.runtime.encode(sources)
        width = max(one.mask.size(3) for one in (self.memory, memory))
        both = [one.widened(width) for one in (self.memory, memory)]
        self.memory = SourceMemory(
            [torch.cat(layer) for layer in zip(*(one.keys_values for one in both), strict=True)],
            torch.cat([one.mask for one in both]),
            torch.cat([one.allowed for one in both]),
        )
        num_rows = len(memory) * self.beam_size
        self.positions = F.pad(self.positions, (0, num_rows))
        self.pasts = [
            torch.cat([past, past.new_zeros(num_rows, *past.shape[1:])]) for past in self.pasts
        ]

    def _keep(self, slots: Sequence[int]) -> None:
        if not slots:
            self._clear()
            return
        kept = torch.tensor(slots, device=self.positions.device)
        mask = self.memory.mask[kept]
        width = int(mask.sum(3).max())
        self.memory = SourceMemory(
            [layer[kept, :width] for layer in self.memory.keys_values],
            mask[..., :width],
            self.memory.allowed[kept],
        )
        beams = torch.arange(self.beam_size, device=kept.device)
        self._choose((kept[:, None] * self.beam_size + beams).flatten())

    def step(self, turn_rows: int, waits: bool) -> list[int]:
        """Take a step with all sentences; see `contract.BatchState`."""
        if not len(self.memory):
            return []
        search, is_greedy = self.search, self.beam_size == 1
        so_far = None if is_greedy else search.log_probs
        best = self.continuations(search.next_ids, search.num_candidates, so_far)
        done = search.extend(*best, self.runtime.compiles_search)
        if not is_greedy:
            self.reorder(search.parents)
        return done

    @torch.inference_mode()
    def continuations(
        self, ids: Array, count: int, beam_log_probs: Array | None
    ) -> tuple[Array, Array, Array]:
        """Feed ids (B, K) int64 to the beams of B sentences; return what `BeamSearch.extend` takes.

        The best C = `count` continuations of each are wanted. `beam_log_probs` (B, K) are what each
        beam has so far, in nats; 0 if None.
        """
        device = self.positions.device
        log_probs = self.runtime.decode(torch.from_numpy(ids).to(device), self).log_softmax(-1)
        if beam_log_probs is not None:
            so_far = torch.from_numpy(beam_log_probs).to(device, torch.float32)
            log_probs = log_probs + so_far[:, :, None]
        vocab_size = log_probs.size(2)
        best, numbers = log_probs.flatten(1).topk(min(count, ids.shape[1] * vocab_size))
        found = best, numbers % vocab_size, numbers // vocab_size
        log_prob, last_id, beam = (tensor.cpu().numpy() for tensor in found)
        return log_prob, last_id, beam

    def reorder(self, parents: Array) -> None:
        """Let beams continue others: parents are (B, K) int64."""
        chosen = torch.from_numpy(parents).to(self.positions.device)
        firsts = torch.arange(0, len(self.positions), self.beam_size, device=chosen.device)
        self._choose((firsts[:, None] + chosen).flatten())

    def _choose(self, rows: Tensor) -> None:
        self.positions = self.positions[rows]
        self.pasts = [past[rows] for past in self.pasts]

    def make_room(self) -> None:
        """See to it that one more position can be written."""
        if not self._has_states and int(self.positions.max()) >= self.pasts[0].size(1):
            self.pasts = [_lengthened(past, ROOM_STEP) for past in self.pasts]

    def past_mask(self) -> Tensor:
        """Return (N, 1, 1, T) bool, True where a row attends to its past and to itself."""
        steps = torch.arange(self.pasts[0].size(1), device=self.positions.device)
        return (steps <= self.positions[:, None])[:, None, None]
