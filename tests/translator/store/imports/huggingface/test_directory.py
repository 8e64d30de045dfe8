"""Directories of `transformers` become model directories, or are refused by name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.translator.store.imports.foreign import FOLDERS, m2m100_folder, marian_folder
from translator.errors import ImportedModelError
from translator.store.imports.huggingface.directory import read_huggingface
from translator.store.model_directory import load_model_directory


@pytest.mark.parametrize("kind", FOLDERS)
def test_an_imported_model_is_a_model_directory(kind: str, tmp_path: Path) -> None:
    FOLDERS[kind](tmp_path / "theirs")
    imported = read_huggingface(tmp_path / "theirs")
    imported.save(tmp_path / "model", {"licence": "CC-BY"})
    loaded = load_model_directory(tmp_path / "model")
    assert loaded.description == imported.description
    assert loaded.tokenizer.files == imported.vocabulary.files
    assert loaded.card["licence"] == "CC-BY"
    assert loaded.card["imported"]["weights"]["file"] == "model.safetensors"
    for name, tensor in imported.load().model.state_dict().items():
        assert torch.equal(tensor, loaded.model.state_dict()[name]), name


def test_languages_have_the_names_of_this_project(tmp_path: Path) -> None:
    marian_folder(tmp_path / "one")
    assert read_huggingface(tmp_path / "one").description.directions == ("de-en",)
    marian_folder(tmp_path / "tags", tags=("fra", "eng", "cmn_Hant"))
    description = read_huggingface(tmp_path / "tags").description
    assert [*description.pairs] == [("de", "fr"), ("de", "en"), ("de", "zh-Hant")]
    m2m100_folder(tmp_path / "nllb", is_nllb=True)
    description = read_huggingface(tmp_path / "nllb").description
    assert description.languages == ("de", "en", "zh")
    assert description.directions == ("*",)
    assert ("zh", "de") in description.pairs


def test_text_comes_back_from_its_ids(tmp_path: Path) -> None:
    m2m100_folder(tmp_path / "nllb", is_nllb=True)
    vocabulary = read_huggingface(tmp_path / "nllb").vocabulary
    ids = vocabulary.encode_source("bade kilo.", "en", "de")
    assert vocabulary.source_pieces(ids)[0] == "deu_Latn"
    assert vocabulary.source_pieces(ids)[-1] == "</s>"
    assert vocabulary.decode_source(ids) == "bade kilo."
    assert vocabulary.pieces(vocabulary.start_ids("zh")) == ["</s>", "zho_Hans"]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("config.json", {"model_type": "bart"}, "model_type is 'bart'; only marian"),
        ("config.json", {"activation_function": "mish"}, "activation_function is 'mish'"),
        ("config.json", {"decoder_ffn_dim": 7}, "encoder_ffn_dim is 48 and decoder_ffn_dim 7"),
        ("config.json", {"d_model": "wide"}, "d_model must be a number, got 'wide'"),
        ("config.json", {"d_model": 64}, "has the shape .* the configuration says"),
        ("config.json", {"encoder_layers": 3}, "lacks the weights of encoder_layers.2"),
        ("config.json", {"encoder_layers": 10**9}, "too few for 1000000002 layers"),
        ("generation_config.json", {"bad_words_ids": [[10**6]]}, "bad_words_ids has 1000000"),
        ("generation_config.json", {"num_beams": 10**6}, "beam_size: must be in"),
        ("vocab.json", {"one more": 10**6}, "its ids are not 0 to"),
        ("vocab.json", {"a": 0, "</s>": 1, "<unk>": 2}, "its ids are not"),
    ],
)
def test_a_mixed_up_directory_is_refused(
    name: str, change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    marian_folder(tmp_path / "theirs")
    table = json.loads((tmp_path / "theirs" / name).read_text())
    (tmp_path / "theirs" / name).write_text(json.dumps(table | change))
    with pytest.raises(ImportedModelError, match=message):
        read_huggingface(tmp_path / "theirs").save(tmp_path / "model", {})
    assert not (tmp_path / "model").exists()


def test_a_vocabulary_of_the_wrong_size_is_refused(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    path = tmp_path / "theirs" / "vocab.json"
    table = json.loads(path.read_text())
    path.write_text(json.dumps({piece: i for piece, i in table.items() if i < len(table) - 1}))
    with pytest.raises(ImportedModelError, match="they do not belong together"):
        read_huggingface(tmp_path / "theirs")


def test_mixed_up_tensors_are_refused(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    imported = read_huggingface(tmp_path / "theirs")
    swapped = dict(imported.weights)
    first, second = (
        "encoder_layers.0.feed_forward.inner_proj.weight",
        "encoder_layers.0.feed_forward.out_proj.weight",
    )
    swapped[first], swapped[second] = swapped[second], swapped[first]
    with pytest.raises(ImportedModelError, match=r"inner_proj.weight has the shape \(32, 48\)"):
        replace(imported, weights=swapped).save(tmp_path / "model", {})
