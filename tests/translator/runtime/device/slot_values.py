"""Slots of a model without layers that matter, for tests of what surrounds the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from translator.config import DecodingOptions, ModelConfig
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.device.batch import Sentence, hypotheses
from translator.runtime.device.slots import Capacity, Slots, new_slots
from translator.runtime.device.step import extend
from translator.runtime.layers import on_device
from translator.runtime.plan import Plan
from translator.search.hypothesis import Hypothesis
from translator.search.length_penalty import length_penalty
from translator.search.rows import Array

EOS = 0


def tiny_plan(vocab_size: int = 9) -> Plan[Array]:
    """Return the plan of a model with as little as possible of everything."""
    config = ModelConfig(
        vocab_size=vocab_size,
        d_model=8,
        d_ff=8,
        num_heads=2,
        num_encoder_layers=1,
        num_decoder_layers=1,
        pad_id=1,
    )
    torch.manual_seed(0)
    return arrange(make_model(config).eval(), ())


class Searched(NamedTuple):
    """A sentence to be searched for.

    Attributes:
        options: of its search.
        limit: most ids that it may have, EOS included.
    """

    options: DecodingOptions
    limit: int


class DeviceBeams:
    """Searches on a device for several sentences, given all log-probabilities of each step."""

    def __init__(self, wanted: Sequence[Searched], vocab_size: int, beam_size: int) -> None:
        self.sentences = [
            Sentence(slot, 1, one.options, 0, one.limit) for slot, one in enumerate(wanted)
        ]
        self.vocab_size, self.beam_size = vocab_size, beam_size
        length = 1 + max(one.limit for one in wanted)
        capacity = Capacity(len(wanted), 1, length)
        plan = on_device(tiny_plan(vocab_size), "cpu")
        self.slots: Slots = new_slots(plan, capacity, beam_size, torch.float32)
        self.slots.is_live.fill_(True)
        self.slots.log_probs[:, 0] = 0.0
        for row, one in enumerate(wanted):
            self.slots.last[row] = one.limit - 1
            self.slots.wanted[row] = one.options.num_hypotheses - 1
            divisors = [length_penalty(n + 1, one.options) for n in range(length + 2)]
            self.slots.penalties[row] = torch.tensor(divisors, dtype=torch.float64)
            self.slots.last_penalty[row] = divisors[one.limit - 1]
        self.fed: list[list[tuple[int, ...]]] = [[()] * beam_size for _ in wanted]

    @property
    def is_done(self) -> bool:
        return not bool(self.slots.is_live.any())

    def advance(self, log_probs: Tensor) -> None:
        """Extend all beams, given log-probabilities (B, K, V)."""
        slots, beam_size = self.slots, self.beam_size
        log_probs = log_probs.double()
        if beam_size > 1:
            log_probs = log_probs.float() + slots.log_probs[:, :, None]
        best, places = log_probs.flatten(1).sort(stable=True, descending=True)
        best = best[:, : 2 * beam_size if beam_size > 1 else 1]
        places = places[:, : best.size(1)]
        if beam_size == 1:
            best = slots.log_probs + best
        numbers = slots.fed[:, None] * beam_size + torch.arange(beam_size)
        was_live = slots.is_live.tolist()
        found = best, places % self.vocab_size, places // self.vocab_size
        parents = extend(slots, numbers, self.vocab_size, self.vocab_size, EOS, *found)
        for row, sentence in enumerate(self.sentences):
            sentence.age += was_live[row]
            pairs = zip(parents[row].tolist(), slots.next_ids[row].tolist(), strict=True)
            before = self.fed[row]
            self.fed[row] = [(*before[parent], last) for parent, last in pairs]

    def results(self) -> list[list[Hypothesis]]:
        slots = self.slots
        tables: list[Array] = [one.numpy() for one in (slots.scores, slots.ends, slots.steps)]
        return hypotheses(self.sentences, EOS, self.vocab_size, *tables)
