"""What the decoder remembers of the sentences in hand: memory of its own for each of them.

Letters: B sentences of K beams, L layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from translator.runtime.compiled.decoder import SENTENCE, continue_all
from translator.runtime.compiled.memory.listing import Listed
from translator.runtime.compiled.memory.pool import Block, Pool
from translator.search.rows import Array, Rows, round_up

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
        most_dead: see `running_batch.Slots`; nothing moves when a sentence leaves.
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
                *(one.block.address, one.length),
                *(past.address, self._beams(past, room), room, 0, 0, 0),
                *((one.listed.address, one.listed.num_ids) if one.listed else (0, 0)),
                0,
            )
            for one, past, room in zip(memories, pasts, rooms, strict=True)
        ]
        self._memories += memories
        self._pasts += pasts
        added, lists = self._rows.add(len(fresh))
        added[:] = fresh
        for place, one in enumerate(memories):
            if one.listed:
                lists[place] = one.listed.linear
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
