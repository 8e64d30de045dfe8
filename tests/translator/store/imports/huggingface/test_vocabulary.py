"""Vocabularies of Hugging Face directories: languages, start ids, and what does not fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.translator.store.imports.foreign import m2m100_folder, marian_folder
from translator.errors import ImportedModelError
from translator.store.imports.huggingface.configuration import model_config
from translator.store.imports.huggingface.vocabulary import fairseq_vocabulary, marian_vocabulary


def test_marian_starts_with_pad_and_may_be_told_its_languages(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    table = json.loads((tmp_path / "theirs/config.json").read_text())
    config = model_config(table)
    vocabulary, pairs = marian_vocabulary(tmp_path / "theirs", config, table, {}, ("de", "en"))
    assert [*pairs] == [("de", "en")]
    assert vocabulary.start_ids("en") == (config.pad_id,)
    assert vocabulary.forbidden_ids == (config.pad_id,)
    wrong = {"bad_words_ids": [[config.vocab_size]]}
    with pytest.raises(ImportedModelError, match=r"bad_words_ids has .*, which is no id"):
        marian_vocabulary(tmp_path / "theirs", config, table, wrong, ("de", "en"))


def test_marian_puts_the_target_language_before_a_text(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs", tags=("fra", "eng"))
    table = json.loads((tmp_path / "theirs/config.json").read_text())
    found = marian_vocabulary(tmp_path / "theirs", model_config(table), table, {}, ("de", "mul"))
    vocabulary, pairs = found
    assert [*pairs] == [("de", "fr"), ("de", "en")]
    ids = vocabulary.encode_source("ba", "fr", "de")
    assert vocabulary.source_pieces(ids)[0] == ">>fra<<"


@pytest.mark.parametrize("is_nllb", [False, True])
def test_fairseq_starts_with_the_end_and_the_target_language(tmp_path: Path, is_nllb: bool) -> None:
    m2m100_folder(tmp_path / "theirs", is_nllb)
    config = model_config(json.loads((tmp_path / "theirs/config.json").read_text()))
    vocabulary = fairseq_vocabulary(tmp_path / "theirs", config)
    token = {"en": "eng_Latn", "de": "deu_Latn"} if is_nllb else {"en": "__en__", "de": "__de__"}
    assert vocabulary.pieces(vocabulary.start_ids("en")) == ["</s>", token["en"]]
    source = vocabulary.source_pieces(vocabulary.encode_source("ba", "en", "de"))
    assert (source[0], source[-1]) == (token["de"], "</s>")
