"""The model in PyTorch's own operations, with a cache: where nothing is compiled.

It is `model/transformer.py` for translating: the same lines, but the decoder takes one position at
a time, and keeps keys and values of those before. It also makes the first translations while the
kernels of `compiled/` are being compiled.

Letters: B sentences of K beams, N = B · K rows, H heads of d numbers, S places of a source, T
positions that a row has written, V pieces, C continuations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self

import torch
from torch import Tensor
from torch.nn import functional as F

from translator import jit
from translator.model.embedding import pad
from translator.model.layers import ACTIVATIONS
from translator.model.recurrence import recur
from translator.runtime.eager_slots import EagerSlots, SourceMemory
from translator.runtime.hand import SlotsHand
from translator.runtime.plan import (
    FORBIDDEN,
    DecoderWeights,
    Embedding,
    EncoderWeights,
    Linear,
    Network,
    Norm,
    Plan,
    Recurrence,
    SelfAttention,
)
from translator.search.beam import BeamSearch, use_search
from translator.search.rows import Array


class EagerModel:
    """Encodes sources and takes decoder steps; see `contract.Runtime`."""

    def __init__(
        self, plan: Plan, kept_as: torch.dtype | None = None, compiles_search: bool = True
    ) -> None:
        """Use the plan's weights as they are.

        Args:
            plan: of a model on any device; on GPUs of NVIDIA `device/` is used in its place.
            kept_as: type of keys and values; bfloat16 on a GPU and float32 on a CPU if None.
            compiles_search: whether the search is compiled; that takes seconds at first.
        """
        assert not plan.is_int8, "PyTorch computes with floats"
        self.config, self._plan, self.device = plan.config, plan, plan.device
        default = torch.float32 if self.device.type == "cpu" else torch.bfloat16
        self._kept_as = kept_as or default
        self._compiles_search = compiles_search
        self._activation = ACTIVATIONS[plan.activation]
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

    def hand(self, beam_size: int, bos_id: int, eos_id: int) -> SlotsHand:
        """Return a hand without sentences; see `contract.Runtime`."""
        return SlotsHand(self, beam_size, bos_id, eos_id)

    # --- what a layer is made of ------------------------------------------------------------------

    def linear(self, x: Tensor, layer: Linear) -> Tensor:
        """Return x W^T + b."""
        return F.linear(x, layer.weight, layer.bias)

    def _norm(self, x: Tensor, norm: Norm | None) -> Tensor:
        if norm is None:
            return x
        return F.layer_norm(x, norm.weight.shape, norm.weight, norm.bias, norm.eps)

    def _residual(self, x: Tensor, norm: Norm, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        if self._plan.is_pre:
            return x + sublayer(self._norm(x, norm))
        return self._norm(x + sublayer(x), norm)

    def _feed_forward(self, x: Tensor, network: Network) -> Tensor:
        def both(h: Tensor) -> Tensor:
            return self.linear(self._activation(self.linear(h, network.inner)), network.out)

        return self._residual(x, network.norm, both)

    def _by_heads(self, projected: Tensor, parts: int) -> Tensor:
        """Return (parts, N, H, T, d) of rows (N, T, parts · H · d)."""
        num_rows, length, _ = projected.shape
        by_head = projected.view(num_rows, length, parts, self.config.num_heads, self._plan.d_k)
        return by_head.permute(2, 0, 3, 1, 4)

    def _attend(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        """Return the contexts (N, T, H · d) of queries (N, H, T, d)."""
        kept = query.to(key.dtype)
        context = F.scaled_dot_product_attention(kept, key, value, attn_mask=mask)
        return context.to(query.dtype).transpose(1, 2).flatten(2)

    def _embed(self, embedding: Embedding, ids: Tensor, positions: Tensor) -> Tensor:
        """Return (N, T, D) of ids (N, T) at positions of the same shape."""
        vectors = embedding.positions(int(positions.max()) + 1).to(self.device)
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
        for layer in plan.encoder:

            def attend(h: Tensor, layer: EncoderWeights = layer) -> Tensor:
                query, key, value = self._by_heads(self.linear(h, layer.qkv), 3)
                context = self._attend(query, key, value, mask)
                return self.linear(context, layer.attention_out)

            x = self._feed_forward(self._residual(x, layer.norm, attend), layer.feed_forward)
        memory = self._norm(x, plan.encoder_norm)
        keys_values = [
            self._by_heads(self.linear(memory, layer.memory), 2).to(self._kept_as)
            for layer in plan.decoder
        ]
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

    def _attend_to_past(
        self, h: Tensor, past: SelfAttention, slots: EagerSlots, number: int, mask: Tensor
    ) -> Tensor:
        query, *new = self._by_heads(self.linear(h, past.qkv), 3)
        key, value = slots.write(number, torch.stack(new).to(self._kept_as))
        return self.linear(self._attend(query, key, value, mask), past.out)

    def _recur(self, h: Tensor, past: Recurrence, slots: EagerSlots, number: int) -> Tensor:
        candidates, gates = self.linear(h, past.gates)[:, 0].chunk(2, 1)
        state = recur(candidates, gates, slots.state(number))
        slots.set_state(number, state)
        return state.relu()[:, None]

    def _decode(self, ids: Tensor, slots: EagerSlots) -> Tensor:
        """Return the logits (N, V) behind one more id (N,) of each row."""
        plan, beam_size, num_rows = self._plan, slots.beam_size, len(ids)
        slots.make_room()
        past_mask = slots.past_mask()
        x = self._embed(plan.target, ids[:, None], slots.positions[:, None])
        for number, layer in enumerate(plan.decoder):

            def look_back(h: Tensor, layer: DecoderWeights = layer, number: int = number) -> Tensor:
                if isinstance(layer.past, Recurrence):
                    return self._recur(h, layer.past, slots, number)
                return self._attend_to_past(h, layer.past, slots, number, past_mask)

            def attend_to_memory(
                h: Tensor, layer: DecoderWeights = layer, number: int = number
            ) -> Tensor:
                of_beams = self.linear(h, layer.query).view(-1, beam_size, h.size(2))
                [query] = self._by_heads(of_beams, 1)  # (B, H, K, d)
                key, value = slots.memory.keys_values[number]
                context = self._attend(query, key, value, slots.memory.mask)
                return self.linear(context.reshape(num_rows, 1, -1), layer.cross_out)

            x = self._residual(x, layer.self_norm, look_back)
            x = self._residual(x, layer.cross_norm, attend_to_memory)
            x = self._feed_forward(x, layer.feed_forward)
        slots.move_on()
        return self.linear(self._norm(x, plan.decoder_norm), plan.output)[:, 0]

    @torch.inference_mode()
    def step(
        self,
        ids: Array,
        slots: EagerSlots,
        count: int = 1,
        beam_log_probs: Array | None = None,
    ) -> tuple[Array, Array, Array]:
        """Feed one id to every row; see `contract.SlotRuntime.step`."""
        batch, beam_size = ids.shape
        logits = self._decode(torch.from_numpy(ids).reshape(-1).to(self.device), slots)
        allowed = slots.memory.allowed
        if allowed.size(1):
            logits = logits.masked_fill(~allowed.repeat_interleave(beam_size, 0), FORBIDDEN)
        log_probs = logits.log_softmax(-1).view(batch, beam_size, -1)
        if beam_log_probs is not None:
            so_far = torch.from_numpy(beam_log_probs).to(self.device, torch.float32)
            log_probs = log_probs + so_far[:, :, None]
        vocab_size = log_probs.size(2)
        best, places = log_probs.flatten(1).topk(min(count, beam_size * vocab_size))
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
