"""Encoded pairs, and the batches they are padded into."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.streams import write_encoded
from training.data.encoded import EncodedPair, make_batch
from translator.tokens.tokenizer import Tokenizer


def pair(src: list[int], tgt: list[int]) -> EncodedPair:
    return EncodedPair(src, tgt)


def test_input_is_the_output_shifted_behind_bos() -> None:
    batch = make_batch([pair([9, 8, 3], [5, 6, 3]), pair([9, 3], [3])], pad_id=0, bos_id=2)
    assert batch.tgt_in.tolist() == [[2, 5, 6], [2, 0, 0]]
    assert batch.tgt_out.tolist() == [[5, 6, 3], [3, 0, 0]]
    assert batch.src.tolist() == [[9, 8, 3], [9, 3, 0]]
    assert batch.src_mask.tolist() == [[[[True, True, True]]], [[[True, True, False]]]]
    assert batch.num_targets == 4


def test_widths_are_rounded_up_for_tensor_cores() -> None:
    batch = make_batch([pair([1] * 9, [1] * 3)], pad_id=0, bos_id=2, multiple_of=8)
    assert (batch.src.shape[1], batch.tgt_in.shape[1]) == (16, 8)


def test_a_corpus_on_disk_holds_both_directions(tmp_path: Path, tokenizer: Tokenizer) -> None:
    sides = {"de": ["Der Hund.", ""], "en": ["The dog.", "The cat sees."]}
    corpus = write_encoded(tmp_path, tokenizer, sides, ["de-en", "en-de"])
    assert len(corpus) == 4
    assert corpus[0].src == tokenizer.encode_source("Der Hund.", "en")
    assert corpus[0].tgt == [*tokenizer.encode("The dog."), tokenizer.eos_id]
    assert corpus[1].src == [tokenizer.tag_id("en"), tokenizer.eos_id]
    assert corpus[2].src == tokenizer.encode_source("The dog.", "de")
    assert corpus[3].tgt == [tokenizer.eos_id]
    assert corpus.lengths[:, 1].tolist() == [2, len(corpus[1].tgt)]


def test_special_pieces_in_the_text_end_nothing(tmp_path: Path, tokenizer: Tokenizer) -> None:
    sides = {"de": ["a </s> b"], "en": ["<pad> </s>"]}
    stored = write_encoded(tmp_path, tokenizer, sides, ["de-en"])[0]
    assert stored.src.count(tokenizer.eos_id) == 1
    assert stored.tgt.count(tokenizer.eos_id) == 1
    assert tokenizer.pad_id not in stored.tgt
    assert tokenizer.decode(stored.tgt) == "<pad> </s>"
    batch = make_batch([stored], tokenizer.pad_id, tokenizer.bos_id)
    assert batch.tgt_out[0, -1] == tokenizer.eos_id
    assert batch.src_mask.all()


def test_sides_of_different_length_are_refused(tmp_path: Path, tokenizer: Tokenizer) -> None:
    sides = {"de": ["a", "b"], "en": ["a"]}
    with pytest.raises(ValueError, match=r"de and .*en are not aligned"):
        write_encoded(tmp_path, tokenizer, sides, ["de-en"])
