"""Several steps of a few sentences in one call: the model, the search, and again.

Between two steps of a sentence alone, Python takes a third as long as a step.

Letters: B sentences of K beams, C continuations of each.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from translator.config import DecodingOptions
from translator.jit import compiled
from translator.runtime.compiled.decoder import continue_all, step
from translator.runtime.compiled.memory.slots import CompiledSlots
from translator.runtime.compiled.model import CompiledModel
from translator.runtime.hand import SlotsHand
from translator.search.beam import BeamSearch
from translator.search.rows import Array
from translator.search.search import Searches, extend_all

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


class CompiledRuntime(CompiledModel):
    """A model that knows how to search; see `contract.Runtime`."""

    def warm_up(self) -> None:
        """Compile everything that translation takes, or load what has been compiled before."""
        search = BeamSearch(1, 0, 0)
        search.add([1], [DecodingOptions(beam_size=1)])
        self.advance(search, self.slots(self.encode([[0]]), 1), 1, waits=False)
        self.read([([0], [0])], has_log_probs=True)

    def hand(self, beam_size: int, bos_id: int, eos_id: int) -> SlotsHand:
        """Return a hand without sentences; see `contract.Runtime`."""
        return SlotsHand(self, beam_size, bos_id, eos_id)

    def advance(
        self, search: BeamSearch, slots: CompiledSlots, turn_rows: int, waits: bool
    ) -> list[int]:
        """Take a step with all sentences, or several if they are few.

        Args:
            search: of the sentences.
            slots: of theirs.
            turn_rows: rows that may be computed, or one step.
            waits: whether sentences that are done wait for the others.

        Returns:
            the places of those that are done.

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
