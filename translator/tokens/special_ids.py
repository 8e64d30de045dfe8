"""The ids that decoding must know apart from text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from translator.tokens.port import Vocabulary


@dataclass(frozen=True, kw_only=True, slots=True)
class SpecialIds:
    """Ids that decoding must know.

    Attributes:
        bos_id: starts every target, unless a request has start ids of its own.
        eos_id: ends it.
        forbidden_ids: never produced: padding, BOS, tags, `<unk>`.
    """

    bos_id: int
    eos_id: int
    forbidden_ids: tuple[int, ...]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> SpecialIds:
        """Return the special ids of a vocabulary."""
        return cls(
            bos_id=vocabulary.bos_id,
            eos_id=vocabulary.eos_id,
            forbidden_ids=vocabulary.forbidden_ids,
        )


def check_ids(name: str, ids: Sequence[int], vocab_size: int) -> None:
    """Refuse no ids at all, and ids that are not in the vocabulary, with a ValueError."""
    if not ids or not 0 <= min(ids) <= max(ids) < vocab_size:
        raise ValueError(f"{name} must be 1 or more in 0..{vocab_size - 1}: {ids}")
