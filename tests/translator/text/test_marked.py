"""Marks of a text are in order and lie in it."""

from __future__ import annotations

import pytest

from translator.text.marked import MarkedText, as_marked


def test_a_plain_text_has_no_marks() -> None:
    assert as_marked("Der Hund") == MarkedText("Der Hund", ())
    marked = MarkedText("<b>Der</b>", ((0, 3), (6, 10)))
    assert as_marked(marked) is marked


@pytest.mark.parametrize(
    "spans",
    [((3, 3),), ((2, 4), (3, 5)), ((4, 5), (0, 1)), ((7, 9),), ((-1, 2),)],
    ids=["empty", "overlap", "order", "behind the end", "before the start"],
)
def test_wrong_spans_are_named(spans: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match=rf"spans: \({spans[-1][0]}, {spans[-1][1]}\) must come"):
        MarkedText("Der Hund", spans)
