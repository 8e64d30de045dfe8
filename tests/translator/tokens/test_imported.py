"""Vocabularies of other projects: what stands around a text, and forms that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.translator.store.imports.foreign import piece_model, pieces_of
from translator.errors import ConfigError, InputError, ModelDirectoryError, UnsupportedLanguageError
from translator.tokens.imported import ImportedVocabulary, VocabularyForm
from translator.tokens.port import SpecialIds

PIECES = ("</s>", "<unk>", "<pad>", ">>fra<<", *pieces_of(piece_model()))


def form(**changed: Any) -> VocabularyForm:
    given: dict[str, Any] = {
        "pieces": PIECES,
        "pad_id": 2,
        "before": ("{target}",),
        "start": ("<pad>",),
        "languages": {"fr": ">>fra<<"},
        "forbidden_ids": (2,),
    }
    return VocabularyForm(**given | changed)


def test_a_sentence_becomes_ids_and_comes_back() -> None:
    vocabulary = ImportedVocabulary(form(), piece_model())
    ids = vocabulary.encode_source("bade kilo.", "fr", "de")
    assert (ids[0], ids[-1]) == (3, 0)
    assert vocabulary.frame == (1, 1)
    assert vocabulary.decode(ids) == vocabulary.decode_source(ids) == "bade kilo."
    assert vocabulary.start_ids("fr") == (2,)
    assert SpecialIds.of(vocabulary) == SpecialIds(bos_id=2, eos_id=0, forbidden_ids=(2,))
    assert vocabulary.encode("§")[-1] == vocabulary.unk_id


def test_what_is_saved_is_read() -> None:
    vocabulary = ImportedVocabulary(form(), piece_model(0), piece_model(1))
    again = ImportedVocabulary.of_files(vocabulary.files)
    assert again.form == vocabulary.form
    assert again.files == vocabulary.files
    assert not again.is_shared


def test_a_language_that_it_has_not_is_refused() -> None:
    vocabulary = ImportedVocabulary(form(), piece_model())
    with pytest.raises(UnsupportedLanguageError, match="xx is not supported; known languages: fr"):
        vocabulary.encode_source("ba", "xx")
    with pytest.raises(InputError, match="lone surrogates"):
        vocabulary.encode("\ud800")


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"pieces": ("</s>", "<unk>", "<pad>", ">>fra<<", "a", "a")}, "pieces: some .* twice"),
        ({"pad_id": 10**6}, "1000000: must be an id below"),
        ({"forbidden_ids": (-1,)}, "-1: must be an id below"),
        ({"eos": "<end>"}, "target: lacks the piece '<end>'"),
        ({"languages": {"de": ">>deu<<"}}, "source: lacks the piece '>>deu<<'"),
        ({"start": ()}, "start: must be 1 or 2 pieces"),
        ({"start": ("<pad>", "</s>", "<unk>")}, "start: must be 1 or 2 pieces"),
    ],
)
def test_a_form_that_cannot_be_is_refused(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        form(**changed)


@pytest.mark.parametrize("damaged", [b"", b"\x00\x01", b"{}"])
def test_what_is_no_sentencepiece_model_is_refused(damaged: bytes) -> None:
    with pytest.raises(ModelDirectoryError, match=r"tokenizer.model: not a SentencePiece model"):
        ImportedVocabulary(form(), damaged)
    with pytest.raises(ModelDirectoryError, match=r"vocabulary.json: "):
        ImportedVocabulary.of_files({"vocabulary.json": damaged, "tokenizer.model": piece_model()})
