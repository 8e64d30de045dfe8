"""A trained Transformer, made ready to translate on the CPU, and its batches.

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
from translator.runtime.compiled.choice import Continuations
from translator.runtime.compiled.decoder import (
    ROWS_AT_ONCE,
    SENTENCE,
    continue_all,
    score_forced,
    step,
)
from translator.runtime.compiled.encoder import encode
from translator.runtime.compiled.layout import Layout
from translator.runtime.compiled.memory import (
    PORTION,
    Block,
    OutputLists,
    Pool,
    SourceMemory,
    Workspace,
)
from translator.runtime.contract import ForcedScorer, ForcedScores, IdPair, SearchedBatch
from translator.runtime.kernels.records import FloatWeights, Int8Weights, PackedWeights
from translator.runtime.kernels.vectors import LANES
from translator.runtime.plan import Plan, PositionTable
from translator.search.rows import Array, Rows, round_up
from translator.search.search import Searches, extend_all
from translator.tokens.port import check_ids

Sources = Sequence[Sequence[int]]


PACKINGS: dict[str, type[PackedWeights]] = {"int8": Int8Weights, "float32": FloatWeights}
"""How weights are packed for each precision."""


NONE = cast(int, np.int64(0))
"""No sentences, of the type that other numbers are of, lest Numba compile what takes it twice."""

ROOM_STEP = 16
"""There is room for as many positions as the source has ids, in multiples of this, and for half as
many more whenever there is none left."""


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
    """Take steps until a sentence is done, or all of them are; at most `most`.

    Sentences that are done wait for the others if `waits`. The search wants `num_candidates`
    continuations of each; for what is not said here see `decoder.step`.

    Returns:
        how many steps were taken, and how many sentences are done; -1 if an id is not in the
        vocabulary.
    """
    batch, beam_size = searches.next_ids.shape
    best = np.empty((batch, num_candidates), np.float32)
    ids = np.empty((batch, num_candidates), np.int64)
    found = Continuations(best, ids, np.empty_like(ids))
    so_far = np.zeros_like(searches.log_probs) if beam_size == 1 else searches.log_probs
    num_done = NONE
    for number in range(most):
        is_done = step(
            model_array, layers, workspace_array, positions, sentences, lists, searches.next_ids,
            so_far, found,
        )  # fmt: skip
        if not is_done:
            return number, -1
        num_done = extend_all(searches, num_done, found.log_probs, found.ids, found.beams)
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
    """Encodes sources, scores known translations, and makes batches; see `contract.Runtime`.

    Of one thread only; others get its `replicas`.
    """

    def __init__(self, plan: Plan[Array], precision: str = "int8") -> None:
        """Pack the weights for a precision of `PACKINGS`.

        Raises:
            ConfigError: a layer has weights that are not finite, or a choice of the model's
                configuration is unknown here.
        """
        self.config, self.max_target_ids = plan.config, plan.max_target_ids
        self.layout, self.pool = Layout(plan, PACKINGS[precision]()), Pool()
        record = self.layout.model[0]  # of a position's keys, or values, of one layer:
        self.key_bytes = int(record["number_bytes"] * record["num_heads"] * record["d_k"])
        self._lists = OutputLists(self.layout, plan) if plan.shortlist else None
        self._positions = (
            PositionTable(plan.source, in_whole_vectors),
            PositionTable(plan.target, in_whole_vectors),
        )
        self._workspace = Workspace(self.layout)

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights, which replicas share."""
        return self.layout.weights.num_bytes

    def replicas(self, count: int) -> list[Self]:
        """Return this and others with the same weights, for so many threads."""
        replicas = [self, *(copy.copy(self) for _ in range(count - 1))]
        for replica in replicas[1:]:
            replica.pool, replica._workspace = Pool(), Workspace(self.layout)
            replica._positions = copy.copy(self._positions[0]), copy.copy(self._positions[1])
        return replicas

    def warm_up(self) -> None:
        """Compile everything that translation takes, or load what has been compiled before."""
        batch = self.batch(1, 0, 0)
        batch.admit([[0]], [1], [DecodingOptions(beam_size=1)], [()])
        batch.step(1, waits=False)
        self.forced_scores([([0], [0])], has_log_probs=True)

    def at_work(self, threads: int | None) -> nullcontext[None]:
        """Return nothing: this computes with one thread; see `contract.Runtime`."""
        return nullcontext()

    def batch(self, beam_size: int, bos_id: int, eos_id: int) -> CompiledBatch:
        """Return a batch without sentences; see `contract.Runtime`."""
        return CompiledBatch(self, beam_size, bos_id, eos_id)

    def forced_scorer(self) -> ForcedScorer:
        """Return that of a replica; see `contract.Runtime`."""
        return self.replicas(2)[1].forced_scores

    def encode(self, sources: Sources, is_forced: bool = False) -> list[SourceMemory]:
        """Read sources; if `is_forced`, any piece may be asked for, and no shortlist is used.

        Raises:
            ValueError: one is empty, or has an id that is not in the vocabulary.
        """
        for ids in sources:  # what is not there would be read from memory that is not ours
            check_ids("source ids", ids, self.config.num_source_pieces)
        lengths = [len(ids) for ids in sources]
        place_bytes = 2 * self.config.num_decoder_layers * self.key_bytes
        lists = None if is_forced else self._lists
        listed = [lists.of(ids, self.pool) if lists else None for ids in sources]
        found = [
            SourceMemory(Block(self.pool, place_bytes * round_up(length, LANES)), length, own)
            for length, own in zip(lengths, listed, strict=True)
        ]
        positions = self._positions[0].first(max(lengths)).ctypes.data
        for portion in portions(lengths):
            some = sources[portion]
            pieces = np.array([piece_id for source in some for piece_id in source], np.int64)
            self._workspace.make_room(len(pieces), max(lengths[portion]))
            encode(
                self.layout.model,
                self.layout.encoder,
                self.layout.decoder,
                self._workspace.array,
                positions,
                pieces,
                np.array(lengths[portion], np.int64),
                np.array([memory.block.address for memory in found[portion]], np.int64),
            )
        return found

    def forced_scores(self, pairs: Sequence[IdPair], has_log_probs: bool) -> list[ForcedScores]:
        """Score translations that are known; see `contract.ForcedScorer` and `score_forced`.

        Raises:
            ValueError: an id is not in the vocabulary, or there are none.
        """
        lengths = np.array([len(tgt) for _, tgt in pairs])
        longest = int(lengths.max())
        memories = self.encode([src for src, _ in pairs], is_forced=True)
        batch = self.batch(1, 0, 0)
        batch.add(memories, longest)
        sentences = batch.sentences.repeat(lengths)
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
        is_done = score_forced(
            *self.step_arguments(1, longest, batch.longest_source),
            sentences,
            ids[:, None],
            np.roll(ids, -1)[:wanted],  # behind a last one stands what no one asks for
            log_probs,
        )
        if not is_done:
            self.refuse(ids)
        heads, ends = np.float32(self.config.num_heads), lengths.cumsum()
        return [
            ForcedScores(
                one[:, : memory.length] / heads,
                log_probs[end - len(one) : end - 1] if has_log_probs else None,
            )
            for one, memory, end in zip(found, memories, ends, strict=True)
        ]

    def refuse(self, ids: Array) -> NoReturn:
        """Raise ValueError: some are not in the vocabulary."""
        raise ValueError(f"ids must be in 0..{self.config.vocab_size - 1}: {ids.tolist()}")

    def step_arguments(
        self, beam_size: int, target: int, source: int
    ) -> tuple[Array, Array, Array, int]:
        """Return what `decoder.step` takes before it is told about sentences.

        They will have written at most `target` positions, and the longest source has `source`
        places.
        """
        rows = max(ROWS_AT_ONCE, beam_size)
        positions = self._positions[1].first(target).ctypes.data
        self._workspace.make_room(rows, max(target, source), rows)
        return self.layout.model, self.layout.decoder, self._workspace.array, positions


