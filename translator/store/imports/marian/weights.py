"""A Marian model as this project's: its form, from the YAML inside its weights, and its weights.

Marian's decoder begins with a vector of zeros where others have a piece, and fills its batches with
no piece at all. Here a piece stands for both, whose row of every matrix is zero.

Source: `models/transformer.h` of Marian; transformers' `convert_marian_to_pytorch.py`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from translator.config import Activation, DecoderKind, ModelConfig, NormPlacement
from translator.errors import ImportedModelError
from translator.store.imports.marian.arrays import Arrays
from translator.store.imports.marian.flat_yaml import Table
from translator.store.imports.pieces import with_zero_row
from translator.store.imports.reading import refused_at

CONFIG = "special:model.yml"
ACTIVATIONS: dict[str, Activation] = {"relu": "relu", "swish": "silu"}
"""Marian's `gelu` is none of ours: it is x · sigmoid(1.702 x)."""

NEEDED = {
    "type": ("transformer",),
    "transformer-no-projection": ("false",),
    "transformer-ffn-depth": ("2",),
    "transformer-decoder-ffn-depth": ("0", "2"),
    "transformer-tied-layers": ("",),
    "transformer-no-affine": ("false",),
    "transformer-no-bias": ("false",),
    "transformer-rnn-projection": ("false",),
    "transformer-postprocess-emb": ("d", ""),
    "right-left": ("false",),
    "ulr": ("false",),
    "lemma-dim-emb": ("0",),
    "factors-combine": ("sum",),
}
"""Settings with the values that ours can have, the usual one first."""

DECODERS: dict[str, DecoderKind] = {"self-attention": "self_attention", "rnn of ssru": "ssru"}
"""By `transformer-decoder-autoreg`, and what a recurrent one is made of."""

_NORMS: dict[tuple[str, str, str], NormPlacement] = {("", "an", ""): "post", ("n", "a", "n"): "pre"}
"""By what is done before a layer, behind it, and at the end; `a` adds, `n` normalises."""


def model_form(table: Table) -> dict[str, Any]:
    """Return the fields of `ModelConfig` that the YAML tells; the weights tell the others."""
    for name, values in NEEDED.items():
        value = table.get(name, values[0])
        if (",".join(value) if isinstance(value, list) else value) not in values:
            raise ImportedModelError(
                f"{CONFIG}: {name} is {value!r}; only {values[0] or 'none'} can be imported"
            )
    autoreg = scalar(table, "transformer-decoder-autoreg", "self-attention")
    kind = f"rnn of {scalar(table, 'dec-cell', 'gru')}" if autoreg == "rnn" else autoreg
    if kind not in DECODERS:
        raise ImportedModelError(
            f"{CONFIG}: transformer-decoder-autoreg is {kind!r}; only {', '.join(DECODERS)} "
            "can be imported"
        )
    activation = ACTIVATIONS.get(scalar(table, "transformer-ffn-activation", "swish"))
    if activation is None:
        raise ImportedModelError(
            f"{CONFIG}: transformer-ffn-activation is {table['transformer-ffn-activation']!r}; "
            f"only {', '.join(ACTIVATIONS)} are known"
        )
    names = ("transformer-preprocess", "transformer-postprocess", "transformer-postprocess-top")
    steps = [scalar(table, name, usual) for name, usual in zip(names, ("", "dan", ""), strict=True)]
    norm = _NORMS.get((steps[0].replace("d", ""), steps[1].replace("d", ""), steps[2]))
    if norm is None:
        written = ", ".join(f"{name} {step!r}" for name, step in zip(names, steps, strict=True))
        raise ImportedModelError(
            f"{CONFIG}: {written}; norms must be behind every layer ('', 'dan', '') or before it "
            "('n', 'da', 'n')"
        )
    return {
        "num_heads": int(number(table, "transformer-heads")),
        "num_encoder_layers": int(number(table, "enc-depth")),
        "num_decoder_layers": int(number(table, "dec-depth")),
        "activation": activation,
        "norm": norm,
        "decoder": DECODERS[kind],
    }


def scalar(table: Table, name: str, otherwise: str, place: str = CONFIG) -> str:
    """Return a setting that is no list; `place` is the file, for messages."""
    value = table.get(name, otherwise)
    if isinstance(value, list):
        raise ImportedModelError(f"{place}: {name} must be one value, got {value!r}")
    return value


def number(table: Table, name: str, place: str = CONFIG) -> float:
    """Return a setting that is a number; see `scalar`."""
    text = scalar(table, name, "", place)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ImportedModelError(f"{place}: {name} must be a number, got {text!r}")
    return value


