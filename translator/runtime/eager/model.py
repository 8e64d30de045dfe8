"""The model in PyTorch's own operations, with a cache: where nothing is compiled.

It is `model/transformer.py` for translating: the same lines, but the decoder takes one position at
a time, and keeps keys and values of those before. It also makes the first translations while the
kernels of `compiled/` are being compiled.

Letters: B sentences of K beams, N = B · K rows, H heads of d numbers, S places of a source, T
positions that a row has written, V pieces, C continuations.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Self

import torch
from torch import Tensor
from torch.nn import functional as F

from translator import jit
from translator.model.embedding import pad
from translator.model.recurrence import recur
from translator.runtime.contract import SlotsHand
from translator.runtime.eager.layers import Layers, inference, on_device
from translator.runtime.eager.slots import EagerSlots, SourceMemory
from translator.runtime.plan import FORBIDDEN, Embedding, Plan, Recurrence, SelfAttention
from translator.search.beam import BeamSearch, use_search
from translator.search.rows import Array


class EagerModel:
    """Encodes sources and takes decoder steps; see `contract.Runtime`."""

    def __init__(
        self,
        plan: Plan[Array],
        device: str = "cpu",
        kept_as: torch.dtype | None = None,
        compiles_search: bool = True,
    ) -> None:
        """Put the weights on a device; on the CPU they are used where they lie.

        Args:
            plan: of a model in floats.
            device: where to compute; on GPUs of NVIDIA `device/` takes its place.
            kept_as: type of keys and values; bfloat16 on a GPU and float32 on a CPU if None.
            compiles_search: whether the search is compiled; that takes seconds at first.
        """
        self.config, self._plan = plan.config, on_device(plan, device)
        self.device = self._plan.output.weight.device
        self._layers = Layers(self._plan)
        default = torch.float32 if self.device.type == "cpu" else torch.bfloat16
        self._kept_as = kept_as or default
        self._compiles_search = compiles_search
        self.max_target_ids = plan.max_target_ids

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights."""
        return self._plan.num_bytes

    def twins(self, count: int) -> list[Self]:
        """Return this so many times: what it remembers is in slots."""
        return [self] * count

    def second_pass(self) -> None:
        """Return None: the reference reads pairs as fast."""
        return

    def warm_up(self) -> None:
        """Compile the search, if it is to be."""
        if self._compiles_search:
            jit.compile_now(use_search)

    def at_work(self, threads: int | None) -> AbstractContextManager[None]:
        """Return inference mode; see `contract.Runtime`."""
        return inference(threads)

    def hand(self, beam_size: int, bos_id: int, eos_id: int) -> SlotsHand[SourceMemory, EagerSlots]:
        """Return a hand without sentences; see `contract.Runtime`."""
        return SlotsHand(self, beam_size, bos_id, eos_id)

    def _embed(self, embedding: Embedding[Tensor], ids: Tensor, positions: Tensor) -> Tensor:
        """Return (N, T, D) of ids (N, T) at positions of the same shape."""
        vectors = embedding.positions(int(positions.max()) + 1)
        return F.embedding(ids, embedding.weight) * embedding.scale + vectors[positions]

    # --- the encoder ------------------------------------------------------------------------------

    @torch.inference_mode()
    def encode(self, sources: Sequence[Sequence[int]]) -> SourceMemory:
        """Read sources: B id sequences."""
        plan, lengths = self._plan, torch.tensor([len(ids) for ids in sources])
        src = pad(sources, self.config.pad_id).to(self.device)  # (B, S)
        steps = torch.arange(src.size(1))
        mask = (steps < lengths[:, None]).to(self.device)[:, None, None]  # (B, 1, 1, S)
        x = self._embed(plan.source, src, steps.to(self.device).expand(src.shape))
        keys_values = [one.to(self._kept_as) for one in self._layers.encoder(x, mask)]
        return SourceMemory(keys_values, mask, self._allowed(sources))

    def _allowed(self, sources: Sequence[Sequence[int]]) -> Tensor:
        """Return which ids the translation of each source may have: (B, V), or (B, 0) for all."""
        shortlist = self._plan.shortlist
        if shortlist is None:
            return torch.ones(len(sources), 0, dtype=torch.bool, device=self.device)
        allowed = torch.zeros(len(sources), self.config.vocab_size, dtype=torch.bool)
        for row, source in zip(allowed, sources, strict=True):
            row[torch.from_numpy(shortlist.of(source))] = True
        return allowed.to(self.device)

    # --- the decoder ------------------------------------------------------------------------------

    def slots(self, memory: SourceMemory, beam_size: int) -> EagerSlots:
        """Return slots with K beams for each sentence."""
        has_states = isinstance(self._plan.decoder[0].past, Recurrence)
        return EagerSlots(memory, beam_size, self.config.d_model if has_states else 0)

    def _decode(self, ids: Tensor, slots: EagerSlots) -> Tensor:
        """Return the logits (B, K, V) behind one more id (B, K) of each beam."""
        slots.make_room()
        mask = slots.past_mask()

        def look_back(number: int, h: Tensor) -> Tensor:
            past = self._plan.decoder[number].past
            if isinstance(past, Recurrence):
                return self._recur(h, past, slots, number)
            return self._attend_to_past(h, past, slots, number, mask)

        x = self._embed(self._plan.target, ids, slots.positions.view(ids.shape))
        memory = slots.memory
        logits = self._layers.decoder(x, look_back, memory.keys_values, memory.mask)
        slots.move_on()
        return logits

    def _attend_to_past(
        self, h: Tensor, past: SelfAttention[Tensor], slots: EagerSlots, number: int, mask: Tensor
    ) -> Tensor:
        query, new = self._layers.parts(self._layers.linear(h, past.qkv))
        keys_values = slots.write(number, new.flatten(0, 1).to(self._kept_as))
        context = self._layers.attend(query.flatten(0, 1)[:, None], keys_values, mask)
        return context.view(query.shape)

    def _recur(self, h: Tensor, past: Recurrence[Tensor], slots: EagerSlots, number: int) -> Tensor:
        candidates, gates = self._layers.linear(h, past.gates).flatten(0, 1).chunk(2, 1)
        state = recur(candidates, gates, slots.state(number))
        slots.set_state(number, state)
        return state.relu().view(h.shape)

    @torch.inference_mode()
    def step(
        self,
        ids: Array,
        slots: EagerSlots,
        count: int = 1,
        beam_log_probs: Array | None = None,
    ) -> tuple[Array, Array, Array]:
        """Feed one id to every row; see `contract.SlotRuntime.step`."""
        logits = self._decode(torch.from_numpy(ids).to(self.device), slots)
        allowed = slots.memory.allowed[:, None]
        if allowed.size(2):
            logits = logits.masked_fill(~allowed, FORBIDDEN)
        log_probs = logits.log_softmax(-1)
        if beam_log_probs is not None:
            so_far = torch.from_numpy(beam_log_probs).to(self.device, torch.float32)
            log_probs = log_probs + so_far[:, :, None]
        vocab_size = log_probs.size(2)
        best, places = log_probs.flatten(1).topk(min(count, ids.shape[1] * vocab_size))
        found = best, places % vocab_size, places // vocab_size
        one, other, beams = (tensor.cpu().numpy() for tensor in found)
        return one, other, beams

    def advance(
        self, search: BeamSearch, slots: EagerSlots, turn_rows: int, waits: bool
    ) -> list[int]:
        """Take a step with all sentences; see `contract.SlotRuntime.advance`."""
        is_greedy = search.next_ids.shape[1] == 1
        so_far = None if is_greedy else search.log_probs
        best = self.step(search.next_ids, slots, search.num_candidates, so_far)
        done = search.extend(*best, self._compiles_search)
        if not is_greedy:
            slots.reorder(search.parents)
        return done
