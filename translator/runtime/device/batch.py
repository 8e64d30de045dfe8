"""The sentences of a batch on a device: which row each has, and turns of a few steps.

A turn asks the device once: who is still live.

Letters: B or n sentences of K beams, S places of a source, T positions or steps of a target.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from translator.config import DecodingOptions
from translator.model.embedding import pad
from translator.runtime.device.graphs import Graphs
from translator.runtime.device.network import DeviceNetwork, portions
from translator.runtime.device.slots import (
    Bucket,
    Capacity,
    Slots,
    length_bucket,
    new_slots,
    sentences_bucket,
    slot_bytes,
)
from translator.runtime.device.step import take_step
from translator.runtime.plan import FORBIDDEN
from translator.search.beam import check_wanted
from translator.search.hypothesis import IMPOSSIBLE, Hypothesis
from translator.search.length_penalty import length_penalty
from translator.search.rows import Array
from translator.tokens.port import check_ids

STEPS_AT_ONCE = 4
"""Steps of a turn: asking costs as much as launching several, and newcomers wait for a turn."""


@dataclass(eq=False, slots=True)
class Sentence:
    """A sentence that is being decoded."""

    slot: int  # its own
    source_length: int  # of what the encoder has read
    options: DecodingOptions  # of its search
    first: int  # ids that the decoder is fed before the search begins to choose
    num_steps: int  # the most that it can take
    age: int = 0  # steps that it has taken
    is_done: bool = False  # whether its search has ended


class DeviceBatch:
    """Slots on a device and the sentences in them; see `contract.BatchState`. For one thread."""

    most_dead = 0.0  # who leaves costs nothing

    def __init__(
        self,
        network: DeviceNetwork,
        graphs: Graphs,
        beam_size: int,
        bos_id: int,
        eos_id: int,
        max_bytes: int,
    ) -> None:
        """Begin with no sentences; beyond `max_bytes`, no more slots are kept than are needed."""
        self._network, self._plan, self._graphs = network, network.plan, graphs
        self._beam_size = beam_size
        self._start_ids, self._eos_id, self._max_bytes = (bos_id,), eos_id, max_bytes
        self._capacity, self._sentences = Capacity(0, 0, 0), list[Sentence]()
        self._slots: Slots | None = None
        self._positions: Tensor | None = None
        self._found: dict[int, list[Hypothesis]] = {}

    # --- who comes and goes -----------------------------------------------------------------------

    def admit(
        self,
        sources: Sequence[Sequence[int]],
        limits: Sequence[int],
        options: Sequence[DecodingOptions],
        starts: Sequence[Sequence[int]],
    ) -> None:
        """Let sentences begin; see `contract.BatchState`."""
        starts = [start or self._start_ids for start in starts]
        config = self._plan.config
        for source, limit, wanted, start in zip(sources, limits, options, starts, strict=True):
            check_ids("source ids", source, config.num_source_pieces)
            check_ids("start ids", start, config.vocab_size)
            check_wanted(self._beam_size, limit, wanted, start)
        longest = max(map(len, sources), default=0)
        if longest > self._plan.source.num_positions:
            self._plan.source.positions(longest)  # refuses
        newcomers = [
            Sentence(0, len(source), wanted, len(start) - 1, limit + len(start) - 1)
            for source, limit, wanted, start in zip(sources, limits, options, starts, strict=True)
        ]
        with self._graphs.at_work():
            self._make_room([*self._sentences, *newcomers])
            taken = {one.slot for one in self._sentences}
            free = (slot for slot in range(self._capacity.sentences) if slot not in taken)
            for newcomer in newcomers:
                newcomer.slot = next(free)
            self._begin(newcomers, starts)
            for places in portions([len(source) for source in sources]):
                self._read(newcomers[places], sources[places])
        self._sentences += newcomers

    def retire_all_but(self, slots: Sequence[int]) -> None:
        """Let others leave; see `contract.BatchState`."""
        kept = [self._sentences[number] for number in slots]
        staying = {one.slot for one in kept}
        leaving = [
            one.slot for one in self._sentences if one.slot not in staying and not one.is_done
        ]
        if leaving and self._slots is not None:
            with self._graphs.at_work():
                self._slots.stop(leaving)
        self._sentences = kept
        self._found.clear()

    def _make_room(self, sentences: Sequence[Sentence]) -> None:
        needed = Capacity(
            sentences_bucket(len(sentences)),
            length_bucket(max((one.source_length for one in sentences), default=0)),
            length_bucket(1 + max((one.num_steps for one in sentences), default=0)),
        )
        if all(one <= other for one, other in zip(needed, self._capacity, strict=True)):
            return
        plan, dtype = self._plan, self._network.dtype
        larger = Capacity(*map(max, zip(needed, self._capacity, strict=True)))
        if slot_bytes(plan, larger, self._beam_size, dtype) > self._max_bytes:
            larger = needed
        self._pack()
        before, self._slots = self._slots, new_slots(plan, larger, self._beam_size, dtype)
        if before is not None:
            self._slots.take_over(before, len(self._sentences))
        self._capacity = larger
        self._positions = self._network.positions(plan.target, larger.target)
        self._graphs.forget()

    def _pack(self) -> None:
        count, taken = len(self._sentences), {one.slot for one in self._sentences}
        moved = [one for one in self._sentences if one.slot >= count]
        if not moved or self._slots is None:
            return
        free = [slot for slot in range(count) if slot not in taken]
        former = [one.slot for one in moved]
        self._slots.move(former, free)
        self._slots.stop(former)
        for one, slot in zip(moved, free, strict=True):
            one.slot = slot

    def _begin(self, newcomers: Sequence[Sentence], starts: Sequence[Sequence[int]]) -> None:
        slots, device = self._slots, self._network.device
        assert slots is not None
        where = torch.tensor([one.slot for one in newcomers], device=device)
        longest = max(map(len, starts))
        numbers = [
            (
                one.num_steps - 1,
                one.options.num_hypotheses - 1,
                one.first,
                one.options.no_repeat_ngram_size,
                start[0],
                *start[1:],
                *[0] * (longest - len(start)),
            )
            for one, start in zip(newcomers, starts, strict=True)
        ]
        columns = torch.tensor(numbers, device=device).T
        room = self._capacity.target + 2
        each = np.stack([_penalties(room, one.first, one.options) for one in newcomers])
        penalties = torch.from_numpy(each).to(device)
        for target, column in zip(
            (slots.last, slots.wanted, slots.first, slots.ngram_sizes), columns[:4], strict=True
        ):
            target.index_copy_(0, where, column.view(-1, *target.shape[1:]))
        slots.next_ids.index_copy_(0, where, columns[4][:, None].repeat(1, self._beam_size))
        slots.forced[:, : longest - 1].index_copy_(0, where, columns[5:].T.contiguous())
        slots.penalties.index_copy_(0, where, penalties)
        slots.last_penalty.index_copy_(0, where, penalties.gather(1, columns[0][:, None]))
        for tensor, value in (
            *((slots.fed, 0), (slots.is_live, True), (slots.log_probs, -torch.inf)),
            *((slots.scores, -torch.inf), (slots.ends, 0), (slots.past_mask, FORBIDDEN)),
        ):
            tensor.index_fill_(0, where, value)
        slots.log_probs[:, 0].index_fill_(0, where, 0.0)  # one beam is alive
        for past in slots.past:
            if past.dim() == 3:  # states
                past.index_fill_(0, where, 0)

    def _read(self, newcomers: Sequence[Sentence], sources: Sequence[Sequence[int]]) -> None:
        """Encode sources, and keep what the decoder will attend to."""
        slots, device = self._slots, self._network.device
        assert slots is not None
        width = length_bucket(max(map(len, sources)))
        src = torch.zeros(len(sources), width, dtype=torch.long)
        padded = pad(sources, self._plan.config.pad_id)
        src[:, : padded.size(1)] = padded
        lengths = torch.tensor([len(ids) for ids in sources])
        is_padding = torch.arange(width) >= lengths[:, None]
        mask = torch.zeros(src.shape).masked_fill_(is_padding, FORBIDDEN)
        mask = mask.to(device, self._network.dtype)
        where = torch.tensor([one.slot for one in newcomers], device=device)
        for kept, new in zip(slots.memory, self._network.encode(src.to(device), mask), strict=True):
            kept[:, :width].index_copy_(0, where, new)
        slots.source_mask.index_fill_(0, where, FORBIDDEN)
        slots.source_mask[:, :width].index_copy_(0, where, mask)
        shortlist = self._plan.shortlist
        if shortlist is not None:
            allowed = torch.full((len(sources), slots.allowed.size(1)), FORBIDDEN)
            for row, source in zip(allowed, sources, strict=True):
                row[torch.from_numpy(shortlist.of(source))] = 0.0
            slots.allowed.index_copy_(0, where, allowed.to(device, slots.allowed.dtype))

    # --- steps ------------------------------------------------------------------------------------

    def step(self, turn_rows: int, waits: bool) -> list[int]:
        """Take a few steps, however many rows these have; see `contract.BatchState`."""
        live = [one for one in self._sentences if not one.is_done]
        if not live:
            return []
        with self._graphs.at_work():
            if 2 * sentences_bucket(len(live)) <= sentences_bucket(self._used()):
                self._pack()
            for _ in range(min(STEPS_AT_ONCE, max(one.num_steps - one.age for one in live))):
                bucket = self._bucket(live)
                self._graphs.run(bucket, functools.partial(self._step, bucket))
                for one in live:
                    one.age += 1
            return self._ask()

    def _used(self) -> int:
        return 1 + max(one.slot for one in self._sentences)

    def _bucket(self, live: Sequence[Sentence]) -> Bucket:
        lengths = (
            max(one.source_length for one in live),
            1 + max(min(one.age, one.num_steps - 1) for one in live),
        )
        wanted = sentences_bucket(self._used()), *map(length_bucket, lengths)
        sentences, source, target = map(min, zip(wanted, self._capacity, strict=True))
        return Bucket(
            sentences,
            source,
            target,
            ngram_size=max(one.options.no_repeat_ngram_size for one in live),
            is_forced=any(one.age < one.first for one in live),
        )

    def _step(self, bucket: Bucket) -> None:
        assert self._slots is not None
        assert self._positions is not None
        take_step(self._network, self._slots, self._positions, self._eos_id, bucket)

    def _ask(self) -> list[int]:
        """Return the places of sentences that are done since it was asked last; read them."""
        slots = self._slots
        assert slots is not None
        is_live = slots.is_live[: self._used()].tolist()
        places = [
            place
            for place, one in enumerate(self._sentences)
            if not one.is_done and not is_live[one.slot]
        ]
        if not places:
            return []
        done = [self._sentences[place] for place in places]
        for one in done:
            one.is_done = True
        where = torch.tensor([one.slot for one in done], device=slots.fed.device)
        most = max(one.age for one in done)
        tables = slots.scores, slots.ends, slots.steps[:, :most]
        read = [table.index_select(0, where).cpu().numpy() for table in tables]
        vocab_size = len(self._plan.output.weight)
        found = hypotheses(done, self._eos_id, vocab_size, *read)
        self._found |= dict(zip(places, found, strict=True))
        return places

    def results(self, slot: int) -> list[Hypothesis]:
        """Return what was found; see `contract.BatchState`."""
        return self._found[slot]


@functools.lru_cache(maxsize=64)
def _penalties(count: int, first: int, options: DecodingOptions) -> Array:
    """Return what a hypothesis that ends at each step is divided by; 1 while it may not choose."""
    found = [length_penalty(max(step + 1 - first, 1), options) for step in range(count)]
    return np.array(found, np.float64)


def hypotheses(
    sentences: Sequence[Sentence],
    eos_id: int,
    vocab_size: int,
    scores: Array,
    ends: Array,
    steps: Array,
) -> list[list[Hypothesis]]:
    """Return what was found for each of n sentences, best first; see `BeamSearch.results`.

    Scores and ends are (n, K), and steps (n, T, 3, K): see `Slots`.
    """
    beam_size = scores.shape[1]
    at, rank = np.divmod(ends, beam_size)  # (n, K): the step that ended each
    rows = np.arange(len(sentences))[:, None]
    beams, last_ids = np.divmod(steps[rows, at, 2, rank], vocab_size)
    ids = np.zeros((*ends.shape, int(at.max(initial=0)) + 1), np.int64)
    for step in range(ids.shape[2] - 2, -1, -1):  # from the last one, whom each continued
        is_before = step < at
        ids[:, :, step] = steps[rows, step, 0, beams]
        beams = np.where(is_before, steps[rows, step, 1, beams], beams)
    found = []
    for row, sentence in enumerate(sentences):
        own = []
        for place in range(sentence.options.num_hypotheses):
            score, end = float(scores[row, place]), int(at[row, place])
            if score == -math.inf:
                break
            last_id = int(last_ids[row, place])
            before = ids[row, place, sentence.first : end].tolist()
            length = end - sentence.first + 1
            own.append(
                Hypothesis(
                    ids=tuple(before if last_id == eos_id else [*before, last_id]),
                    score=score,
                    log_prob=score * length_penalty(length, sentence.options),
                    finish_reason="eos" if last_id == eos_id else "length",
                )
            )
        found.append(own or [IMPOSSIBLE])
    return found
