"""A piece more, which says nothing."""

from __future__ import annotations

import torch

from translator.store.imports.zero_row import with_zero_piece, with_zero_row


def test_matrices_and_vectors_get_zeros() -> None:
    assert with_zero_row(torch.ones(2, 1), 1).tolist() == [[1], [0], [1]]
    found = with_zero_row(torch.ones(2, dtype=torch.float16), 2)
    assert (found.tolist(), found.dtype) == ([1, 1, 0], torch.float16)


def test_its_name_is_one_that_no_piece_has() -> None:
    assert with_zero_piece(["a", "b"], 1) == ("a", "<pad>", "b")
    assert with_zero_piece(["<pad>", "b"], 2) == ("<pad>", "b", "<<pad>>")
