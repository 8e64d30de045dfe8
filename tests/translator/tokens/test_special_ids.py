"""The ids that decoding must know apart from text."""

from __future__ import annotations

import pytest

from translator.tokens.port import SpecialIds, check_ids
from translator.tokens.tokenizer import Tokenizer


def test_everything_but_text_and_eos_is_forbidden(tokenizer: Tokenizer) -> None:
    special = SpecialIds.of(tokenizer)
    assert (special.bos_id, special.eos_id) == (tokenizer.bos_id, tokenizer.eos_id)
    forbidden = {tokenizer.piece(piece_id) for piece_id in special.forbidden_ids}
    assert {"<pad>", "<s>", "<unk>", "<2de>", "<2en>"} <= forbidden
    assert special.eos_id not in special.forbidden_ids
    assert not {*special.forbidden_ids} & {*tokenizer.encode("Der Hund sieht die Katze 😀.")}
    assert list(special.forbidden_ids) == sorted(set(special.forbidden_ids))


@pytest.mark.parametrize("ids", [[0], [9], [0, 5, 9]])
def test_ids_of_the_vocabulary_pass(ids: list[int]) -> None:
    check_ids("source_ids", ids, 10)


@pytest.mark.parametrize("ids", [[], [-1], [10], [3, 10, 4], [3, -1]])
def test_other_ids_are_refused_by_name(ids: list[int]) -> None:
    with pytest.raises(ValueError, match=r"source_ids must be 1 or more in 0\.\.9: \["):
        check_ids("source_ids", ids, 10)
