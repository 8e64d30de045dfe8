"""A Transformer of CTranslate2's as this project's: its configuration and its weights."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import torch
from torch import Tensor

from translator.config import Activation, ModelConfig, PositionScheme
from translator.errors import ConfigError, ImportedModelError
from translator.model.positions import POSITIONS
from translator.store.imports.opennmt.binary import dequantised
from translator.store.imports.pieces import with_zero_row

ACTIVATIONS: dict[int, Activation] = {0: "relu", 1: "gelu_tanh", 2: "silu", 3: "gelu"}
"""By the numbers of CTranslate2's `Activation`."""

OTHER_ACTIVATIONS = {4: "GELUSigmoid", 5: "Tanh", 6: "Sigmoid"}
"""What else it has, for messages."""

NEUTRAL = {
    "alibi": 0,
    "alibi_use_positive_positions": None,
    "scale_alibi": None,
    "alignment_heads": None,
    "alignment_layer": None,
    "embeddings_merge": 0,
    "multi_query_attention": 0,
    "start_from_zero_embedding": None,
    "scale_outputs": 0,
}
"""Settings that ours has not, with the value that it can have; None for any."""

INSTEAD = "only CTranslate2 itself, or LibreTranslate, can run it"
"""What to do about a model that ours cannot be."""

NO_TABLE: tuple[PositionScheme, int] = ("sinusoidal_fairseq", 1)
"""What CTranslate2 computes where no table is stored, beginning with position 1."""

FAR = 1e9
"""Below all other logits, and finite."""

MATRICES = ("encoder/embeddings_0", "decoder/embeddings", "decoder/projection")
READ = ("num_heads", "pre_norm", "activation", "scale_embeddings")
_PARTS = {
    "self_attention/layer_norm": "self_attention_residual.norm",
    "attention/layer_norm": "cross_attention_residual.norm",
    "ffn/layer_norm": "feed_forward_residual.norm",
    "ffn/linear_0": "feed_forward.inner_proj",
    "ffn/linear_1": "feed_forward.out_proj",
}
_SPLIT = {
    "self_attention/linear_0": ("self_attention", ("query_proj", "key_proj", "value_proj")),
    "self_attention/linear_1": ("self_attention", ("out_proj",)),
    "attention/linear_0": ("cross_attention", ("query_proj",)),
    "attention/linear_1": ("cross_attention", ("key_proj", "value_proj")),
    "attention/linear_2": ("cross_attention", ("out_proj",)),
}
_LAYER = re.compile(r"(encoder|decoder)/layer_(\d+)/(.+)/(weight|bias|gamma|beta)")
_KINDS = {"gamma": "weight", "beta": "bias"}
_OTHERS = re.compile(
    r".*/weight_scale|encoder/embeddings_0/weight|decoder/embeddings/weight"
    r"|decoder/projection/(weight|bias)|(encoder|decoder)/position_encodings/encodings"
)


def zero_place(variables: Mapping[str, Tensor]) -> int | None:
    """Return the id of a piece to add, for a decoder that begins with zeros; None for others."""
    setting = variables.get("decoder/start_from_zero_embedding")
    if setting is None or setting.numel() != 1 or not int(setting):
        return None
    names = ("encoder/embeddings_0/weight", "decoder/embeddings/weight")
    return min((variables[name].size(0) for name in names if name in variables), default=None)


def own_form(variables: Mapping[str, Tensor], pad_id: int) -> tuple[ModelConfig, dict[str, Tensor]]:
    """Return the configuration and the weights of the same model here.

    Args:
        variables: of a `model.bin`.
        pad_id: of its vocabulary; that of the piece that is added, if one is.

    Raises:
        ImportedModelError: something is missing, or there is a layer that ours has not.
    """
    _refuse_unknown(variables)
    weights, tied = _vocabulary_weights(variables, pad_id)
    source = weights["embedding.weight"]
    target = weights.get("decoder_embedding.weight", source)
    for name in variables:
        layer = _LAYER.fullmatch(name)
        ends = re.fullmatch(r"(encoder|decoder)/layer_norm/(gamma|beta)", name)
        if layer:
            weights |= _layer_weights(layer, dequantised(variables, name))
        elif ends:
            weights[f"{ends[1]}_norm.{_KINDS[ends[2]]}"] = dequantised(variables, name)
    positions, offset, tables = _positions(variables, int(target.size(-1)))
    for name, table in tables.items():
        if tied != "all" or name == "embedding":
            weights[f"{name}.position_table"] = table
    layers = [_LAYER.fullmatch(name) for name in variables]
    numbers = {
        side: {int(m[2]) for m in layers if m and m[1] == side} for side in ("encoder", "decoder")
    }
    try:
        config = ModelConfig(
            vocab_size=target.size(0),
            source_vocab_size=source.size(0) if source.size(0) != target.size(0) else 0,
            d_model=target.size(-1),
            d_ff=dequantised(variables, "encoder/layer_0/ffn/linear_0/weight").size(0),
            num_heads=_setting(variables, "num_heads"),
            num_encoder_layers=len(numbers["encoder"]),
            num_decoder_layers=len(numbers["decoder"]),
            activation=ACTIVATIONS[_setting(variables, "activation")],
            norm="pre" if _setting(variables, "pre_norm") else "post",
            positions=positions,
            position_offset=offset,
            max_positions=tables["embedding"].size(0) if tables else 0,
            scale_embedding=_is_scaled(variables, target.size(-1)),
            output_bias="output_bias" in weights,
            tied=tied,  # type: ignore[arg-type]
            pad_id=pad_id,
        )
    except KeyError as error:
        number = _setting(variables, "activation")
        name = OTHER_ACTIVATIONS.get(number, f"number {number}")
        raise ImportedModelError(
            f"model.bin: activation {name}: this project's model has no such; {INSTEAD}"
        ) from error
    except ConfigError as error:
        raise ImportedModelError(f"model.bin: {'; '.join(error.problems)}") from error
    return config, {name: tensor.clone() for name, tensor in weights.items()}  # none is an alias


