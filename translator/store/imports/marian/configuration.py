"""The form of a Marian model, from the YAML inside its weights."""

from __future__ import annotations

import math
from typing import Any

from translator.config import Activation, DecoderKind, NormPlacement
from translator.errors import ImportedModelError
from translator.store.imports.marian.flat_yaml import Table

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
    """Return the fields of `ModelConfig` that the YAML tells; the weights tell the others.

    Raises:
        ImportedModelError: the model has something that ours has not; the message names it.
    """
    for name, values in NEEDED.items():
        found = table.get(name, values[0])
        if (",".join(found) if isinstance(found, list) else found) not in values:
            raise ImportedModelError(
                f"{CONFIG}: {name} is {found!r}; only {values[0] or 'none'} can be imported"
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
        said = ", ".join(f"{name} {step!r}" for name, step in zip(names, steps, strict=True))
        raise ImportedModelError(
            f"{CONFIG}: {said}; norms must be behind every layer ('', 'dan', '') or before it "
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
    found = table.get(name, otherwise)
    if isinstance(found, list):
        raise ImportedModelError(f"{place}: {name} must be one value, got {found!r}")
    return found


def number(table: Table, name: str, place: str = CONFIG) -> float:
    """Return a setting that is a number; see `scalar`.

    Raises:
        ImportedModelError: it is missing or no number.
    """
    found = scalar(table, name, "", place)
    try:
        value = float(found)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ImportedModelError(f"{place}: {name} must be a number, got {found!r}")
    return value
