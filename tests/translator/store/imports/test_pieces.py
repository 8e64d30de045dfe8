"""Lists of pieces are taken only if each id has one piece."""

from __future__ import annotations

import pytest
import torch

from translator.errors import ImportedModelError
from translator.store.imports.pieces import (
    filled,
    made_form,
    ordered,
    pieces_by_id,
    with_zero_piece,
    with_zero_row,
)


def test_pieces_stand_in_the_order_of_their_ids() -> None:
    assert ordered({"b": 1, "a": 0, "c": 2}, "vocab.json") == ["a", "b", "c"]
    assert pieces_by_id({"b": 1, "a": 0}, 2, "vocab.json") == ("a", "b")


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        (["a"], "vocab.json: must be a table from pieces to ids"),
        ({"a": True}, "vocab.json: must be a table from pieces to ids"),
        ({"a": 0, "b": 2}, "vocab.json: its ids are not 0 to 1, each once"),
        ({"a": 0, "b": 0}, "vocab.json: its ids are not 0 to 1, each once"),
        ({"a": 0}, "vocab.json: has 1 pieces, the model 2; they do not belong together"),
    ],
)
def test_a_list_with_gaps_or_of_another_size_is_refused(listed: object, message: str) -> None:
    with pytest.raises(ImportedModelError, match=message):
        pieces_by_id(listed, 2, "vocab.json")


def test_a_few_ids_at_the_end_may_lack_a_piece() -> None:
    assert filled(["a"], 3, "vocab.json") == ("a", "<unused 1>", "<unused 2>")
    for size in (0, 66):
        with pytest.raises(ImportedModelError, match=f"has 1 pieces, the model {size}"):
            filled(["a"], size, "vocab.json")


def test_a_wrong_form_is_told_in_one_line() -> None:
    with pytest.raises(ImportedModelError, match=r"^vocabulary: 7: must be an id below 3"):
        made_form(pieces=("a", "</s>", "<unk>"), pad_id=7, start=("</s>",))


def test_matrices_and_vectors_get_zeros() -> None:
    assert with_zero_row(torch.ones(2, 1), 1).tolist() == [[1], [0], [1]]
    found = with_zero_row(torch.ones(2, dtype=torch.float16), 2)
    assert (found.tolist(), found.dtype) == ([1, 1, 0], torch.float16)


def test_its_name_is_one_that_no_piece_has() -> None:
    assert with_zero_piece(["a", "b"], 1) == ("a", "<pad>", "b")
    assert with_zero_piece(["<pad>", "b"], 2) == ("<pad>", "b", "<<pad>>")
