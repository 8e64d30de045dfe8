"""Which target pieces the translation of a sentence may need: a lexical shortlist.

The output layer of a small model costs more than all its other layers together. A shortlist leaves
it a few hundred pieces instead of tens of thousands: those that are frequent, and those that word
alignments have seen opposite a piece of the source. A sentence has its own, so that its translation
does not depend on what it is translated with.

Source: Schwenk et al. 2007; Marian's `data/shortlist.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import safetensors
import safetensors.numpy

from translator.errors import ModelDirectoryError

SHORTLIST = "shortlist.safetensors"
"""File of a model directory."""

Ids = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Target pieces by source piece.

    Attributes:
        always: ids that every sentence may need; EOS is among them.
        starts: (source pieces + 1,) where the ids of each source piece begin; the last one ends.
        ids: of the target, those of one source piece after the other.
    """

    always: Ids
    starts: Ids
    ids: Ids

    def of(self, source_ids: Sequence[int]) -> npt.NDArray[np.int64]:
        """Return the ids that a sentence's translation may need, in order, each once."""
        parts = [self.ids[self.starts[i] : self.starts[i + 1]] for i in {*source_ids}]
        return np.unique(np.concatenate([self.always, *parts])).astype(np.int64)

    def problem(self, num_source_pieces: int, num_pieces: int, eos_id: int) -> str | None:
        """Return what is wrong with it for vocabularies of these sizes, or None."""
        if len(self.starts) != num_source_pieces + 1 or self.starts[0] != 0:
            return f"has lists for {len(self.starts) - 1} source pieces, not {num_source_pieces}"
        if (np.diff(self.starts) < 0).any() or self.starts[-1] != len(self.ids):
            return "its lists do not follow one another"
        for some in (self.always, self.ids):
            if len(some) and not (some.min() >= 0 and some.max() < num_pieces):
                return f"has ids beyond the {num_pieces} pieces of the target"
        if eos_id not in self.always:
            return f"lacks the piece {eos_id}, which ends a sentence"
        return None

    def to_bytes(self) -> bytes:
        """Return its file."""
        parts = {"always": self.always, "starts": self.starts, "ids": self.ids}
        return safetensors.numpy.save(parts)

    @classmethod
    def of_bytes(cls, content: bytes) -> Shortlist:
        """Read its file.

        Raises:
            ModelDirectoryError: it is damaged.
        """
        try:
            parts: dict[str, npt.NDArray[np.int32]] = safetensors.numpy.load(content)
        except (safetensors.SafetensorError, ValueError) as error:
            raise ModelDirectoryError(f"{SHORTLIST}: damaged ({error})") from error
        expected = {"always", "starts", "ids"}
        if parts.keys() != expected or any(
            one.dtype != np.int32 or one.ndim != 1 for one in parts.values()
        ):
            raise ModelDirectoryError(f"{SHORTLIST}: must have rows of int32: always, starts, ids")
        if not len(parts["starts"]):
            raise ModelDirectoryError(f"{SHORTLIST}: has no lists")
        return cls(**parts)
