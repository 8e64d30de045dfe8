"""A sentence's shortlist has what is frequent and what belongs to its pieces, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
import safetensors.numpy

from translator.errors import ModelDirectoryError
from translator.tokens.shortlist import SHORTLIST, Shortlist


def row(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


LISTS = Shortlist(row(0, 1), row(0, 2, 2, 3), row(7, 5, 9))


def test_each_id_is_there_once_and_in_order() -> None:
    assert LISTS.of([1]).tolist() == [0, 1]
    assert LISTS.of([2, 0, 0, 1]).tolist() == [0, 1, 5, 7, 9]
    assert LISTS.of([0]).dtype == np.int64


def test_a_file_keeps_it() -> None:
    found = Shortlist.of_bytes(LISTS.to_bytes())
    for name in ("always", "starts", "ids"):
        np.testing.assert_array_equal(getattr(found, name), getattr(LISTS, name))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"abc", "damaged"),
        (safetensors.numpy.save({"ids": row(1)}), "must have rows of int32: always, starts, ids"),
        (
            safetensors.numpy.save(
                {n: np.zeros((1, 1), np.int32) for n in ("always", "starts", "ids")}
            ),
            "must have rows of int32",
        ),
        (safetensors.numpy.save({n: row() for n in ("always", "starts", "ids")}), "has no lists"),
    ],
)
def test_a_damaged_file_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(ModelDirectoryError, match=f"{SHORTLIST}: {message}"):
        Shortlist.of_bytes(content)


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        (LISTS, None),
        (Shortlist(row(0), row(0, 1), row(5)), "has lists for 1 source pieces, not 3"),
        (Shortlist(row(0), row(0, 2, 1, 3), row(7, 5, 9)), "its lists do not follow one another"),
        (Shortlist(row(0), row(0, 2, 2, 2), row(7, 5, 9)), "its lists do not follow one another"),
        (Shortlist(row(0), row(0, 2, 2, 3), row(7, 10, 9)), "has ids beyond the 10 pieces"),
        (Shortlist(row(0, -1), row(0, 2, 2, 3), row(7, 5, 9)), "has ids beyond the 10 pieces"),
        (Shortlist(row(1), row(0, 2, 2, 3), row(7, 5, 9)), "lacks the piece 0, which ends"),
    ],
)
def test_what_does_not_fit_is_told(lists: Shortlist, message: str | None) -> None:
    found = lists.problem(3, 10, 0)
    assert found is None if message is None else message in str(found)