def _vocabulary_weights(
    variables: Mapping[str, Tensor], pad_id: int
) -> tuple[dict[str, Tensor], str]:
    """Return the matrices of source, target and output, and which of them are one."""
    adds_piece = zero_place(variables) is not None
    source, target, output = (
        with_zero_row(matrix, pad_id) if adds_piece else matrix
        for matrix in (dequantised(variables, f"{name}/weight") for name in MATRICES)
    )
    weights = {"embedding.weight": source}
    is_tied = torch.equal(target, output)
    tied = "all" if is_tied and torch.equal(source, target) else "target" if is_tied else "none"
    if tied != "all":
        weights["decoder_embedding.weight"] = target
    if tied == "none":
        weights["output"] = output
    if "decoder/projection/bias" in variables:
        bias = dequantised(variables, "decoder/projection/bias")
        bias = with_zero_row(bias, pad_id) if adds_piece else bias
        weights["output_bias"] = bias.clamp(min=-FAR)  # in half precision it may be infinite
    return weights, tied


def _setting(variables: Mapping[str, Tensor], name: str) -> int:
    found = [variables.get(f"{side}/{name}") for side in ("encoder", "decoder")]
    values = {int(one) for one in found if one is not None and one.numel() == 1}
    if len(values) != 1:
        raise ImportedModelError(f"model.bin: {name} must be the same on both sides, got {values}")
    return values.pop()


def _is_scaled(variables: Mapping[str, Tensor], d_model: int) -> bool:
    """Return whether embeddings are multiplied by √D: a flag says it, or the number itself."""
    found = [variables.get(f"{side}/scale_embeddings") for side in ("encoder", "decoder")]
    numbers = {
        float(one) if one.is_floating_point() else float(one) * math.sqrt(d_model) or 1.0
        for one in found
        if one is not None and one.numel() == 1
    }
    for number, is_scaled in ((1.0, False), (math.sqrt(d_model), True)):
        if numbers and all(math.isclose(one, number, rel_tol=1e-4) for one in numbers):
            return is_scaled
    raise ImportedModelError(f"model.bin: scale_embeddings is {numbers}; only 1 or √D are known")


def _refuse_unknown(variables: Mapping[str, Tensor]) -> None:
    for name, value in variables.items():
        _, _, setting = name.partition("/")
        if setting in READ or _OTHERS.fullmatch(name) or "/layer_norm/" in name:
            continue
        if setting in NEUTRAL and (NEUTRAL[setting] is None or float(value) == NEUTRAL[setting]):
            continue
        layer = _LAYER.fullmatch(name)
        if layer and layer[3] in (*_PARTS, *_SPLIT):
            continue
        raise ImportedModelError(
            f"model.bin: {name}: this project's model has no such layer or setting; {INSTEAD}"
        )


def _layer_weights(layer: re.Match[str], tensor: Tensor) -> dict[str, Tensor]:
    side, number, part, kind = layer.groups()
    own = f"{side}_layers.{number}"
    if part in _PARTS:
        return {f"{own}.{_PARTS[part]}.{_KINDS.get(kind, kind)}": tensor}
    if part not in _SPLIT:
        raise ImportedModelError(f"model.bin: {layer[0]}: this project's model has no such layer")
    heads, names = _SPLIT[part]
    if tensor.size(0) % len(names):
        raise ImportedModelError(f"model.bin: {layer[0]} cannot be split in {len(names)}")
    parts = tensor.chunk(len(names))
    return {f"{own}.{heads}.{n}.{kind}": one for n, one in zip(names, parts, strict=True)}


def _positions(
    variables: Mapping[str, Tensor], d_model: int
) -> tuple[PositionScheme, int, dict[str, Tensor]]:
    """Return the formula that a stored table follows, or `learned`; the first position; tables."""
    tables = {
        name: dequantised(variables, f"{side}/position_encodings/encodings")
        for side, name in (("encoder", "embedding"), ("decoder", "decoder_embedding"))
        if f"{side}/position_encodings/encodings" in variables
    }
    schemes: tuple[PositionScheme, ...] = ("sinusoidal", "sinusoidal_halves", "sinusoidal_fairseq")
    if not tables:
        return *NO_TABLE, {}
    if len(tables) != 2:
        raise ImportedModelError("model.bin: position encodings must be on both sides, or on none")
    for scheme in schemes:
        if all(_follows(table, scheme, d_model) for table in tables.values()):
            return scheme, 0, {}
    return "learned", 0, tables


def _follows(table: Tensor, scheme: PositionScheme, d_model: int) -> bool:
    if table.dim() != 2 or table.size(1) != d_model:
        raise ImportedModelError(f"model.bin: position encodings have the shape {table.shape}")
    formula = POSITIONS[scheme](torch.arange(table.size(0)), d_model)
    return bool((table - formula).abs().max() < 5e-3)
