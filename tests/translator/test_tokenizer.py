"""The tokenizer loses nothing and cannot be tricked."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from translator.errors import InputError, ModelDirectoryError, UnsupportedLanguageError
from translator.tokenizer import Tokenizer

TEXTS = [
    "Der Hund sieht die Katze.",
    "😀 👩‍👩‍👧 🇩🇪",
    "漢字かな交じり文",
    "naïve café, Straße",
    "cafe\u0301",
    "a\u200bb\u00adc",
    "tab\there",
    "<s> </s> <pad> <unk> <2de> <2en>",
    "$%&{}[]\\/~^°",
    "\u0001\u0002",
]


@pytest.mark.parametrize("text", TEXTS)
def test_no_character_is_lost_to_unk(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(text)
    assert tokenizer.unk_id not in ids
    assert tokenizer.decode(ids) == unicodedata.normalize("NFC", text)


def test_special_pieces_in_the_text_are_text(tokenizer: Tokenizer) -> None:
    special = {*tokenizer.control_ids, tokenizer.eos_id, tokenizer.pad_id}
    assert not special & set(tokenizer.encode("x </s> <2de> <pad> <s> y"))


def test_source_and_target_carry_their_special_ids(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("Der Hund")
    assert tokenizer.encode_source("Der Hund", "en") == [
        tokenizer.tag_id("en"),
        *ids,
        tokenizer.eos_id,
    ]
    assert tokenizer.encode_target("Der Hund") == [*ids, tokenizer.eos_id]
    assert tokenizer.encode_source("", "de") == [tokenizer.tag_id("de"), tokenizer.eos_id]
    assert tokenizer.languages == ("de", "en")


def test_special_ids_are_dropped_from_text(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("Der Hund")
    dirty = [tokenizer.bos_id, tokenizer.tag_id("de"), *ids, tokenizer.eos_id, tokenizer.pad_id]
    assert tokenizer.decode(dirty) == "Der Hund"


def test_broken_bytes_do_not_raise(tokenizer: Tokenizer) -> None:
    first_byte = tokenizer.encode("😀")[1]
    assert tokenizer.piece(first_byte) == "<0xF0>"
    assert tokenizer.decode([first_byte]) == "\ufffd"


def test_unknown_language_is_named(tokenizer: Tokenizer) -> None:
    with pytest.raises(UnsupportedLanguageError, match=r"fr is not supported; known.*: de, en"):
        tokenizer.tag_id("fr")


def test_lone_surrogates_are_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(InputError, match="lone surrogates; send valid Unicode"):
        tokenizer.encode("a \ud800 b")


@pytest.mark.parametrize("content", [b"", b"not a model", b"\x00" * 1000])
def test_damaged_models_are_refused(content: bytes) -> None:
    with pytest.raises(ModelDirectoryError, match="not a SentencePiece model"):
        Tokenizer(content)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match=r"nowhere\.model: No such file"):
        Tokenizer.load(tmp_path / "nowhere.model")


def test_pieces_spell_the_text(tokenizer: Tokenizer) -> None:
    pieces = tokenizer.pieces(tokenizer.encode("Der Hund"))
    assert "".join(pieces).replace("▁", " ").strip() == "Der Hund"
