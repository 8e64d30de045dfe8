"""The vocabulary: its special pieces, its bytes, and its refusal of what the text cannot bear."""

from __future__ import annotations

import random
from typing import Literal

import pytest

from tests.toy import toy_pairs
from training.data.config import SubwordsConfig
from training.data.subwords import train_tokenizer
from translator.errors import ConfigError
from translator.tokens.tokenizer import Tokenizer

LINES = [line for pair in toy_pairs(200, random.Random(0)) for line in pair]


@pytest.mark.parametrize("algorithm", ["unigram", "bpe"])
def test_size_special_pieces_and_bytes(algorithm: Literal["unigram", "bpe"]) -> None:
    config = SubwordsConfig(vocab_size=320, algorithm=algorithm)
    tokenizer = train_tokenizer(LINES, ["de", "en"], config)
    assert tokenizer.vocab_size == 320
    assert tokenizer.pieces(range(6)) == ["<pad>", "<unk>", "<s>", "</s>", "<2de>", "<2en>"]
    assert (tokenizer.pad_id, tokenizer.unk_id, tokenizer.bos_id, tokenizer.eos_id) == (0, 1, 2, 3)
    pieces = set(tokenizer.pieces(range(320)))
    assert {f"<0x{byte:02X}>" for byte in range(256)} <= pieces
    assert tokenizer.decode(tokenizer.encode("Zürich 漢")) == "Zürich 漢"


def test_the_same_text_gives_the_same_vocabulary(tokenizer: Tokenizer) -> None:
    lines = [line for pair in toy_pairs(300, random.Random(0)) for line in pair]
    again = train_tokenizer(lines, ["de", "en"], SubwordsConfig(vocab_size=330))
    assert again.serialized == tokenizer.serialized


@pytest.mark.parametrize(
    ("vocab_size", "reason"),
    [
        (60_000, r"Vocabulary size too high \(60000\).*<= \d+"),
        (10, "smaller than required_chars"),
    ],
)
def test_a_size_that_does_not_fit_is_refused(vocab_size: int, reason: str) -> None:
    match = rf"subwords\.vocab_size: {vocab_size} does not fit: .*{reason}"
    with pytest.raises(ConfigError, match=match):
        train_tokenizer(LINES, ["de", "en"], SubwordsConfig(vocab_size=vocab_size))
