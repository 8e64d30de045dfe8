"""What a reader of a format returns: units to translate, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from translator.text.marked import MarkedText

Content = TypeVar("Content", str, bytes, covariant=True)


class Document(Protocol[Content]):
    """A text or a file taken apart."""

    @property
    def units(self) -> Sequence[MarkedText]:
        """What to translate, in the order of the document."""
        ...

    def rebuild(self, translations: Sequence[str]) -> Content:
        """Return the document with a translation in the place of each unit.

        Args:
            translations: one for each of `units`, in order. The units' own texts give the document
                as it was, byte for byte wherever the format allows that.

        Raises:
            ValueError: there are not as many translations as units.
        """
        ...
