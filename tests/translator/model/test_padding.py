"""Sentences of unequal length in a rectangle, by hand."""

from __future__ import annotations

import pytest
import torch

from translator.model.padding import pad, padding_mask


def test_shorter_ones_are_filled_up_at_the_end() -> None:
    found = pad([[5, 6, 7], [], [8]], pad_id=1)
    assert found.dtype == torch.int64
    assert found.tolist() == [[5, 6, 7], [1, 1, 1], [8, 1, 1]]


@pytest.mark.parametrize(
    ("lengths", "multiple_of", "width"),
    [([3], 1, 3), ([3], 8, 8), ([8, 2], 8, 8), ([9], 8, 16), ([0, 0], 1, 1), ([0], 4, 4)],
)
def test_the_width_is_a_multiple_and_never_nothing(
    lengths: list[int], multiple_of: int, width: int
) -> None:
    found = pad([[9] * length for length in lengths], 0, multiple_of)
    assert found.shape == (len(lengths), width)
    assert (found == 9).sum(dim=1).tolist() == lengths


def test_no_sentences_at_all() -> None:
    assert pad([], 0).shape == (0, 1)


def test_the_mask_is_true_where_something_stands() -> None:
    mask = padding_mask(pad([[5, 6, 7], [8]], pad_id=1), pad_id=1)
    assert mask.shape == (2, 1, 1, 3)
    assert mask[:, 0, 0].tolist() == [[True, True, True], [True, False, False]]
