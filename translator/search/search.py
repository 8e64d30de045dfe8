"""Greedy and beam search for one sentence, given the best continuations of its beams; no model.

One step:

1. The candidates are the best 2K of the K·V continuations of its K live beams (K = 1: the best).
2. One that ends in EOS and is among the best K is finished: its ids and score never change again.
   An EOS of lower rank is dropped, which makes K = 1 greedy search.
3. The best K that do not end in EOS, or as many as there are, become the live beams.
4. At the sentence's last permitted step the best K candidates are finished whatever they end in:
   for the reason `eos` if it is EOS, else `length`.

A sentence is done as soon as (a) K of its hypotheses are finished and no live beam would beat the
best of them by ending now, or (b) no live beam can still enter the best `num_hypotheses`, or (c)
its limit is reached, or (d) no beam is alive.
(b) is sound: log-probabilities only fall and penalties only grow (alpha >= 0), so whatever a beam
becomes scores at most log_prob / length_penalty(limit). Where the penalty makes that bound loose,
(a) is what ends most sentences. With K no less than the number of possible sentences the search is
exhaustive.

Compiled, since there is a dozen candidates of each sentence at each step, which take Python as long
as all that the model computes for a sentence alone.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from translator.jit import compiled, record_type
from translator.search.length_penalty import penalty
from translator.search.ngram_blocking import rank_repeats_last
from translator.search.rows import Array, take_over

SEARCH = record_type(
    [
        ("limit", "i8"),  # most ids that it may have, EOS included
        ("num_hypotheses", "i8"),  # that are wanted, K at most
        ("no_repeat_ngram_size", "i8"),
        ("penalty", "i8"),  # a place in `length_penalty.NAMES`
        ("alpha", "f8"),
        ("num_ids", "i8"),  # so far, of each live beam
        ("num_finished", "i8"),
        ("is_done", "i8"),
        ("num_forced", "i8"),  # ids that are fed before the search begins to choose
    ]
)
"""Where the search for one sentence stands, and what it is to find."""

MOST_FORCED = 256
"""Ids that may be fed before the search begins to choose, besides the first one: those of a
language, and of a prefix that the translation is to begin with."""

FINISHED = record_type(
    [("score", "f8"), ("log_prob", "f8"), ("num_ids", "i8"), ("is_eos", "i8"), ("place", "i8")]
)
"""A finished hypothesis, and where its ids are kept."""


IMPOSSIBLE = -1e8
"""Log-probabilities of ids that are never produced are far below, those of others far above."""


@compiled
def finish(
    search: Any, finished: Array, kept: Array, ids: Array, log_prob: float, last_id: int, eos: int
) -> None:
    """Write a hypothesis down if it is among the best K: behind those that are as good."""
    count = min(search["num_finished"], len(finished))
    search["num_finished"] += 1
    score = log_prob / penalty(search["num_ids"], search["penalty"], search["alpha"])
    rank = count
    while rank > 0 and finished[rank - 1]["score"] < score:
        rank -= 1
    if rank == len(finished):
        return
    place = count if count < len(finished) else finished[count - 1]["place"]
    for i in range(min(count, len(finished) - 1), rank, -1):
        finished[i] = finished[i - 1]
    entry, length = finished[rank], search["num_ids"] - 1
    for i in range(length):
        kept[place, i] = ids[i]
    kept[place, length] = last_id
    entry["score"], entry["log_prob"], entry["place"] = score, log_prob, place
    entry["is_eos"] = last_id == eos
    entry["num_ids"] = length if last_id == eos else length + 1


@compiled
def cannot_improve(search: Any, finished: Array, best: float) -> bool:
    """Return whether going on is vain: rules (a) and (b), given the best live beam."""
    beam_size, wanted, name = len(finished), search["num_hypotheses"], search["penalty"]
    if search["num_finished"] < wanted:
        return False
    at_most = best / penalty(search["limit"], name, search["alpha"])
    if finished[wanted - 1]["score"] >= at_most:
        return True
    if_it_ended = best / penalty(search["num_ids"] + 1, name, search["alpha"])
    return bool(search["num_finished"] >= beam_size and finished[0]["score"] >= if_it_ended)


@compiled
def extend(
    search: Any,
    eos: int,
    log_probs: Array,
    next_ids: Array,
    parents: Array,
    ids: Array,
    finished: Array,
    kept: Array,
    forced: Array,
    best: Array,
    last_ids: Array,
    beams: Array,
) -> None:
    """Extend every live beam by one id; see the head of this file for the rules, and `Searches`.

    `forced` are ids that are fed before the search begins to choose, the last one first. `best`
    (C,) are log-probabilities of the best continuations, best first: in full, but of the last id
    alone if K is 1; `last_ids` (C,) their last ids; `beams` (C,) which beam each of them continues.
    """
    if search["num_forced"]:  # only the first beam is alive
        search["num_forced"] -= 1
        next_ids[0] = forced[search["num_forced"]]
        return
    beam_size, length, alive = len(parents), search["num_ids"], 0
    if search["no_repeat_ngram_size"]:
        rank_repeats_last(ids, length, search["no_repeat_ngram_size"], best, last_ids, beams)
    search["num_ids"] += 1
    at_limit = search["num_ids"] >= search["limit"]
    before = log_probs[0] if beam_size == 1 else 0.0
    for rank in range(len(best)):
        log_prob, last_id, beam = before + best[rank], last_ids[rank], beams[rank]
        if not log_prob > IMPOSSIBLE:  # or not a number
            continue
        if last_id == eos or at_limit:
            if rank < beam_size:
                finish(search, finished, kept, ids[beam], log_prob, last_id, eos)
        elif alive < beam_size:
            log_probs[alive], next_ids[alive], parents[alive] = log_prob, last_id, beam
            alive += 1
    if alive == 0 or cannot_improve(search, finished, log_probs[0]):
        search["is_done"], alive = 1, 0
    for beam in range(alive, beam_size):
        log_probs[beam], next_ids[beam], parents[beam] = -math.inf, eos, beam
    take_over(ids, parents, length)
    for beam in range(alive):
        ids[beam, length] = next_ids[beam]


class Searches(NamedTuple):
    """Where the searches for B sentences of K beams stand; see `extend` for all but `done`."""

    searches: Array  # (B,) `SEARCH`
    log_probs: Array  # (B, K) sums, best first; -inf for a dead beam
    next_ids: Array  # (B, K) ids to be fed to the model next; EOS for a dead beam
    parents: Array  # (B, K) which beam each of the K continued in the last step
    ids: Array  # (B, K, T) so far
    finished: Array  # (B, K) `FINISHED`, the best ones, best first
    kept: Array  # (B, K, T) their ids
    forced: Array  # (B, `MOST_FORCED`)
    done: Array  # (B,) receives the places of sentences that are done
    eos: int  # id that ends a sentence


@compiled
def extend_all(state: Searches, count: int, best: Array, last_ids: Array, beams: Array) -> int:
    """Take a step with all sentences that are not done; return how many places `done` has now.

    It has `count` places already. For the other arguments, (B, C), see `extend`.
    """
    for i in range(len(state.searches)):
        if state.searches[i]["is_done"]:
            continue
        extend(
            state.searches[i], state.eos, state.log_probs[i], state.next_ids[i], state.parents[i],
            state.ids[i], state.finished[i], state.kept[i], state.forced[i], best[i], last_ids[i],
            beams[i],
        )  # fmt: skip
        if state.searches[i]["is_done"]:
            state.done[count] = i
            count += 1
    return count
