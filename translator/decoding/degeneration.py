"""What has visibly gone wrong in a translation, and how to try once more.

Two failures can be told without a reference: running in circles (Holtzman et al. 2020) and
copying the source instead of translating it (Ott et al. 2018).
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Sequence
from typing import Literal

from translator.config import DecodingOptions
from translator.decoding.hypothesis import Hypothesis

Flag = Literal["repetition", "copied", "retried"]

LONGEST_PERIOD = 8
FEWEST_ROUNDS = 4
FEWEST_REPEATED_IDS = 12
"""A circle is at least so many rounds and ids."""

FEWEST_COPIED_IDS = 8
LEAST_COPIED_SHARE = 0.9
"""Shorter sentences may be names, code or numbers, which are rightly copied."""

RETRY_BEAM_SIZE = 5
RETRY_NGRAM_SIZE = 4
MOST_LOSS = 0.5
"""Nats an id by which another translation may be less probable than a copy; names and code, which
are rightly copied, have none so near."""


def find_flags(source_ids: Sequence[int], target_ids: Sequence[int]) -> tuple[Flag, ...]:
    """Return what is wrong with a translation.

    Args:
        source_ids: tag, pieces, EOS.
        target_ids: pieces.
    """
    flags: list[Flag] = []
    pieces = source_ids[1:-1]
    if _is_circle(target_ids) and not _is_circle(pieces):
        flags.append("repetition")
    if _is_copy(pieces, target_ids):
        flags.append("copied")
    return tuple(flags)


def _is_circle(ids: Sequence[int]) -> bool:
    """Return whether some run of ids follows itself again and again."""
    for period in range(1, LONGEST_PERIOD + 1):
        needed = max((FEWEST_ROUNDS - 1) * period, FEWEST_REPEATED_IDS - period)
        run = 0
        for now, before in zip(ids[period:], ids, strict=False):
            run = run + 1 if now == before else 0
            if run >= needed:
                return True
    return False


def _is_copy(source: Sequence[int], target: Sequence[int]) -> bool:
    """Return whether nearly all of a long enough source is there again, in its order."""
    if min(len(source), len(target)) < FEWEST_COPIED_IDS:
        return False
    matcher = difflib.SequenceMatcher(None, source, target, autojunk=False)
    return (
        matcher.real_quick_ratio() >= LEAST_COPIED_SHARE
        and matcher.quick_ratio() >= LEAST_COPIED_SHARE
        and matcher.ratio() >= LEAST_COPIED_SHARE
    )


def retry_options(options: DecodingOptions, flags: Sequence[Flag]) -> DecodingOptions:
    """Return how to search once more: wider, and without repeated n-grams after a circle."""
    beam_size = max(options.beam_size, RETRY_BEAM_SIZE)
    ngram_size = RETRY_NGRAM_SIZE if "repetition" in flags else options.no_repeat_ngram_size
    return dataclasses.replace(
        options,
        beam_size=beam_size,
        num_hypotheses=beam_size,
        no_repeat_ngram_size=ngram_size,
    )


def choose(
    source_ids: Sequence[int],
    first: Sequence[Hypothesis],
    second: Sequence[Hypothesis],
) -> tuple[list[Hypothesis], tuple[Flag, ...]]:
    """Choose between the hypotheses of both searches.

    Args:
        source_ids: tag, pieces, EOS.
        first: of the first search, of which the best is flagged.
        second: of the second search, at least as many.

    Returns:
        as many as `first`, best first, and the flags: `retried`, and what is still wrong.
    """
    flags = find_flags(source_ids, first[0].ids)
    lowest = _per_id(first[0]) - MOST_LOSS
    good = [
        found
        for found in second
        if found.ids
        and not find_flags(source_ids, found.ids)
        and ("repetition" in flags or _per_id(found) >= lowest)
    ]
    if good:
        return [*good, *first][: len(first)], ("retried",)
    return list(first), (*flags, "retried")


def _per_id(found: Hypothesis) -> float:
    return found.log_prob / (len(found.ids) + 1)
