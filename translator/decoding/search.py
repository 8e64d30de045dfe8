"""Greedy and beam search for one sentence, given the best continuations of its beams; no model.

One step:

1. The candidates are the best 2K of the K·V continuations of its K live beams (K = 1: the best).
2. One that ends in EOS and is among the best K is finished: its ids and score never change again.
   An EOS of lower rank is dropped, which makes K = 1 greedy search.
3. The best K that do not end in EOS (there always are K) become the live beams.
4. At the sentence's last permitted step the best K candidates are finished whatever they end in:
   for the reason `eos` if it is EOS, else `length`.

A sentence is done as soon as (a) K of its hypotheses are finished and no live beam would beat the
best of them by ending now, or (b) no live beam can still enter the best `num_hypotheses`, or (c)
its limit is reached, or (d) no beam is alive.
(b) is sound: log-probabilities only fall and penalties only grow (alpha >= 0), so whatever a beam
becomes scores at most log_prob / length_penalty(limit). Where the penalty makes that bound loose,
(a) is what ends most sentences. With K no less than the number of possible sentences the search is
exhaustive.

Plain Python: a sentence has a dozen candidates a step, and an operation of PyTorch takes longer
than looking at all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from translator.config import DecodingOptions
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.length_penalty import length_penalty

History = tuple["History", int] | None
"""Ids so far: what a beam continued, and its last id; beams share their beginnings."""


def num_candidates(beam_size: int) -> int:
    """Return how many continuations `Beams.extend` must be given: 2K, or 1 if K is 1."""
    return 1 if beam_size == 1 else 2 * beam_size


class Beams:
    """Where the search for one sentence stands.

    Attributes:
        options: of the search; K is their `beam_size`.
        log_probs: K sums, best first; -inf for a dead beam.
        next_ids: K ids to be fed to the model next; EOS for a dead beam.
        parents: which beam each of the K continued in the last step.
        finished: hypotheses in the order they finished.
        is_done: whether `results` are final; `extend` then changes nothing any more.
    """

    def __init__(self, options: DecodingOptions, limit: int, bos_id: int, eos_id: int) -> None:
        """Begin with one live beam of no ids.

        Args:
            options: of the search.
            limit: most ids it may have, EOS included; see `DecodingOptions.max_length`.
            bos_id: id that begins a sentence.
            eos_id: id that ends a sentence.

        Raises:
            ValueError: if the limit leaves no room for EOS.
        """
        if limit < 1:
            raise ValueError(f"a limit must be at least 1, to hold EOS; got {limit}")
        self.options, self._limit, self._eos_id = options, limit, eos_id
        self._num_ids = 0
        self._histories: list[History] = [None] * options.beam_size
        self._limit_penalty = length_penalty(limit, options)
        self.log_probs = [0.0] + [-math.inf] * (options.beam_size - 1)
        self.next_ids = [bos_id] * options.beam_size
        self.parents = list(range(options.beam_size))
        self.finished: list[Hypothesis] = []
        self.is_done = False

    def ids(self, beam: int) -> list[int]:
        """Return the ids of a live beam."""
        return _unrolled(self._histories[beam])

    def extend(self, log_probs: Sequence[float], ids: Sequence[int], beams: Sequence[int]) -> None:
        """Extend every live beam by one id; see the head of this file for the rules.

        Args:
            log_probs: of the `num_candidates` best continuations or more, in full, best first.
            ids: their last ids.
            beams: which beam each of them continues.
        """
        if self.is_done:
            return
        beam_size, eos_id = len(self.parents), self._eos_id
        self._num_ids += 1
        if beam_size == 1 and self._goes_on(log_probs[0], ids[0]):
            return
        at_limit = self._num_ids >= self._limit
        live: list[tuple[float, int, int]] = []
        for rank, candidate in enumerate(zip(log_probs, ids, beams, strict=True)):
            log_prob, last_id, beam = candidate
            if not log_prob > -math.inf:  # impossible, or not a number
                continue
            if last_id == eos_id or at_limit:
                if rank < beam_size:
                    self._finish(log_prob, last_id, self._histories[beam])
            elif len(live) < beam_size:
                live.append(candidate)
        self.is_done = not live or self._cannot_improve(live[0][0])
        self._continue([] if self.is_done else live)

    def _goes_on(self, log_prob: float, last_id: int) -> bool:
        """Let a lone beam live on, unless it ends: in greedy search, what most steps come to."""
        ends = last_id == self._eos_id or self._num_ids >= self._limit
        if ends or not log_prob > -math.inf:
            return False
        self.log_probs, self.next_ids = [log_prob], [last_id]
        self._histories = [(self._histories[0], last_id)]
        return True

    def results(self) -> list[Hypothesis]:
        """Return the best `num_hypotheses` of a sentence that is done, best first.

        There is at least one (empty, at -inf, if no sentence was possible at all), and there are
        fewer than asked for only if no more were found.
        """
        best_first = sorted(self.finished, key=lambda found: found.score, reverse=True)
        if not best_first:
            return [Hypothesis(ids=(), score=-math.inf, log_prob=-math.inf, finish_reason="length")]
        return best_first[: self.options.num_hypotheses]

    def _finish(self, log_prob: float, last_id: int, history: History) -> None:
        """Write down a hypothesis."""
        is_eos = last_id == self._eos_id
        self.finished.append(
            Hypothesis(
                ids=tuple(_unrolled(history if is_eos else (history, last_id))),
                score=log_prob / length_penalty(self._num_ids, self.options),
                log_prob=log_prob,
                finish_reason="eos" if is_eos else "length",
            )
        )

    def _cannot_improve(self, best: float) -> bool:
        """Return whether going on is vain: rules (a) and (b), given the best live beam."""
        wanted = self.options.num_hypotheses
        if len(self.finished) < min(wanted, len(self.parents)):
            return False
        scores = sorted((found.score for found in self.finished), reverse=True)
        if len(scores) >= wanted and scores[wanted - 1] >= best / self._limit_penalty:
            return True
        if_it_ended = best / length_penalty(self._num_ids + 1, self.options)
        return len(scores) >= len(self.parents) and scores[0] >= if_it_ended

    def _continue(self, live: list[tuple[float, int, int]]) -> None:
        """Let these beams live, and the rest be dead."""
        beam_size, histories = len(self.parents), self._histories
        num_dead = beam_size - len(live)
        self.log_probs = [log_prob for log_prob, _, _ in live] + [-math.inf] * num_dead
        self.next_ids = [last_id for _, last_id, _ in live] + [self._eos_id] * num_dead
        self.parents = [beam for _, _, beam in live] + [*range(len(live), beam_size)]
        self._histories = [(histories[beam], last_id) for _, last_id, beam in live]
        self._histories += [None] * num_dead


def _unrolled(history: History) -> list[int]:
    ids: list[int] = []
    while history is not None:
        history, last_id = history
        ids.append(last_id)
    return ids[::-1]
