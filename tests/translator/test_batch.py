from __future__ import annotations

from translator.batch import pad, padding_mask


def test_padding_stands_at_the_end() -> None:
    assert pad([[1, 2, 3], [4], []], 0).tolist() == [[1, 2, 3], [4, 0, 0], [0, 0, 0]]
    assert pad([[1, 2, 3]], 9, multiple_of=8).tolist() == [[1, 2, 3, 9, 9, 9, 9, 9]]
    assert pad([[]], 0).shape == (1, 1)


def test_true_means_attend() -> None:
    assert padding_mask(pad([[5, 6], [7]], 0), 0).tolist() == [[[[True, True]]], [[[True, False]]]]
