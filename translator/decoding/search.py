"""Greedy and beam search as pure functions of log-probabilities; no model inside.

The caller owns the model and the loop: `start`, then `extend` once per id, feeding `step.next_ids`
and reordering its cache by `step.parent_rows`; `results` for rows that are done, which `compact`
drops and `join` replaces by others. One step, for each sentence on its own:

1. The candidates are the best 2K of the K·V continuations of its K live beams (K = 1: the best).
2. One that ends in EOS and is among the best K is finished: its ids and score never change again.
   An EOS of lower rank is dropped, which makes K = 1 greedy search.
3. The best K that do not end in EOS (there always are K) become the live beams.
4. At the sentence's own last permitted step the best K candidates are finished whatever they end
   in: for the reason `eos` if it is EOS, else `length`.

A sentence is done as soon as (a) K of its hypotheses are finished and no live beam would beat the
best of them by ending now, or (b) no live beam can still enter the best `num_hypotheses`, or (c)
its limit is reached, or (d) every live beam is at -inf.
(b) is sound: log-probabilities only fall and penalties only grow (alpha >= 0), so whatever a beam
becomes scores at most log_prob / length_penalty(max_length). Where the penalty makes that bound
loose, (a) is what ends most sentences. With K no less than the number of possible sentences the
search is exhaustive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from translator.config import DecodingOptions
from translator.decoding import beam_step
from translator.decoding.beam_state import BeamState, Step
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.length_penalty import exponent, length_penalty
from translator.model.torchscript import scripted

find_finishing, go_on = scripted(beam_step.find_finishing), scripted(beam_step.go_on)

_TENSORS = "log_probs tokens lengths max_lengths limit_penalties thresholds bars exponents is_gnmt"
_TUPLES = ("sentence_indices", "options", "finished")


def start(
    max_lengths: Sequence[int],
    options: DecodingOptions,
    eos_id: int,
    *,
    sentence_indices: Sequence[int] | None = None,
    device: torch.device | str = "cpu",
) -> BeamState:
    """Return the state before the first step: one live beam a sentence, of no ids.

    Args:
        max_lengths: B limits on the number of target ids, EOS included; see
            `DecodingOptions.max_length`.
        options: for all of these sentences.
        eos_id: id that ends a sentence.
        sentence_indices: B numbers by which the caller knows the sentences; 0..B-1 if None.
        device: where the log-probabilities will be.

    Raises:
        ValueError: if a limit leaves no room for EOS.
    """
    if min(max_lengths, default=1) < 1:
        raise ValueError(f"max_lengths must be at least 1, to hold EOS; got {min(max_lengths)}")
    limits = torch.tensor(max_lengths, dtype=torch.long, device=device)
    log_probs = torch.full((len(limits), options.beam_size), -math.inf, device=device)
    log_probs[:, 0] = 0
    return BeamState(
        eos_id=eos_id,
        sentence_indices=tuple(sentence_indices or range(len(limits))),
        options=(options,) * len(limits),
        log_probs=log_probs,
        tokens=limits.new_empty((*log_probs.shape, 0)),
        lengths=torch.zeros_like(limits),
        max_lengths=limits,
        limit_penalties=length_penalty(limits.float(), options),
        thresholds=log_probs.new_full((len(limits),), -math.inf),
        bars=log_probs.new_full((len(limits),), -math.inf),
        exponents=log_probs.new_full((len(limits),), exponent(options)),
        is_gnmt=torch.full_like(limits, options.length_penalty == "gnmt", dtype=torch.bool),
        finished=((),) * len(limits),
    )


def num_candidates(beam_size: int) -> int:
    """Return how many continuations of a sentence `extend` must be given: 2K, or 1 if K is 1."""
    return 1 if beam_size == 1 else 2 * beam_size


def extend(state: BeamState, log_probs: Tensor, ids: Tensor, beams: Tensor) -> Step:
    """Extend every live beam by one id; see the head of this file for the rules.

    Args:
        state: before the step.
        log_probs: (B, C) float32, of the `num_candidates` best continuations of each sentence, in
            full, best first.
        ids: (B, C) int64, their last ids.
        beams: (B, C) int64, which beam each of them continues.
    """
    at_limit, finishing = find_finishing(
        log_probs, ids, state.lengths, state.max_lengths, state.eos_id, state.beam_size
    )
    finished, thresholds, bars = _finish(state, (log_probs, ids, beams), finishing)
    live, next_ids, parents, done, tokens = go_on(
        log_probs,
        ids,
        beams,
        at_limit,
        thresholds,
        bars,
        state.limit_penalties,
        state.lengths,
        state.exponents,
        state.is_gnmt,
        state.tokens,
        state.eos_id,
    )
    advanced = replace(
        state,
        log_probs=live,
        tokens=tokens,
        lengths=state.lengths + 1,
        thresholds=thresholds,
        bars=bars,
        finished=finished,
    )
    return Step(state=advanced, next_ids=next_ids, parent_beams=parents, done=done)


def compact(state: BeamState, keep: Tensor) -> BeamState:
    """Return the sentences at the places `keep` (B',) int64, in that order, otherwise unchanged."""
    places = keep.tolist()
    kept: dict[str, Any] = {name: getattr(state, name)[keep] for name in _TENSORS.split()}
    for name in _TUPLES:
        kept[name] = tuple(getattr(state, name)[place] for place in places)
    longest = int(kept["lengths"].max()) if places else 0
    kept["tokens"] = kept["tokens"][:, :, state.tokens.size(2) - longest :]
    return replace(state, **kept)


def join(first: BeamState, second: BeamState) -> BeamState:
    """Return one state with the sentences of `first` and then those of `second`.

    Raises:
        ValueError: if their beam sizes or EOS ids differ.
    """
    for name in ("beam_size", "eos_id"):
        ours, theirs = getattr(first, name), getattr(second, name)
        if ours != theirs:
            raise ValueError(f"only states of one {name} can be joined, got {ours} and {theirs}")
    width = max(first.tokens.size(2), second.tokens.size(2))
    both = [
        replace(state, tokens=functional.pad(state.tokens, (width - state.tokens.size(2), 0)))
        for state in (first, second)
    ]
    joined: dict[str, Any] = {
        name: torch.cat([getattr(state, name) for state in both]) for name in _TENSORS.split()
    }
    joined |= {name: getattr(first, name) + getattr(second, name) for name in _TUPLES}
    return replace(first, **joined)


def results(state: BeamState, row: int) -> list[Hypothesis]:
    """Return the best `num_hypotheses` of the done sentence at place `row`, best first.

    There is at least one (empty, at -inf, if no sentence was possible at all), and there are fewer
    than asked for only if no more were found.
    """
    best_first = sorted(state.finished[row], key=lambda found: found.score, reverse=True)
    if not best_first:
        return [Hypothesis(ids=(), score=-math.inf, log_prob=-math.inf, finish_reason="length")]
    return best_first[: state.options[row].num_hypotheses]


def _finish(
    state: BeamState, candidates: tuple[Tensor, Tensor, Tensor], finishing: Tensor
) -> tuple[tuple[tuple[Hypothesis, ...], ...], Tensor, Tensor]:
    """Return `finished`, `thresholds`, `bars` after the candidates marked in `finishing` (B, K)."""
    log_probs, last_ids, parents = candidates
    places = finishing.nonzero(as_tuple=True)
    if not len(places[0]):
        return state.finished, state.thresholds, state.bars
    rows = places[0].tolist()
    chosen = zip(
        rows,
        state.tokens[places[0], parents[places]].tolist(),
        state.lengths[places[0]].tolist(),
        last_ids[places].tolist(),
        log_probs[places].tolist(),
        strict=True,
    )
    finished = list(state.finished)
    for row, padded_ids, num_ids, last_id, log_prob in chosen:
        ids = padded_ids[len(padded_ids) - num_ids :]
        is_eos = last_id == state.eos_id
        hypothesis = Hypothesis(
            ids=tuple(ids if is_eos else [*ids, last_id]),
            score=log_prob / length_penalty(num_ids + 1, state.options[row]),
            log_prob=log_prob,
            finish_reason="eos" if is_eos else "length",
        )
        finished[row] = (*finished[row], hypothesis)
    thresholds, bars = state.thresholds.tolist(), state.bars.tolist()
    for row in set(rows):
        scores = sorted((found.score for found in finished[row]), reverse=True)
        wanted = state.options[row].num_hypotheses
        thresholds[row] = scores[wanted - 1] if len(scores) >= wanted else -math.inf
        bars[row] = scores[0] if len(scores) >= state.beam_size else -math.inf
    as_before = state.thresholds.new_tensor
    return tuple(finished), as_before(thresholds), as_before(bars)
