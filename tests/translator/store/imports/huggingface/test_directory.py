"""Directories of transformers: what is read, and what is refused by name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.translator.store.imports.foreign import (
    FOLDERS,
    foreign_model,
    m2m100_folder,
    marian_folder,
    model_of,
    own_model,
)
from translator.errors import ImportedModelError
from translator.store.imports.huggingface import (
    fairseq_vocabulary,
    marian_vocabulary,
    model_config,
    own_weights,
    read_huggingface,
)
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
    for name, tensor in model_of(imported).state_dict().items():
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


def test_separate_matrices_stay_separate() -> None:
    names = set(own_model(foreign_model("marian-separate")).state_dict())
    assert {"embedding.weight", "decoder_embedding.weight", "output_bias"} <= names
    assert "output" not in names


def test_a_layer_without_a_place_is_named() -> None:
    foreign = foreign_model("m2m100")
    name = "model.encoder.layernorm_embedding.weight"
    tensors = {**foreign.state_dict(), name: torch.ones(32)}
    with pytest.raises(ImportedModelError, match=f"{name}: this project's model has no such layer"):
        own_weights(tensors, model_config(foreign.config.to_dict()))


def test_a_file_without_an_embedding_is_refused() -> None:
    config = model_config(foreign_model("m2m100").config.to_dict())
    with pytest.raises(ImportedModelError, match=r"no model\.decoder\.embed_tokens\.weight"):
        own_weights({}, config)


SIZES = {
    "d_model": 8,
    "vocab_size": 20,
    "pad_token_id": 1,
    "activation_function": "swish",
    **{f"{side}_ffn_dim": 16 for side in ("encoder", "decoder")},
    **{f"{side}_attention_heads": 2 for side in ("encoder", "decoder")},
    **{f"{side}_layers": 1 for side in ("encoder", "decoder")},
}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"model_type": "bart"}, "model_type is 'bart'; only marian .* can be imported"),
        ({"activation_function": "mish"}, "activation_function is 'mish'; only relu, "),
        ({"decoder_ffn_dim": 32}, "encoder_ffn_dim is 16 and decoder_ffn_dim 32"),
        ({"d_model": "8"}, "d_model must be a number, got '8'"),
        ({"d_model": 9}, "config.json: num_heads: must divide d_model = 9"),
    ],
)
def test_what_cannot_be_imported_is_named(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ImportedModelError, match=message):
        model_config(SIZES | {"model_type": "marian"} | changed)
