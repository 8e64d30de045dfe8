"""The form of a MarianMT, M2M100 or NLLB model, from the `config.json` of `transformers`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from translator.config import Activation, ModelConfig
from translator.errors import ConfigError, ImportedModelError

MARIAN, FAIRSEQ = "marian", "m2m_100"
"""Values of `model_type`; NLLB's dense models say that they are M2M100."""

ACTIVATIONS: dict[str, Activation] = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}
SAME_ON_BOTH_SIDES = ("ffn_dim", "attention_heads")


def model_config(table: Mapping[str, Any]) -> ModelConfig:
    """Return the configuration of the same model here.

    Args:
        table: contents of `config.json`.

    Raises:
        ImportedModelError: the model is of another kind, or has something that ours has not; the
            message names it.
    """
    kind = table.get("model_type")
    if kind not in (MARIAN, FAIRSEQ):
        raise ImportedModelError(
            f"config.json: model_type is {kind!r}; only marian (OPUS-MT) and m2m_100 (M2M100, "
            "dense NLLB) can be imported"
        )
    activation = ACTIVATIONS.get(str(table.get("activation_function")))
    if activation is None:
        known = ", ".join(ACTIVATIONS)
        raise ImportedModelError(
            f"config.json: activation_function is {table.get('activation_function')!r}; "
            f"only {known} are known"
        )
    for name in SAME_ON_BOTH_SIDES:
        encoder, decoder = (_int(table, f"{side}_{name}") for side in ("encoder", "decoder"))
        if encoder != decoder:
            raise ImportedModelError(
                f"config.json: encoder_{name} is {encoder} and decoder_{name} {decoder}; they "
                "must be the same"
            )
    try:
        return ModelConfig(
            d_model=_int(table, "d_model"),
            d_ff=_int(table, "encoder_ffn_dim"),
            num_heads=_int(table, "encoder_attention_heads"),
            num_encoder_layers=_int(table, "encoder_layers"),
            num_decoder_layers=_int(table, "decoder_layers"),
            activation=activation,
            scale_embedding=bool(table.get("scale_embedding", kind == FAIRSEQ)),
            **(_marian(table) if kind == MARIAN else _fairseq(table)),
        )
    except ConfigError as error:
        raise ImportedModelError(f"config.json: {'; '.join(error.problems)}") from error


def _marian(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is Marian's own: post-norm, a bias of the logits, perhaps two vocabularies."""
    vocab_size = _int(table, "vocab_size")
    target_size = table.get("decoder_vocab_size") or vocab_size
    is_shared = bool(table.get("share_encoder_decoder_embeddings", True))
    is_tied = bool(table.get("tie_word_embeddings", True))
    return {
        "vocab_size": target_size,
        "source_vocab_size": 0 if is_shared or target_size == vocab_size else vocab_size,
        "pad_id": _int(table, "pad_token_id"),
        "norm": "post",
        "positions": "sinusoidal_halves",
        "output_bias": True,
        "tied": ("all" if is_shared else "target") if is_tied else "none",
    }


def _fairseq(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is fairseq's own: pre-norm, positions that begin behind the pad id."""
    pad_id = _int(table, "pad_token_id")
    return {
        "vocab_size": _int(table, "vocab_size"),
        "pad_id": pad_id,
        "norm": "pre",
        "positions": "sinusoidal_fairseq",
        "position_offset": pad_id + 1,
        "tied": "all" if table.get("tie_word_embeddings", True) else "none",
    }


def _int(table: Mapping[str, Any], name: str) -> int:
    value = table.get(name)
    if type(value) is not int:
        raise ImportedModelError(f"config.json: {name} must be a number, got {value!r}")
    return value
