"""The ids that decoding must know apart from text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from translator.tokens.tokenizer import Tokenizer


@dataclass(frozen=True, kw_only=True, slots=True)
class SpecialIds:
    """Ids that decoding must know.

    Attributes:
        bos_id: starts every target.
        eos_id: ends it.
        forbidden_ids: never produced: padding, BOS, tags, `<unk>`.
    """

    bos_id: int
    eos_id: int
    forbidden_ids: tuple[int, ...]

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> SpecialIds:
        """Return the special ids of a vocabulary: everything but text and EOS is forbidden."""
        special = {*tokenizer.control_ids, tokenizer.pad_id, tokenizer.bos_id, tokenizer.unk_id}
        forbidden_ids = tuple(sorted(special - {tokenizer.eos_id}))
        return cls(bos_id=tokenizer.bos_id, eos_id=tokenizer.eos_id, forbidden_ids=forbidden_ids)


def check_ids(name: str, ids: Sequence[int], vocab_size: int) -> None:
    """Refuse no ids at all, and ids that are not in the vocabulary.

    Raises:
        ValueError: says so, under that name.
    """
    if not ids or not 0 <= min(ids) <= max(ids) < vocab_size:
        raise ValueError(f"{name} must be 1 or more in 0..{vocab_size - 1}: {ids}")
