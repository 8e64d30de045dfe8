"""What every reader of a format promises, shown by the smallest of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from translator.documents import document as documents
from translator.documents.document import FileDocument, Piece, Prose, TextDocument, TextUnit, Unit
from translator.errors import InputError
from translator.text.marked import MarkedText


class Around:
    """A unit with another one inside."""

    def __init__(self, inside: Unit) -> None:
        self.marked, self.inner = MarkedText("around"), [inside]

    def render(self, translation: str) -> Iterator[Piece]:
        yield f"({translation} "
        yield from self.inner
        yield ")"


def unit(text: str, original: str | None = None) -> TextUnit:
    return TextUnit(MarkedText(text), original, lambda translation: f"<{translation}>")


def document(content: Sequence[Piece]) -> FileDocument:
    return FileDocument(content, "a.txt", str.encode)


def test_a_translation_is_written_and_the_text_itself_stays_as_it_stands() -> None:
    found = document(["a ", unit("b", "B!"), " c"])
    assert found.rebuild(["b"]) == b"a B! c"
    assert found.rebuild(["x"]) == b"a <x> c"


def test_an_empty_place_is_filled_even_with_the_text_itself() -> None:
    assert document([unit("b")]).rebuild(["b"]) == b"<b>"


def test_units_inside_units_are_translated_too() -> None:
    found = document([Around(unit("inside")), "."])
    assert [text.text for text in found.units] == ["around", "inside"]
    assert found.rebuild(["A", "I"]) == b"(A <I>)."


def test_prose_stands_as_it_is() -> None:
    found = TextDocument(["<", Prose(MarkedText("a\n b ")), ">"])
    assert [one.text for one in found.units] == ["a\n b "]
    assert found.rebuild([" x"]) == "< x>"


def test_a_unit_that_stands_twice_is_translated_once() -> None:
    around = Around(unit("b"))
    around.inner *= 2
    found = document([around])
    assert [one.text for one in found.units] == ["around", "b"]
    assert found.rebuild(["x", "y"]) == b"(x <y><y>)"


def test_there_must_be_a_translation_for_each_unit() -> None:
    with pytest.raises(ValueError, match="one translation per unit: 1 units, got 2 translations"):
        document([unit("b")]).rebuild(["x", "y"])
    with pytest.raises(ValueError, match="one translation per unit: 2 units, got 1 translations"):
        document([unit("b"), unit("c")]).rebuild(["x"])
    with pytest.raises(ValueError, match="one translation per unit: 0 units, got 1 translations"):
        document(["b"]).rebuild(["x"])


def test_reading_ends_at_the_first_unit_that_is_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_UNITS", 2)
    taken = (unit("a") for _ in range(10))
    with pytest.raises(InputError, match=r"^a\.txt: has more than 2 texts to translate; split"):
        FileDocument(taken, "a.txt", str.encode)
    assert len([*taken]) == 7
    with pytest.raises(InputError, match=r"^a\.txt: has more than 2 texts"):
        document([Around(Around(unit("b")))])
    assert len(document(["a", unit("b"), "c", unit("d")]).units) == 2
