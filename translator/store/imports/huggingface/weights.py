"""Weights of MarianMT, M2M100 and NLLB under the names that `transformers` gives them.

All of them are BART's layers in another order, so one table of names serves them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from torch import Tensor

from translator.config import ModelConfig
from translator.errors import ImportedModelError

ATTENTION = {"q_proj": "query_proj", "k_proj": "key_proj", "v_proj": "value_proj"}
SUBLAYERS = {
    "self_attn_layer_norm": "self_attention_residual.norm",
    "encoder_attn_layer_norm": "cross_attention_residual.norm",
    "final_layer_norm": "feed_forward_residual.norm",
    "fc1": "feed_forward.inner_proj",
    "fc2": "feed_forward.out_proj",
}
_LAYER = re.compile(r"model\.(encoder|decoder)\.layers\.(\d+)\.(.+)\.(weight|bias)")
_HEADS = re.compile(r"(self|encoder)_attn\.(q_proj|k_proj|v_proj|out_proj)")
_IGNORED = re.compile(r"model\.(encoder|decoder)\.embed_positions\.weights?")
"""Sinusoidal positions, which are computed."""

SHARED = "model.shared.weight"
EMBEDDINGS = {
    "source": ("model.encoder.embed_tokens.weight", SHARED),
    "target": ("model.decoder.embed_tokens.weight", SHARED, "lm_head.weight"),
    "output": ("lm_head.weight", "model.decoder.embed_tokens.weight", SHARED),
}
"""Where each matrix may be, best first: a file has a tied one under one name or several."""


def own_weights(tensors: Mapping[str, Tensor], config: ModelConfig) -> dict[str, Tensor]:
    """Return the weights under the names of `Transformer`.

    Args:
        tensors: as `transformers` names them.
        config: says which matrices are one, and whether the logits have a bias.

    Raises:
        ImportedModelError: there is a tensor that has no place in the model, or an embedding is
            missing.
    """
    found = {
        "embedding.weight": _embedding(tensors, "source" if config.tied != "all" else "target")
    }
    if config.tied != "all":
        found["decoder_embedding.weight"] = _embedding(tensors, "target")
    if config.tied == "none":
        found["output"] = _embedding(tensors, "output")
    used = {SHARED, *(name for names in EMBEDDINGS.values() for name in names)}
    for name, tensor in tensors.items():
        if name == "final_logits_bias" and config.output_bias:
            found["output_bias"] = tensor.reshape(-1)
        elif name not in used and name != "final_logits_bias" and not _IGNORED.fullmatch(name):
            found[_own_name(name)] = tensor
    return found


def _embedding(tensors: Mapping[str, Tensor], kind: str) -> Tensor:
    for name in EMBEDDINGS[kind]:
        if name in tensors:
            return tensors[name]
    raise ImportedModelError(
        f"the weights have no {EMBEDDINGS[kind][0]}; the file is not whole, or not of such a model"
    )


def _own_name(name: str) -> str:
    ends = re.fullmatch(r"model\.(encoder|decoder)\.layer_norm\.(weight|bias)", name)
    if ends:
        return f"{ends[1]}_norm.{ends[2]}"
    layer = _LAYER.fullmatch(name)
    if layer:
        side, number, inner, kind = layer.groups()
        heads = _HEADS.fullmatch(inner)
        own = SUBLAYERS.get(inner)
        if heads:
            attention = "cross_attention" if heads[1] == "encoder" else "self_attention"
            own = f"{attention}.{ATTENTION.get(heads[2], heads[2])}"
        if own:
            return f"{side}_layers.{number}.{own}.{kind}"
    raise ImportedModelError(f"{name}: this project's model has no such layer")
