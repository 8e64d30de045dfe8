"""What a reader of a format returns: units to translate, and the way back."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from translator.text.marked import MarkedText

Content = TypeVar("Content", str, bytes, covariant=True)


class Document(Protocol[Content]):
    """A text or a file taken apart."""

    @property
    def units(self) -> Sequence[MarkedText]:
        """What to translate, in the order of the document."""
        ...

    def rebuild(self, translations: Iterable[str]) -> Content:
        """Return the document with a translation in the place of each unit.

        Args:
            translations: one for each of `units`, in order; they are asked for as they are needed.
                The units' own texts give the document as it was, byte for byte wherever the format
                allows that.

        Raises:
            ValueError: there are not as many translations as units.
        """
        ...


def as_many(translations: Iterable[str], count: int) -> Iterator[str]:
    """Yield translations, and see to it that there is one for each of so many units.

    Raises:
        ValueError: there are more or fewer.
    """
    found, every = 0, iter(translations)
    for translation in itertools.islice(every, count):
        found += 1
        yield translation
    found += sum(1 for _ in every)
    if found != count:
        raise ValueError(
            f"expected one translation per unit: {count} units, got {found} translations"
        )
