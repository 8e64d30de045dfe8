"""Imported weights compute what `transformers` computes with them."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tests.translator.store.imports.foreign import foreign_model, own_model
from translator.errors import ImportedModelError
from translator.store.imports.huggingface.configuration import model_config
from translator.store.imports.huggingface.weights import own_weights


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
