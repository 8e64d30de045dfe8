"""The vocabulary: its special pieces, its bytes, and its refusal of what the text cannot bear."""

from __future__ import annotations

import io
import random
from typing import Any, Literal

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.toy import toy_pairs
from training.data.config import SubwordsConfig
from training.data.subwords import adopted_tokenizer, train_tokenizer, with_marks
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


def test_marks_take_the_place_of_the_rarest_signs() -> None:
    config = SubwordsConfig(vocab_size=320)
    rare = ["Ein ☃", *(f"{word}Ω" for word in ("das", "war", "ein", "nur") * 5)]
    before = train_tokenizer([*LINES, *rare], ["de", "en"], config)
    after = with_marks(before, ["formal"])
    assert after.vocab_size == before.vocab_size
    pieces = before.pieces(range(320)), after.pieces(range(320))
    changed = {old: new for old, new in zip(*pieces, strict=True) if old != new}
    assert changed == {"☃": "<formal>"}
    assert after.mark_id("formal") in after.forbidden_ids
    assert after.decode(after.encode("Ein ☃ und ein Ω")) == "Ein ☃ und ein Ω"
    assert after.encode(LINES[0]) == before.encode(LINES[0])
    assert with_marks(after, ["formal"]) is after


def test_a_vocabulary_without_rare_signs_has_no_room_for_marks() -> None:
    lines = [line.encode("ascii", "ignore").decode() for line in LINES]
    tokenizer = train_tokenizer(lines, ["de", "en"], SubwordsConfig(vocab_size=310))
    with pytest.raises(ConfigError, match="no room for <formal>, <informal>"):
        with_marks(tokenizer, ["formal", "informal"])


def foreign_model(**options: Any) -> bytes:
    """Return a SentencePiece model as others train it: no padding, no tags, BOS 1 and EOS 2."""
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(LINES), model_writer=content, minloglevel=2, **options
    )
    return content.getvalue()


FOREIGN = foreign_model(vocab_size=320, byte_fallback=True)
ADOPTED = adopted_tokenizer(FOREIGN, ["de", "en"], 2, ["synthetic"])


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(LINES))
def test_an_adopted_vocabulary_splits_as_it_always_did(text: str) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_proto=FOREIGN)
    ids = processor.EncodeAsIds(text)
    # this project brings text to NFC first, which the normal form of the model includes
    assert ADOPTED.encode(text) == ids
    assert ADOPTED.decode(ids) == processor.DecodeIds(ids)


def test_an_adopted_vocabulary_gets_what_training_needs() -> None:
    foreign = sentencepiece.SentencePieceProcessor(model_proto=FOREIGN)
    added = ADOPTED.pieces(range(foreign.vocab_size(), ADOPTED.vocab_size))
    assert added[:4] == ["<pad>", "<2de>", "<2en>", "<synthetic>"]
    assert ADOPTED.num_placeholders == 2
    assert (ADOPTED.unk_id, ADOPTED.bos_id, ADOPTED.eos_id) == (0, 1, 2)
    assert {ADOPTED.pad_id, ADOPTED.tag_id("de"), ADOPTED.mark_id("synthetic")} <= {
        *ADOPTED.forbidden_ids
    }
    assert adopted_tokenizer(ADOPTED.serialized, ["de", "en"], 2).vocab_size == ADOPTED.vocab_size


def test_what_cannot_be_adopted_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"subwords\.model: is not a SentencePiece model"):
        adopted_tokenizer(b"no model", ["de", "en"], 0)
    without_ends = foreign_model(vocab_size=60, bos_id=-1, eos_id=-1)
    tokenizer = adopted_tokenizer(without_ends, ["de", "en"], 0)
    assert tokenizer.pieces([tokenizer.bos_id, tokenizer.eos_id]) == ["<s>", "</s>"]
