"""What every reader of a format promises, shown by the smallest of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest

from translator.text.formats.document import Document
from translator.text.marked import MarkedText


@dataclass
class Lines:
    """A document whose lines are its units."""

    text: str

    @property
    def units(self) -> Sequence[MarkedText]:
        return [MarkedText(line) for line in self.text.split("\n")]

    def rebuild(self, translations: Iterable[str]) -> str:
        pairs = zip(self.units, translations, strict=True)
        return "\n".join(translation for _, translation in pairs)


def test_units_rebuild_the_document() -> None:
    document: Document[str] = Lines("a\n\nb")
    assert document.rebuild([unit.text for unit in document.units]) == "a\n\nb"
    assert document.rebuild(["A", "", "B"]) == "A\n\nB"
    with pytest.raises(ValueError, match="shorter"):
        document.rebuild(["A"])
