"""Greedy and beam search as pure functions of log-probabilities; no model inside.

The caller owns the model and the loop: `start`, then `advance` once per id, feeding `step.next_ids`
and reordering its cache by `step.parent_rows`; `results` for rows that are done, which `compact`
drops and `join` replaces by others. One step, for each sentence on its own:

1. The candidates are the best 2K of the K·V continuations of its K live beams (K = 1: the best).
2. One that ends in EOS and is among the best K is finished: its ids and score never change again.
   An EOS of lower rank is dropped, which makes K = 1 greedy search.
3. The best K that do not end in EOS (there always are K) become the live beams.
4. At the sentence's own last permitted step the best K candidates are finished whatever they end
   in: for the reason `eos` if it is EOS, else `length`.

A sentence is done as soon as (a) K of its hypotheses are finished, or (b) no live beam can still
enter the best `num_hypotheses`, or (c) its limit is reached, or (d) every live beam is at -inf.
(b) is sound: log-probabilities only fall and penalties only grow (alpha >= 0), so whatever a beam
becomes scores at most log_prob / length_penalty(max_length). Where the penalty makes that bound
loose, (a) is what ends most sentences. With K no less than the number of possible sentences the
search is exhaustive.

Ties between beams go to the earlier beam; within a beam `torch.topk` decides, the same way each
time on the same machine and build.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from translator.config import DecodingOptions
from translator.decoding.candidates import Candidates, best_candidates
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.length_penalty import exponent, length_penalties, length_penalty

_TENSORS = (
    *("log_probs", "tokens", "lengths", "max_lengths", "limit_penalties", "thresholds"),
    *("bars", "exponents", "is_gnmt"),
)
_TUPLES = ("sentence_indices", "options", "finished")


@dataclass(frozen=True, kw_only=True, slots=True)
class BeamState:
    """Where the search stands, for B sentences of K beams each; never changed in place.

    Sentences may have come different distances and have different options (but one beam size).

    Attributes:
        eos_id: id that ends a sentence.
        sentence_indices: B numbers by which the caller knows the sentences; survive compaction.
        options: B options.
        log_probs: (B, K) float32, sum over each live beam, best first; -inf for a dead beam.
        tokens: (B, K, t) int64, ids of each live beam, right-aligned.
        lengths: (B,) int64, ids in each live beam: the last so many of `tokens`.
        max_lengths: (B,) int64, most ids a sentence may have, EOS included.
        limit_penalties: (B,) float32, length penalty at `max_lengths`.
        thresholds: (B,) float32, score that a beam must be able to exceed to be worth continuing:
            -inf until `num_hypotheses` are finished.
        bars: (B,) float32, best score once K hypotheses are finished; -inf until then.
        exponents: (B,) float32, of the length penalty; 0 for `none`.
        is_gnmt: (B,) bool, whether it is the `gnmt` one.
        finished: B tuples of hypotheses, in the order they finished.
    """

    eos_id: int
    sentence_indices: tuple[int, ...]
    options: tuple[DecodingOptions, ...]
    log_probs: Tensor
    tokens: Tensor
    lengths: Tensor
    max_lengths: Tensor
    limit_penalties: Tensor
    thresholds: Tensor
    bars: Tensor
    exponents: Tensor
    is_gnmt: Tensor
    finished: tuple[tuple[Hypothesis, ...], ...]

    @property
    def beam_size(self) -> int:
        """K."""
        return self.log_probs.size(1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """What one step of search decided.

    Attributes:
        state: the state after it.
        next_ids: (B, K) int64, id to feed for each beam; EOS for a dead beam.
        parent_beams: (B, K) int64, which beam of its sentence each beam continues.
        done: (B,) bool, whether a sentence's `results` are final. A done row may stay in the batch:
            its beams are dead, and nothing about its results changes.
    """

    state: BeamState
    next_ids: Tensor
    parent_beams: Tensor
    done: Tensor

    @property
    def parent_rows(self) -> Tensor:
        """`parent_beams` as rows (N,) of a batch of N = B · K, to reorder a cache by."""
        num_sentences, beam_size = self.parent_beams.shape
        first_rows = torch.arange(num_sentences, device=self.parent_beams.device) * beam_size
        return (self.parent_beams + first_rows[:, None]).flatten()


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
        sentence_indices=tuple(
            range(len(limits)) if sentence_indices is None else sentence_indices
        ),
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


def advance(state: BeamState, log_probs: Tensor, forbidden_ids: Tensor | None = None) -> Step:
    """Extend every live beam by one id; see the head of this file for the rules.

    Args:
        state: before the step.
        log_probs: (B, K, V) of any float type, log P(id | source, beam), none above 0; -inf is
            allowed anywhere. Sums are kept in float32.
        forbidden_ids: (F,) int64, ids that are never produced, such as padding.

    Raises:
        ValueError: if `log_probs` is not (B, K, V).
    """
    if log_probs.dim() != 3 or log_probs.shape[:2] != state.log_probs.shape:
        raise ValueError(
            f"log_probs must be (B, K, V) with B, K = {tuple(state.log_probs.shape)}, "
            f"got {tuple(log_probs.shape)}"
        )
    beam_size = state.beam_size
    count = 1 if beam_size == 1 else 2 * beam_size
    candidates = best_candidates(state.log_probs, log_probs, count, forbidden_ids)
    is_eos = candidates.ids == state.eos_id
    at_limit = state.lengths + 1 >= state.max_lengths
    finishing = (is_eos | at_limit[:, None]) & (candidates.log_probs > -math.inf)
    finishing[:, beam_size:] = False
    finished, thresholds, bars = _finish(state, candidates, finishing)

    if beam_size == 1:  # nothing to choose: an EOS has just finished the whole sentence
        live = candidates
    else:  # at most K of the 2K end in EOS, one per beam; a stable sort keeps the others' order
        columns = is_eos.byte().argsort(dim=1, stable=True)[:, :beam_size]  # (B, K)
        live = Candidates(*(values.gather(1, columns) for values in candidates))
    best = live.log_probs[:, 0]
    if beam_size == 1:
        done = at_limit | finishing[:, 0] | (best == -math.inf)
    else:
        next_lengths = state.lengths + 2  # the ids so far, this step's, and EOS
        penalties = length_penalties(next_lengths, state.exponents, state.is_gnmt)
        done = at_limit | (thresholds >= best / state.limit_penalties) | (bars >= best / penalties)
    live_log_probs = live.log_probs.masked_fill(done[:, None], -math.inf)
    next_ids = live.ids.masked_fill(live_log_probs == -math.inf, state.eos_id)
    parent_tokens = state.tokens
    if beam_size > 1:
        parents = live.parents[:, :, None].expand(-1, -1, parent_tokens.size(2))  # (B, K, t)
        parent_tokens = parent_tokens.gather(1, parents)
    advanced = replace(
        state,
        log_probs=live_log_probs,
        tokens=torch.cat((parent_tokens, next_ids[:, :, None]), dim=2),
        lengths=state.lengths + 1,
        thresholds=thresholds,
        bars=bars,
        finished=finished,
    )
    return Step(state=advanced, next_ids=next_ids, parent_beams=live.parents, done=done)


def compact(state: BeamState, keep: Tensor) -> BeamState:
    """Return the sentences at the places `keep` (B',) int64, in that order, otherwise unchanged."""
    places = keep.tolist()
    kept: dict[str, Any] = {name: getattr(state, name)[keep] for name in _TENSORS}
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
        name: torch.cat([getattr(state, name) for state in both]) for name in _TENSORS
    }
    joined |= {name: getattr(first, name) + getattr(second, name) for name in _TUPLES}
    return replace(first, **joined)


def results(state: BeamState, row: int) -> list[Hypothesis]:
    """Return the best `num_hypotheses` of the done sentence at place `row`, best first.

    There is at least one: an empty one at -inf if the log-probabilities allowed no sentence at all.
    There are fewer than asked for only if no more were found.
    """
    best_first = sorted(state.finished[row], key=lambda found: found.score, reverse=True)
    if not best_first:
        return [Hypothesis(ids=(), score=-math.inf, log_prob=-math.inf, finish_reason="length")]
    return best_first[: state.options[row].num_hypotheses]


def _finish(
    state: BeamState, candidates: Candidates, finishing: Tensor
) -> tuple[tuple[tuple[Hypothesis, ...], ...], Tensor, Tensor]:
    """Return `finished`, `thresholds`, `bars` after the candidates marked in `finishing` (B, C)."""
    places = finishing.nonzero(as_tuple=True)
    if not len(places[0]):
        return state.finished, state.thresholds, state.bars
    rows = places[0].tolist()
    chosen = zip(
        rows,
        state.tokens[places[0], candidates.parents[places]].tolist(),
        state.lengths[places[0]].tolist(),
        candidates.ids[places].tolist(),
        candidates.log_probs[places].tolist(),
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