class CompiledBatch(SearchedBatch):
    """B sentences with K beams each; nothing moves when one leaves.

    Attributes:
        runtime: takes the steps.
        sentences: (B,) `SENTENCE`.
        lists: (B,) output layers of their shortlists; nothing in them if there are none.
        longest_source: ids of it.
        most_steps: positions that a sentence has written, at most.
        steps_left: positions that can be written before there is no room for one of them.
    """

    def __init__(self, runtime: CompiledRuntime, beam_size: int, bos_id: int, eos_id: int) -> None:
        super().__init__(beam_size, bos_id, eos_id)
        self.runtime, record = runtime, runtime.layout.model[0]
        self._state_bytes = int(record["is_recurrent"] * record["x_stride"])  # of a layer; or 0
        self._clear()

    def _clear(self) -> None:
        self._rows = Rows((SENTENCE, ()), (self.runtime.layout.weights.linear_type, ()))
        self._memories: list[SourceMemory] = []
        self._pasts: list[Block] = []
        self._look()

    def _look(self) -> None:
        """Take note of what would take longer to find out at every step."""
        self.sentences, self.lists = sentences, _ = self._rows.used
        self.longest_source = int(sentences["source"].max(initial=0))
        self.most_steps = int(sentences["steps"].max(initial=0))
        self.steps_left = min((sentences["room"] - sentences["steps"]).tolist(), default=1)

    def _read(self, sources: Sources) -> None:
        self.add(self.runtime.encode(sources))

    def add(self, memories: Sequence[SourceMemory], num_steps: int = 0) -> None:
        """Remember sentences behind those that are there, with room for so many positions."""
        rooms = [round_up(max(memory.length, num_steps), ROOM_STEP) for memory in memories]
        pasts = [self._past(room) for room in rooms]
        fresh = [
            (
                *(memory.block.address, memory.length),
                *(past.address, self._beams(past, room), room, 0, 0, 0),
                *((memory.listed.address, memory.listed.num_ids) if memory.listed else (0, 0)),
                0,
            )
            for memory, past, room in zip(memories, pasts, rooms, strict=True)
        ]
        self._memories += memories
        self._pasts += pasts
        added, lists = self._rows.add(len(fresh))
        added[:] = fresh
        for number, memory in enumerate(memories):
            if memory.listed:
                lists[number] = memory.listed.linear
        self._look()

    def _keep(self, slots: Sequence[int]) -> None:
        if not slots:
            self._clear()
            return
        self._rows.keep(slots)
        self._memories = [self._memories[slot] for slot in slots]
        self._pasts = [self._pasts[slot] for slot in slots]
        self._look()

    def step(self, turn_rows: int, waits: bool) -> list[int]:
        """Take a step with all sentences, or several if they are few; see `contract.BatchState`.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        if not self._memories:
            return []
        search, beam_size = self.search, self.beam_size
        most, arguments = self.prepare(max(1, turn_rows // (len(self._memories) * beam_size)))
        count = min(search.num_candidates, beam_size * self.runtime.config.vocab_size)
        num_steps, num_done = take_steps(
            most, waits, count, *arguments, self.sentences, self.lists, search.searches
        )
        if num_done < 0:
            self.runtime.refuse(search.next_ids)
        self.note_steps(num_steps)
        done: list[int] = search.searches.done[:num_done].tolist()
        return done

    def prepare(self, most: int) -> tuple[int, tuple[Array, Array, Array, int]]:
        """See to it that sentences may take steps.

        Returns:
            for how many there is room, `most` or fewer; and what `decoder.step` takes before it is
            told about sentences.
        """
        self._make_room()
        possible = max(1, self.runtime.max_target_ids - self.most_steps)  # or what follows refuses
        num_steps = min(most, self.steps_left, possible)
        end = self.most_steps + num_steps
        return num_steps, self.runtime.step_arguments(self.beam_size, end, self.longest_source)

    def note_steps(self, num_steps: int) -> None:
        """Note that so many more positions have been written, at most."""
        self.most_steps += num_steps
        self.steps_left -= num_steps

    def _make_room(self) -> None:
        if self.steps_left:
            return
        for slot in np.flatnonzero(self.sentences["steps"] >= self.sentences["room"]):
            sentence, old = self.sentences[slot], self._pasts[slot]
            room = int(sentence["room"])
            larger = round_up(room + room // 2, ROOM_STEP)
            new = self._past(larger)
            for one, other in zip(self._parts(old, room), self._parts(new, larger), strict=True):
                other[..., : one.shape[-1]] = one
            sentence["past"], sentence["room"] = new.address, larger
            sentence["beams"] = self._beams(new, larger)
            self._pasts[slot] = new
        self._look()

    def _past_bytes(self, room: int) -> int:
        """Return the bytes of keys and values, or of the states at even and at odd positions."""
        each = self._state_bytes or room * self.runtime.key_bytes
        return 2 * self.runtime.config.num_decoder_layers * self.beam_size * each

    def _past(self, room: int) -> Block:
        return Block(self.runtime.pool, self._past_bytes(room) + 4 * room * self.beam_size)

    def _beams(self, past: Block, room: int) -> int:
        """Return the address of what tells which beams wrote a past."""
        return past.address + self._past_bytes(room)

    def _parts(self, past: Block, room: int) -> tuple[Array, Array]:
        """Return the bytes of keys and values, or of states, (2 · L, ·), and beams (K, room)."""
        end = self._past_bytes(room)
        beams = past.memory[end : end + 4 * room * self.beam_size].view(np.int32)
        numbers = past.memory[:end].reshape(2 * self.runtime.config.num_decoder_layers, -1)
        return numbers, beams.reshape(self.beam_size, room)


def portions(lengths: Sequence[int]) -> Iterator[slice]:
    """Yield where sources lie that are read together: `PORTION` ids, or one source."""
    first, total = 0, 0
    for place, length in enumerate(lengths):
        if place > first and total + length > PORTION:
            yield slice(first, place)
            first, total = place, 0
        total += length
    yield slice(first, len(lengths))
