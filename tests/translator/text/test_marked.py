"""Marks of a text are in order and lie in it."""

from __future__ import annotations

import pytest

from translator.text.marked import MarkedText


@pytest.mark.parametrize(
    "spans",
    [((3, 3),), ((2, 4), (3, 5)), ((4, 5), (0, 1)), ((7, 9),), ((-1, 2),)],
    ids=["empty", "overlap", "order", "behind the end", "before the start"],
)
def test_wrong_spans_are_named(spans: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match=rf"spans: \({spans[-1][0]}, {spans[-1][1]}\) must come"):
        MarkedText("Der Hund", spans)
