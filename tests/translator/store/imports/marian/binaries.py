"""Small random models with an SSRU, as Mozilla and the Bergamot project publish theirs."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tests.translator.store.imports.foreign import piece_model
from tests.translator.store.imports.marian.published import CONFIG, YAML
from translator.config import ModelConfig
from translator.model.transformer import Transformer, make_model

INTGEMM8 = 0x4101
KINDS = {np.dtype("<f4"): 0x404, np.dtype("<f2"): 0x402, np.dtype("<i1"): 0x101}
MULTIPLIER = 40.0
WEIGHTS = "model.deen.intgemm.alphas.bin"

SSRU_YAML = YAML.replace("autoreg: self-attention", "autoreg: rnn") + "dec-cell: ssru\n"

PARTS = {
    "self_attention.query_proj": "self_{}q",
    "self_attention.key_proj": "self_{}k",
    "self_attention.value_proj": "self_{}v",
    "self_attention.out_proj": "self_{}o",
    "cross_attention.query_proj": "context_{}q",
    "cross_attention.key_proj": "context_{}k",
    "cross_attention.value_proj": "context_{}v",
    "cross_attention.out_proj": "context_{}o",
    "recurrence.candidate_proj": "rnn_{}",
    "recurrence.gate_proj": "rnn_{}f",
    "feed_forward.inner_proj": "ffn_{}1",
    "feed_forward.out_proj": "ffn_{}2",
    "self_attention_residual.norm": "self_Wo_ln_{}",
    "cross_attention_residual.norm": "context_Wo_ln_{}",
    "feed_forward_residual.norm": "ffn_ffn_ln_{}",
}


def binary(arrays: Mapping[str, Any], levels: tuple[str, ...] = ()) -> bytes:
    """Return a binary file of Marian's.

    Args:
        arrays: by name; those in `levels` are stored in 8 bits.
        levels: names of matrices, whose numbers are multiplied by `MULTIPLIER` and rounded.
    """
    headers, names, shapes, contents = b"", b"", b"", b""
    for name, array in arrays.items():
        kind, content = KINDS[array.dtype], array.tobytes()
        if name in levels:
            kind, rounded = INTGEMM8, np.rint(array * MULTIPLIER).astype(np.int8)
            lying = rounded if "Wemb" in name else np.ascontiguousarray(rounded.T)
            content = lying.tobytes() + struct.pack("<f", MULTIPLIER)
        content += bytes(-len(content) % 256)
        headers += struct.pack("<4Q", len(name) + 1, kind, array.ndim, len(content))
        names += name.encode() + b"\0"
        shapes += struct.pack(f"<{array.ndim}i", *array.shape)
        contents += content
    head = struct.pack("<2Q", 1, len(arrays)) + headers + names + shapes
    padding = -(len(head) + 8) % 256
    return head + struct.pack("<Q", padding) + bytes(padding) + contents


def marian_arrays(model: Transformer) -> dict[str, np.ndarray[Any, Any]]:
    """Return the weights of a model by Marian's names, without those of the pad id."""
    found: dict[str, Any] = {}
    for name, tensor in model.state_dict().items():
        layer = re.fullmatch(r"(encoder|decoder)_layers\.(\d)\.(.+)\.(weight|bias)", name)
        if layer:
            side, number, part, kind = layer.groups()
            kinds = ("scale", "bias") if "norm" in part else ("W", "b")
            own = PARTS[part].format(kinds[kind == "bias"])
            if side == "decoder" and model.config.decoder == "ssru":
                own = own.replace("self_Wo_ln", "rnn_ffn_ln")
            found[f"{side}_l{int(number) + 1}_{own}"] = (
                tensor[None] if tensor.dim() == 1 else tensor.T
            )
    if model.decoder_embedding is None:
        found["Wemb"] = model.embedding.weight[:-1]
    else:
        found["encoder_Wemb"] = model.embedding.weight[:-1]
        found["decoder_Wemb"] = model.decoder_embedding.weight[:-1]
    if model.output_bias is not None:
        found["decoder_ff_logit_out_b"] = model.output_bias[None, :-1]
    return {name: np.ascontiguousarray(one.detach().numpy()) for name, one in found.items()}


def small_model(**given: Any) -> Transformer:
    """Return a random model of this form, away from neutral biases and norms."""
    config = {
        "vocab_size": 81,
        "d_model": 32,
        "d_ff": 48,
        "num_heads": 4,
        "num_encoder_layers": 2,
        "norm": "post",
        "activation": "silu",
        "positions": "sinusoidal_halves",
        "pad_id": 80,
        "output_bias": True,
        "decoder": "ssru",
        "dropout": 0.0,
    }
    torch.manual_seed(3)
    model = make_model(ModelConfig(**{**config, **given})).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
            if re.search(r"decoder.*(_proj|feed_forward_residual.norm)\.weight", name):
                parameter.mul_(3)  # what it says depends on all that it has read
        matrices = [model.embedding.weight]
        if model.decoder_embedding is not None:
            matrices.append(model.decoder_embedding.weight)
        for matrix in matrices:
            matrix[-1] = 0  # the row that Marian has not
        if model.output_bias is not None:
            model.output_bias[-1] = 0
            model.output_bias[2] += 1  # sentences end, some of them
    return model


def small_folder(
    folder: Path, levels: tuple[str, ...] = (), is_separate: bool = False
) -> Transformer:
    """Write a folder as Mozilla's; return the model in it, before some of it is rounded."""
    folder.mkdir(parents=True)
    model = small_model(tied="target" if is_separate else "all")
    yaml = np.frombuffer(SSRU_YAML.encode() + b"\0", np.int8)
    alphas = {f"{name}_QuantMultA": np.ones((1, 1), np.float32) for name in levels}
    arrays = {**marian_arrays(model), **alphas, CONFIG: yaml}
    (folder / WEIGHTS).write_bytes(binary(arrays, levels))
    if is_separate:
        (folder / "srcvocab.deen.spm").write_bytes(piece_model(0))
        (folder / "trgvocab.deen.spm").write_bytes(piece_model(1))
    else:
        (folder / "vocab.deen.spm").write_bytes(piece_model(0))
    return model