POSITIONS = "Wpos"
LOGITS = "decoder_ff_logit_out"
MATRICES = {
    "Wemb": "embedding.weight",
    "encoder_Wemb": "embedding.weight",
    "decoder_Wemb": "decoder_embedding.weight",
    f"{LOGITS}_W": "output",
    f"{LOGITS}_Wt": "output",
}
DTYPES = (np.dtype("<f4"), np.dtype("<f2"))
_SIDES = {
    "self": "self_attention",
    "context": "cross_attention",
    "ffn": "feed_forward",
    "rnn": "recurrence",
}
_INNER = {
    "q": "query_proj",
    "k": "key_proj",
    "v": "value_proj",
    "o": "out_proj",
    "1": "inner_proj",
    "2": "out_proj",
    "": "candidate_proj",
    "f": "gate_proj",
}
OF_INPUTS = "_QuantMultA"
"""Ends names of what inputs are multiplied by before they are rounded; here each row is measured.

Names with it are left out.
"""
_MATRIX = re.compile(
    r"(encoder|decoder)_l(\d+)_"
    r"(?:(self|context)_([Wb])([qkvo])|(ffn)_([Wb])([12])|(rnn)_([Wb])(f|(?<=W)))"
)
_NORM = re.compile(
    r"(encoder|decoder)_(?:l(\d+)_(?:(self|context)_Wo|(ffn|rnn)_ffn)|top)_ln_(scale|bias)(?:_pre)?"
)
_KINDS = {"W": "weight", "b": "bias", "scale": "weight"}


def own_weights(arrays: Arrays, form: Mapping[str, Any]) -> tuple[ModelConfig, Arrays]:
    """Return configuration and weights of the same model here; for `form` see `model_form`."""
    tensors = {
        name: _matrix(array, name)
        for name, array in arrays.items()
        if name != CONFIG and not name.endswith(OF_INPUTS)
    }
    matrices, tied = _embeddings(tensors)
    source, target = matrices["embedding.weight"], matrices.get("decoder_embedding.weight")
    target = source if target is None else target
    pad_id = min(len(source), len(target))
    padded = {name: with_zero_row(matrix, pad_id) for name, matrix in matrices.items()}
    if f"{LOGITS}_b" in tensors:
        padded["output_bias"] = with_zero_row(tensors.pop(f"{LOGITS}_b").reshape(-1), pad_id)
    table = tensors.pop(POSITIONS, None)
    if table is not None:
        sides = ("embedding",) if tied == "all" else ("embedding", "decoder_embedding")
        padded |= {f"{side}.position_table": table for side in sides}
    for name, tensor in tensors.items():
        our_name = _own_name(name)
        padded[our_name] = tensor.T if len(tensor) > 1 else tensor.reshape(-1)
    inner = padded.get("encoder_layers.0.feed_forward.inner_proj.weight")
    if inner is None:
        raise ImportedModelError("the weights have no encoder_l1_ffn_W1")
    with refused_at(CONFIG):
        config = ModelConfig(
            vocab_size=len(target) + 1,
            source_vocab_size=len(source) + 1 if len(source) != len(target) else 0,
            d_model=source.shape[1],
            d_ff=inner.shape[0],
            pad_id=pad_id,
            positions="sinusoidal_halves" if table is None else "learned",
            max_positions=0 if table is None else len(table),
            scale_embedding=table is None,
            output_bias="output_bias" in padded,
            tied=tied,  # type: ignore[arg-type]
            **form,
        )
    return config, padded


def own_multipliers(multipliers: Mapping[str, float]) -> dict[str, float]:
    """Return what matrices in 8 bits were multiplied by, under the names that they have here."""
    return {
        MATRICES.get(name) or _own_name(name): value
        for name, value in multipliers.items()
        if not name.endswith(OF_INPUTS)
    }


def _matrix(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    if array.dtype not in DTYPES or array.ndim != 2:
        raise ImportedModelError(
            f"{name}: must be a matrix in float32 or float16, got {array.dtype} {array.shape}"
        )
    return array


def _embeddings(tensors: dict[str, npt.NDArray[Any]]) -> tuple[Arrays, str]:
    """Take out the matrices of the vocabularies; return them, and which of them are one."""
    output = tensors.pop(f"{LOGITS}_Wt", None)
    if f"{LOGITS}_W" in tensors:
        output = tensors.pop(f"{LOGITS}_W").T
    shared = tensors.pop("Wemb", None)
    source, target = (tensors.pop(f"{side}_Wemb", shared) for side in ("encoder", "decoder"))
    if source is None or target is None:
        raise ImportedModelError("the weights have neither Wemb nor encoder_Wemb and decoder_Wemb")
    if output is None and source is target:
        return {"embedding.weight": source}, "all"
    weights = {"embedding.weight": source, "decoder_embedding.weight": target}
    if output is None:
        return weights, "target"
    if output.shape != target.shape:
        raise ImportedModelError(f"{LOGITS}_W has the shape {tuple(output.shape)}")
    return weights | {"output": output}, "none"


def _own_name(name: str) -> str:
    matrix, norm = _MATRIX.fullmatch(name), _NORM.fullmatch(name)
    if matrix:
        side, layer, *rest = (part for part in matrix.groups() if part is not None)
        part, kind, inner = rest
        our_name = f"{_SIDES[part]}.{_INNER[inner]}.{_KINDS[kind]}"
        return f"{side}_layers.{int(layer) - 1}.{our_name}"
    if norm and norm[2]:
        part = _SIDES["self" if norm[4] == "rnn" else norm[3] or norm[4]]
        our_name = f"{part}_residual.norm.{_KINDS.get(norm[5], norm[5])}"
        return f"{norm[1]}_layers.{int(norm[2]) - 1}.{our_name}"
    if norm:
        return f"{norm[1]}_norm.{_KINDS.get(norm[5], norm[5])}"
    raise ImportedModelError(f"{name}: this project's model has no such layer")
