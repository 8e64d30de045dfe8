"""The tokenizer loses nothing and cannot be tricked."""

from __future__ import annotations

import random
import unicodedata
from pathlib import Path

import pytest
import sentencepiece

from training.config import SubwordsConfig
from training.data.subwords import train_tokenizer
from translator.errors import InputError, ModelDirectoryError, UnsupportedLanguageError
from translator.tokens.port import SpecialIds, check_ids
from translator.tokens.tokenizer import WORD_START, Tokenizer

TEXTS = [
    *("Der Hund sieht die Katze.", "😀 👩‍👩‍👧 🇩🇪", "漢字かな交じり文"),
    *("naïve café, Straße", "cafe\u0301"),
    *("a\u200bb\u00adc", "tab\there", "<s> </s> <pad> <unk> <2de> <2en>", "$%&{}[]\\/~^°"),
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


def test_a_source_carries_its_special_ids(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("Der Hund")
    assert tokenizer.encode_source("Der Hund", "en") == [
        tokenizer.tag_id("en"),
        *ids,
        tokenizer.eos_id,
    ]
    assert tokenizer.encode_source("", "de") == [tokenizer.tag_id("de"), tokenizer.eos_id]
    assert tokenizer.languages == ("de", "en")


def test_special_ids_are_dropped_from_text(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("Der Hund")
    dirty = [tokenizer.bos_id, tokenizer.tag_id("de"), *ids, tokenizer.eos_id, tokenizer.pad_id]
    assert tokenizer.decode(dirty) == "Der Hund"


def test_pieces_in_any_order_are_the_text_that_sentencepiece_makes(tokenizer: Tokenizer) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_proto=tokenizer.serialized)
    pieces = [i for i in range(tokenizer.vocab_size) if not processor.IsByte(i)]
    spaces = [i for i in pieces if not tokenizer.piece(i).strip(WORD_START)]
    draw = random.Random(1)
    for _ in range(2000):
        ids = draw.choices(spaces, k=draw.randrange(3)) + draw.choices(pieces, k=draw.randrange(6))
        kept = [piece_id for piece_id in ids if piece_id not in tokenizer.control_ids]
        assert tokenizer.decode(ids) == processor.DecodeIds(kept)


def test_bytes_that_make_no_character_are_dropped(tokenizer: Tokenizer) -> None:
    _, *emoji = tokenizer.encode("😀")
    assert tokenizer.piece(emoji[0]) == "<0xF0>"
    dog, cat = tokenizer.encode("Der Hund"), tokenizer.encode("die Katze")
    assert tokenizer.decode([emoji[0]]) == ""
    assert tokenizer.decode([*dog, *emoji[:3], *cat]) == "Der Hund die Katze"
    assert tokenizer.decode([*dog, emoji[0], *emoji, emoji[1], *cat]) == "Der Hund😀 die Katze"
    assert tokenizer.decode(tokenizer.encode("ein \ufffd")) == "ein \ufffd"


def test_unknown_language_is_named(tokenizer: Tokenizer) -> None:
    with pytest.raises(UnsupportedLanguageError, match=r"fr is not supported; known.*: de, en"):
        tokenizer.tag_id("fr")


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


def test_every_kind_of_character_survives(tokenizer: Tokenizer) -> None:
    for first in range(1, 0x110000, 997):
        if 0xD800 <= first < 0xE000:
            continue
        text = unicodedata.normalize("NFC", f"a{chr(first)}b")
        if "\u2581" in text:  # SentencePiece's own sign for a space
            continue
        ids = tokenizer.encode(text)
        assert tokenizer.unk_id not in ids, hex(first)
        assert tokenizer.decode(ids) == text, hex(first)


def test_nothing_is_lost_but_surplus_spaces(tokenizer: Tokenizer) -> None:
    assert tokenizer.decode(tokenizer.encode("  Der   Hund ")) == "Der Hund"
    assert tokenizer.encode("") == tokenizer.encode("   ") == []
    for text in ("a\nb", "a\u00a0b", "a\u3000b", "\r\n", "a\x00b"):
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_composed_and_decomposed_letters_are_the_same(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode("ho\u0308rt") == tokenizer.encode("hört")


@pytest.mark.parametrize("surrogate", ["\ud83d", "\udfff\ud800"])
def test_lone_surrogates_are_an_input_error_wherever_text_comes_in(
    tokenizer: Tokenizer, surrogate: str
) -> None:
    for encode in (tokenizer.encode, lambda text: tokenizer.encode_source(text, "de")):
        with pytest.raises(InputError, match="lone surrogates; send valid Unicode"):
            encode(f"a{surrogate}b")


def test_any_order_of_bytes_is_some_text(tokenizer: Tokenizer) -> None:
    byte_ids = [i for i in range(tokenizer.vocab_size) if tokenizer.piece(i).startswith("<0x")]
    assert len(byte_ids) == 256
    generator = random.Random(0)
    for _ in range(200):
        text = tokenizer.decode(generator.choices(byte_ids, k=generator.randrange(1, 12)))
        assert text.encode("utf-8").decode("utf-8") == text


def test_a_truncated_model_is_refused(tokenizer: Tokenizer) -> None:
    content = tokenizer.serialized
    for length in (1, 100, len(content) // 2):
        with pytest.raises(ModelDirectoryError, match=r"tokenizer\.model"):
            Tokenizer(content[:length])


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match="Is a directory"):
        Tokenizer.load(tmp_path)


def test_lines_are_encoded_together_as_alone(tokenizer: Tokenizer) -> None:
    lines = ["Der Hund.", "", "e\u0301 und é", "😀 <2de>"] * 7
    together = list(tokenizer.encode_lines(iter(lines), at_once=5))
    assert together == [tokenizer.encode(line) for line in lines]
    with pytest.raises(InputError, match="lone surrogates"):
        list(tokenizer.encode_lines(["gut", "\ud800"]))


def test_it_knows_the_scripts_that_it_has_learned(tokenizer: Tokenizer) -> None:
    assert tokenizer.alphabet.scripts == {"LATIN"}
    first = [f"{one}о{two}а" for one in "бвгджзкл" for two in "мнпрстфх"]
    lines = [f"{word}ми {word}ть die {number}" for number, word in enumerate(first)]
    both = train_tokenizer(lines, ["ru", "de"], SubwordsConfig(vocab_size=310))
    assert both.alphabet.scripts == {"LATIN", "CYRILLIC"}


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
