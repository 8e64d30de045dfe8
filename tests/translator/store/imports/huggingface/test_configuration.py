"""The form of a model of `transformers`, and what is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from translator.errors import ImportedModelError
from translator.store.imports.huggingface.configuration import model_config

SIZES = {
    "d_model": 8,
    "vocab_size": 20,
    "pad_token_id": 1,
    "activation_function": "swish",
    **{f"{side}_ffn_dim": 16 for side in ("encoder", "decoder")},
    **{f"{side}_attention_heads": 2 for side in ("encoder", "decoder")},
    **{f"{side}_layers": 1 for side in ("encoder", "decoder")},
}


def test_marian_is_post_norm_with_positions_in_halves() -> None:
    config = model_config(SIZES | {"model_type": "marian", "scale_embedding": True})
    assert (config.norm, config.positions, config.activation) == (
        "post",
        "sinusoidal_halves",
        "silu",
    )
    assert (config.output_bias, config.scale_embedding, config.tied) == (True, True, "all")


def test_marian_may_have_two_vocabularies() -> None:
    own = {"decoder_vocab_size": 30, "share_encoder_decoder_embeddings": False}
    config = model_config(SIZES | {"model_type": "marian"} | own)
    assert (config.source_vocab_size, config.vocab_size, config.tied) == (20, 30, "target")


def test_positions_of_m2m100_begin_behind_the_pad_id() -> None:
    config = model_config(SIZES | {"model_type": "m2m_100", "activation_function": "relu"})
    assert (config.norm, config.positions, config.position_offset) == (
        "pre",
        "sinusoidal_fairseq",
        2,
    )


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
