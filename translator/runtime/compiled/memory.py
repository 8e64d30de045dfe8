"""What is remembered of the sentences in hand, in memory that is used again.

Each sentence has its past, and its own few rows of the output matrix if there is a shortlist.

Letters: B sentences of K beams, L layers; V pieces, n of them on a shortlist.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from translator.runtime.compiled.decoder import SENTENCE, continue_all
from translator.runtime.compiled.layout import Layout
from translator.runtime.kernels.powers import NATS_PER_BIT
from translator.runtime.kernels.records import PANEL, aligned
from translator.runtime.plan import FORBIDDEN, Plan
from translator.search.rows import Array, Rows, round_up
from translator.tokens.shortlist import Shortlist

SIZE_STEP = 1 << 14
"""Blocks of memory come in multiples of so many bytes, so that others can use them again."""

MOST_FREE = 1 << 26
"""Bytes that are kept for later; what is beyond goes back to the system."""

NOTHING = aligned(0, np.uint8)
"""What a block has that got no memory."""


class Pool:
    """Memory that is used again: what comes fresh from the system costs a fault for every page."""

    def __init__(self) -> None:
        """Begin with none."""
        self._free: dict[int, list[Array]] = defaultdict(list)
        self._num_free = 0

    def take(self, num_bytes: int) -> Array:
        """Return so many bytes or more."""
        rounded = round_up(num_bytes, SIZE_STEP)
        if self._free[rounded]:
            self._num_free -= rounded
            return self._free[rounded].pop()
        return aligned(rounded, np.uint8)

    def give(self, block: Array) -> None:
        """Take back what `take` returned; if that is too much, the largest blocks are let go."""
        self._free[block.size].append(block)
        self._num_free += block.size
        while self._num_free > MOST_FREE:
            largest = max(size for size, blocks in self._free.items() if blocks)
            self._free[largest].pop()
            self._num_free -= largest


class Block:
    """Memory from a pool, to which it returns when no one refers to it any more.

    Attributes:
        address: of its first byte.
    """

    def __init__(self, pool: Pool, num_bytes: int) -> None:
        """Take so many bytes."""
        self._pool = pool
        self.memory = NOTHING  # to give back if there is no memory left
        self.memory = pool.take(num_bytes)
        self.address = int(self.memory.ctypes.data)

    def __del__(self) -> None:
        """Give them back."""
        self._pool.give(self.memory)


class Listed(NamedTuple):
    """The output layer of a sentence's shortlist.

    Attributes:
        linear: fields of its record.
        address: of the ids of its outputs, int64.
        num_ids: n.
        block: memory of all of that.
    """

    linear: tuple[Any, ...]
    address: int
    num_ids: int
    block: Block


class OutputLists:
    """Takes rows out of the output layer of a model, for one sentence after the other."""

    def __init__(self, layout: Layout, plan: Plan[Any]) -> None:
        """Find the rows; nothing of them is copied yet.

        Args:
            layout: of the model.
            plan: has a shortlist.
        """
        assert plan.shortlist is not None
        self._shortlist: Shortlist = plan.shortlist
        self._weights, self._outputs = layout.weights.views(layout.model[0]["logits"])
        record = layout.model[0]["logits"]
        self._fields = {
            name: record[name].item() for name in layout.weights.linear_type.names or ()
        }
        self._bias_part = layout.weights.bias_part

    def of(self, source_ids: Sequence[int], pool: Pool) -> Listed:
        """Return the output layer for a sentence.

        Args:
            source_ids: that the encoder reads.
            pool: gives memory.
        """
        ids = self._shortlist.of(source_ids)
        panels = round_up(len(ids), PANEL) // PANEL
        weight_bytes, output_bytes = (
            panels * int(self._fields[name]) for name in ("panel_bytes", "output_bytes")
        )
        block = Block(pool, weight_bytes + output_bytes + 8 * len(ids))
        memory, ends = block.memory, np.cumsum([weight_bytes, output_bytes, 8 * len(ids)])
        weights, outputs, listed = np.split(memory[: ends[-1]], ends[:-1])
        filled = np.resize(ids, panels * PANEL)
        self._take_weights(filled, weights.view(self._weights.dtype))
        self._take_outputs(filled, len(ids), outputs.view(np.float32).reshape(panels, -1, PANEL))
        listed.view(np.int64)[:] = ids
        addresses = {
            "weight": block.address,
            "outputs": block.address + weight_bytes,
            "panels": panels,
        }
        linear = tuple((self._fields | addresses).values())
        return Listed(linear, block.address + weight_bytes + output_bytes, len(ids), block)

    def _take_weights(self, ids: Array, to: Array) -> None:
        """Write rows of the matrix, a panel after the other, in the order of tiles."""
        _, parts, depth, width, lanes = self._weights.shape
        columns = width * lanes
        panel, place = np.divmod(ids, PANEL)
        part, column = np.divmod(place, columns)
        starts = (panel * parts + part) * depth * columns + column
        along = np.arange(depth)[:, None] * columns
        places = starts.reshape(-1, parts, 1, columns) + along  # (panels, parts, depth, columns)
        # `clip` takes no copy of `out`; every place is one
        self._weights.ravel().take(places, out=to.reshape(places.shape), mode="clip")

    def _take_outputs(self, ids: Array, count: int, to: Array) -> None:
        """Write what is known of outputs; those that only fill up are never produced."""
        panel, place = np.divmod(ids, PANEL)
        to[:] = self._outputs[panel, :, place].reshape(len(to), PANEL, -1).transpose(0, 2, 1)
        biases = to[:, self._bias_part].reshape(-1)
        biases[count:] = FORBIDDEN / NATS_PER_BIT
        to[:, self._bias_part] = biases.reshape(len(to), PANEL)


ROOM_STEP = 16
"""There is room for as many positions as the source has ids, in multiples of this, and for half as
many more whenever there is none left."""


class SourceMemory(NamedTuple):
    """What is remembered of a source.

    Attributes:
        block: keys and values.
        length: of the source, in ids.
        listed: output layer of its shortlist; None if it may have all pieces.
    """

    block: Block
    length: int
    listed: Listed | None


class CompiledSlots:
    """B sentences with K beams each.

    Attributes:
        most_dead: see `contract.Slots`; nothing moves when a sentence leaves.
        beam_size: K.
        sentences: (B,) `SENTENCE`.
        lists: (B,) output layers of their shortlists; nothing in them if there are none.
        longest_source: ids of it.
        most_steps: positions that a sentence has written, at most.
        steps_left: positions that can be written before there is no room for one of them.
    """

    most_dead = 0.0

    def __init__(
        self,
        pool: Pool,
        num_layers: int,
        key_bytes: int,
        beam_size: int,
        linear_type: Any,
        state_bytes: int = 0,
    ) -> None:
        """Begin with no sentences.

        Args:
            pool: gives memory.
            num_layers: of the decoder.
            key_bytes: of a position's keys, or values, of one layer.
            beam_size: K.
            linear_type: of the records of output layers.
            state_bytes: of a state of a recurrent decoder, which is kept instead; or 0.
        """
        self._pool, self._num_layers, self._key_bytes = pool, num_layers, key_bytes
        self._state_bytes = state_bytes
        self.beam_size = beam_size
        self._rows = Rows((SENTENCE, ()), (linear_type, ()))
        self.sentences, self.lists = self._rows.used
        self._memories: list[SourceMemory] = []
        self._pasts: list[Block] = []
        self.longest_source, self.most_steps, self.steps_left = 0, 0, 1

    def _look(self) -> None:
        """Take note of what would take longer to find out at every step."""
        sentences, self.lists = self.sentences, _ = self._rows.used
        self.longest_source = int(sentences["source"].max(initial=0))
        self.most_steps = int(sentences["steps"].max(initial=0))
        self.steps_left = min((sentences["room"] - sentences["steps"]).tolist(), default=1)

    def join(self, memories: Sequence[SourceMemory], num_steps: int = 0) -> None:
        """Let sentences begin, behind those that are there.

        Args:
            memories: of the sentences.
            num_steps: positions for which there is to be room from the first.
        """
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
        for place, memory in enumerate(memories):
            if memory.listed:
                lists[place] = memory.listed.linear
        self._look()

    def keep(self, places: Sequence[int]) -> None:
        """Let all sentences leave but those at `places`, which are kept in that order.

        None may move to a higher place.
        """
        self._rows.keep(places)
        self._memories = [self._memories[place] for place in places]
        self._pasts = [self._pasts[place] for place in places]
        self._look()

    def reorder(self, parents: Array) -> None:
        """Let beams continue others: parents are (B, K) int64."""
        continue_all(self.sentences, parents)

    def make_room(self) -> None:
        """See to it that one more position can be written."""
        if self.steps_left:
            return
        for place in np.flatnonzero(self.sentences["steps"] >= self.sentences["room"]):
            sentence, old = self.sentences[place], self._pasts[place]
            room = int(sentence["room"])
            larger = round_up(room + room // 2, ROOM_STEP)
            new = self._past(larger)
            for one, other in zip(self._parts(old, room), self._parts(new, larger), strict=True):
                other[..., : one.shape[-1]] = one
            sentence["past"], sentence["room"] = new.address, larger
            sentence["beams"] = self._beams(new, larger)
            self._pasts[place] = new
        self._look()

    def move_on(self, num_steps: int = 1) -> None:
        """Note that so many more positions have been written, at most."""
        self.most_steps += num_steps
        self.steps_left -= num_steps

    def _past_bytes(self, room: int) -> int:
        """Return the bytes of keys and values, or of the states at even and at odd positions."""
        if self._state_bytes:
            return 2 * self._num_layers * self.beam_size * self._state_bytes
        return 2 * self._num_layers * room * self.beam_size * self._key_bytes

    def _past(self, room: int) -> Block:
        return Block(self._pool, self._past_bytes(room) + 4 * room * self.beam_size)

    def _beams(self, past: Block, room: int) -> int:
        """Return the address of what tells which beams wrote a past."""
        return past.address + self._past_bytes(room)

    def _parts(self, past: Block, room: int) -> tuple[Array, Array]:
        """Return the bytes of keys and values, or of states, (2 · L, ·), and beams (K, room)."""
        end = self._past_bytes(room)
        beams = past.memory[end : end + 4 * room * self.beam_size].view(np.int32)
        return past.memory[:end].reshape(2 * self._num_layers, -1), beams.reshape(
            self.beam_size, room
        )
