"""A trained Transformer, made ready to translate on the CPU.

Several steps of a few sentences are one call of what is compiled: the model, the search, and again.
Between two steps of a sentence alone, Python takes a third as long as a step.

Letters: B sentences of K beams, C continuations of each, L layers.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import NoReturn, Self, cast

import numpy as np

from translator.config import DecodingOptions
from translator.jit import compiled
from translator.runtime.compiled.decoder import ROWS_AT_ONCE, continue_all, step
from translator.runtime.compiled.encoder import encode
from translator.runtime.compiled.known import read_known
from translator.runtime.compiled.layout import Layout
from translator.runtime.compiled.memory import Block, CompiledSlots, OutputLists, Pool, SourceMemory
from translator.runtime.compiled.workspace import PORTION, Workspace
from translator.runtime.contract import IdPair, Reading, SlotsHand
from translator.runtime.kernels.records import FloatWeights, Int8Weights, PackedWeights
from translator.runtime.kernels.vectors import LANES
from translator.runtime.plan import Plan, PositionTable
from translator.search.beam import BeamSearch
from translator.search.rows import Array, round_up
from translator.search.search import Searches, extend_all
from translator.tokens.special_ids import check_ids

Sources = Sequence[Sequence[int]]


PACKINGS: dict[str, type[PackedWeights]] = {"int8": Int8Weights, "float32": FloatWeights}
"""How weights are packed for each precision."""


NONE = cast(int, np.int64(0))
"""No sentences, of the type that other numbers are of, lest Numba compile what takes it twice."""


@compiled
def take_steps(
    most: int,
    waits: bool,
    num_candidates: int,
    model_array: Array,
    layers: Array,
    workspace_array: Array,
    positions: int,
    sentences: Array,
    lists: Array,
    searches: Searches,
) -> tuple[int, int]:
    """Take steps until a sentence is done, or all of them are.

    Args:
        most: steps to take.
        waits: whether sentences that are done wait for the others.
        num_candidates: continuations of each sentence that the search wants.
        model_array: see `decoder.step` for this and for all up to `sentences`.
        layers: see there.
        workspace_array: see there.
        positions: see there.
        sentences: see there.
        lists: see there.
        searches: of these sentences.

    Returns:
        how many steps were taken, and how many sentences are done; -1 if an id is not in the
        vocabulary.
    """
    batch, beam_size = searches.next_ids.shape
    best = np.empty((batch, num_candidates), np.float32)
    best_ids = np.empty((batch, num_candidates), np.int64)
    best_beams = np.empty_like(best_ids)
    so_far = np.zeros_like(searches.log_probs) if beam_size == 1 else searches.log_probs
    num_done = NONE
    for number in range(most):
        is_done = step(
            model_array, layers, workspace_array, positions, sentences, lists, searches.next_ids,
            so_far, best, best_ids, best_beams,
        )  # fmt: skip
        if not is_done:
            return number, -1
        num_done = extend_all(searches, num_done, best, best_ids, best_beams)
        if beam_size > 1:
            continue_all(sentences, searches.parents)
        if num_done == batch or (num_done and not waits):
            return number + 1, num_done
        for place in searches.done[:num_done]:
            so_far[place] = -np.inf  # no rows any more
    return most, num_done


def in_whole_vectors(rows: Array) -> Array:
    """Return rows of floats, filled up to whole vectors with 0."""
    width = rows.shape[1]
    return np.pad(rows, ((0, 0), (0, round_up(width, LANES) - width)))


class CompiledRuntime:
    """Encodes sources, takes decoder steps and searches; see `contract.Runtime`.

    Of one thread only; others get its `twins`.
    """

    def __init__(self, plan: Plan[Array], precision: str = "int8") -> None:
        """Pack the weights.

        Args:
            plan: of the model.
            precision: one of `PACKINGS`.

        Raises:
            ConfigError: a layer has weights that are not finite, or a choice of the model's
                configuration is unknown here.
        """
        self.config, self.max_target_ids = plan.config, plan.max_target_ids
        self._layout = Layout(plan, PACKINGS[precision]())
        record = self._layout.model[0]
        self._key_bytes = int(record["number_bytes"] * record["num_heads"] * record["d_k"])
        self._state_bytes = int(record["is_recurrent"] * record["x_stride"])
        self._pool = Pool()
        self._lists = OutputLists(self._layout, plan) if plan.shortlist else None
        self._positions = (
            PositionTable(plan.source, in_whole_vectors),
            PositionTable(plan.target, in_whole_vectors),
        )
        self._workspace = Workspace(self._layout)

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights, which twins share."""
        return self._layout.weights.num_bytes

    def twins(self, count: int) -> list[Self]:
        """Return this and others with the same weights, for so many threads."""
        twins = [self, *(copy.copy(self) for _ in range(count - 1))]
        for twin in twins[1:]:
            twin._pool, twin._workspace = Pool(), Workspace(self._layout)
            twin._positions = copy.copy(self._positions[0]), copy.copy(self._positions[1])
        return twins

    def warm_up(self) -> None:
        """Compile everything that translation takes, or load what has been compiled before."""
        search = BeamSearch(1, 0, 0)
        search.add([1], [DecodingOptions(beam_size=1)])
        self.advance(search, self.slots(self.encode([[0]]), 1), 1, waits=False)
        self.read([([0], [0])], has_log_probs=True)

    def at_work(self, threads: int | None) -> nullcontext[None]:
        """Return nothing: this computes with one thread; see `contract.Runtime`."""
        return nullcontext()

    def slots(self, memory: Sequence[SourceMemory], beam_size: int) -> CompiledSlots:
        """Return slots with K rows for each of these sentences."""
        slots = CompiledSlots(
            self._pool,
            self.config.num_decoder_layers,
            self._key_bytes,
            beam_size,
            self._layout.weights.linear_type,
            self._state_bytes,
        )
        slots.join(memory)
        return slots

    def encode(self, sources: Sources) -> list[SourceMemory]:
        """Read sources: B id sequences.

        Raises:
            ValueError: one is empty, or has an id that is not in the vocabulary.
        """
        return self._encode(sources, self._lists)

    def _encode(self, sources: Sources, lists: OutputLists | None) -> list[SourceMemory]:
        """Read sources; `lists` makes the output layers of their shortlists, if wanted."""
        for ids in sources:  # what is not there would be read from memory that is not ours
            check_ids("source ids", ids, self.config.num_source_pieces)
        lengths = [len(ids) for ids in sources]
        place_bytes = 2 * self.config.num_decoder_layers * self._key_bytes
        listed = [lists.of(ids, self._pool) if lists else None for ids in sources]
        found = [
            SourceMemory(Block(self._pool, place_bytes * round_up(length, LANES)), length, own)
            for length, own in zip(lengths, listed, strict=True)
        ]
        positions = self._positions[0].first(max(lengths)).ctypes.data
        for places in portions(lengths):
            some = sources[places]
            pieces = np.array([piece_id for source in some for piece_id in source], np.int64)
            self._workspace.make_room(len(pieces), max(lengths[places]))
            encode(
                self._layout.model,
                self._layout.encoder,
                self._layout.decoder,
                self._workspace.array,
                positions,
                pieces,
                np.array(lengths[places], np.int64),
                np.array([one.block.address for one in found[places]], np.int64),
            )
        return found

    def step(
        self,
        ids: Array,
        slots: CompiledSlots,
        count: int = 1,
        beam_log_probs: Array | None = None,
    ) -> tuple[Array, Array, Array]:
        """Feed one id to every row; see `contract.SlotRuntime.step`.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        sentences, (batch, beam) = slots.sentences, ids.shape
        count = min(count, beam * self.config.vocab_size)
        _, places, positions = self.room_for_steps(slots, 1)
        log_probs = np.zeros(ids.shape) if beam_log_probs is None else beam_log_probs
        best = np.empty((batch, count), np.float32)
        best_ids, best_beams = np.empty((2, batch, count), np.int64)
        is_done = step(
            *self.step_arguments(beam, places, positions),
            sentences,
            slots.lists,
            ids,
            log_probs,
            best,
            best_ids,
            best_beams,
        )
        if not is_done:
            self.refuse(ids)
        slots.move_on()
        return best, best_ids, best_beams

    def hand(
        self, beam_size: int, bos_id: int, eos_id: int
    ) -> SlotsHand[list[SourceMemory], CompiledSlots]:
        """Return a hand without sentences; see `contract.Runtime`."""
        return SlotsHand(self, beam_size, bos_id, eos_id)

    def advance(
        self, search: BeamSearch, slots: CompiledSlots, turn_rows: int, waits: bool
    ) -> list[int]:
        """Take a step with all sentences, or several if they are few; see `contract.SlotRuntime`.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        batch, beam_size = search.next_ids.shape
        wanted = max(1, turn_rows // (batch * beam_size))
        most, places, positions = self.room_for_steps(slots, wanted)
        count = min(search.num_candidates, beam_size * self.config.vocab_size)
        num_steps, num_done = take_steps(
            most,
            waits,
            count,
            *self.step_arguments(beam_size, places, positions),
            slots.sentences,
            slots.lists,
            search.searches,
        )
        if num_done < 0:
            self.refuse(search.next_ids)
        slots.move_on(num_steps)
        done: list[int] = search.searches.done[:num_done].tolist()
        return done

    def second_pass(self) -> Self:
        """Return a twin; see `contract.Runtime`."""
        return self.twins(2)[1]

    def read(self, pairs: Sequence[IdPair], has_log_probs: bool) -> list[Reading]:
        """Read sources and their translations; see `contract.SecondPass` and `read_known`.

        Raises:
            ValueError: an id is not in the vocabulary, or there are none.
        """
        lengths = np.array([len(tgt) for _, tgt in pairs])
        memories = self._encode([src for src, _ in pairs], None)  # any piece may be asked for
        slots = self.slots([], 1)
        slots.join(memories, int(lengths.max()))
        places = max(int(lengths.max()), slots.longest_source)
        positions = self._positions[1].first(int(lengths.max())).ctypes.data
        sentences = slots.sentences.repeat(lengths)
        sentences["steps"] = np.concatenate([np.arange(length) for length in lengths])
        found = [
            np.zeros((length, round_up(memory.length, LANES)), np.float32)
            for length, memory in zip(lengths, memories, strict=True)
        ]
        sentences["attention"] = np.concatenate(
            [one.ctypes.data + np.arange(len(one)) * one.strides[0] for one in found]
        )
        ids = np.array([piece_id for _, tgt in pairs for piece_id in tgt], np.int64)
        wanted = len(ids) if has_log_probs else 0
        log_probs = np.empty(wanted, np.float32)
        is_done = read_known(
            *self.step_arguments(1, places, positions),
            sentences,
            ids[:, None],
            np.roll(ids, -1)[:wanted],  # behind a last one stands what no one asks for
            log_probs,
        )
        if not is_done:
            self.refuse(ids)
        heads, ends = np.float32(self.config.num_heads), lengths.cumsum()
        return [
            Reading(
                one[:, : memory.length] / heads,
                log_probs[end - len(one) : end - 1] if has_log_probs else None,
            )
            for one, memory, end in zip(found, memories, ends, strict=True)
        ]

    def refuse(self, ids: Array) -> NoReturn:
        """Raise ValueError: some are not in the vocabulary."""
        raise ValueError(f"ids must be in 0..{self.config.vocab_size - 1}: {ids.tolist()}")

    def room_for_steps(self, slots: CompiledSlots, most: int) -> tuple[int, int, int]:
        """See to it that sentences may take steps.

        Returns:
            for how many there is room, `most` or fewer; the places that a row will attend to at
            most; the address of the vectors of positions.
        """
        slots.make_room()
        possible = max(1, self.max_target_ids - slots.most_steps)  # or what follows refuses
        num_steps = min(most, slots.steps_left, possible)
        end = slots.most_steps + num_steps
        return num_steps, max(end, slots.longest_source), self._positions[1].first(end).ctypes.data

    def step_arguments(
        self, beam: int, places: int, positions: int
    ) -> tuple[Array, Array, Array, int]:
        """Return what `decoder.step` takes before it is told about sentences."""
        self._workspace.make_room(max(ROWS_AT_ONCE, beam), places, max(ROWS_AT_ONCE, beam))
        return self._layout.model, self._layout.decoder, self._workspace.array, positions


def portions(lengths: Sequence[int]) -> Iterator[slice]:
    """Yield the places of sources in portions of `PORTION` ids, or one source."""
    first, total = 0, 0
    for place, length in enumerate(lengths):
        if place > first and total + length > PORTION:
            yield slice(first, place)
            first, total = place, 0
        total += length
    yield slice(first, len(lengths))
