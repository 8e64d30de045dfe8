"""Small random models in Marian's own form, as OPUS-MT publishes them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tests.translator.store.imports.foreign import foreign_model, piece_model, pieces_of

WEIGHTS, VOCABULARY = "opus.spm32k-spm32k.model1.npz.best-perplexity.npz", "opus.spm32k-spm32k"
CONFIG = "special:model.yml"
YAML = """\
dec-depth: 2
dim-emb: 32
dim-vocabs:
  - 70
  - 70
enc-depth: 2
lemma-dim-emb: 0
right-left: false
transformer-decoder-autoreg: self-attention
transformer-dim-ffn: 48
transformer-ffn-activation: swish
transformer-ffn-depth: 2
transformer-guided-alignment-layer: last
transformer-heads: 4
transformer-no-projection: false
transformer-postprocess: dan
transformer-postprocess-emb: d
transformer-postprocess-top: ""
transformer-preprocess: ""
transformer-tied-layers:
  []
type: transformer
ulr: false
version: v1.9.0
"""
PARTS = {
    "self_attn.q_proj": "self_{}q",
    "self_attn.k_proj": "self_{}k",
    "self_attn.v_proj": "self_{}v",
    "self_attn.out_proj": "self_{}o",
    "encoder_attn.q_proj": "context_{}q",
    "encoder_attn.k_proj": "context_{}k",
    "encoder_attn.v_proj": "context_{}v",
    "encoder_attn.out_proj": "context_{}o",
    "fc1": "ffn_{}1",
    "fc2": "ffn_{}2",
    "self_attn_layer_norm": "self_Wo_ln_{}",
    "encoder_attn_layer_norm": "context_Wo_ln_{}",
    "final_layer_norm": "ffn_ffn_ln_{}",
}
"""What `transformers` calls the parts of a layer, and what Marian does."""


def marian_arrays(tensors: Mapping[str, Tensor]) -> dict[str, np.ndarray[Any, Any]]:
    """Return the weights of a `MarianMTModel` by Marian's names, without those of the pad id."""
    found: dict[str, Tensor] = {"decoder_ff_logit_out_b": tensors["final_logits_bias"][:, :-1]}
    for name, tensor in tensors.items():
        layer = re.fullmatch(r"model\.(encoder|decoder)\.layers\.(\d)\.(.+)\.(weight|bias)", name)
        if layer:
            side, number, part, kind = layer.groups()
            kinds = ("scale", "bias") if "norm" in part else ("W", "b")
            own = PARTS[part].format(kinds[kind == "bias"])
            written = tensor[None] if tensor.dim() == 1 else tensor.T
            found[f"{side}_l{int(number) + 1}_{own}"] = written
    source = tensors["model.encoder.embed_tokens.weight"]
    target = tensors["model.decoder.embed_tokens.weight"]
    if torch.equal(source, target):
        found["Wemb"] = source[:-1]
    else:
        found |= {"encoder_Wemb": source[:-1], "decoder_Wemb": target[:-1]}
    return {name: np.ascontiguousarray(tensor.numpy()) for name, tensor in found.items()}


def write_weights(path: Path, arrays: Mapping[str, Any], yaml: str = YAML) -> None:
    every: dict[str, Any] = {CONFIG: np.frombuffer(yaml.encode() + b"\0", np.int8), **arrays}
    with path.open("wb") as stream:
        np.savez(stream, **every)


def yaml_vocabulary(pieces: list[str]) -> str:
    """Return it as Marian writes it: quoted where a plain scalar would be something else."""
    plain = re.compile(r"[\w▁]+")
    lines = (p if plain.fullmatch(p) else f'"{p}"' for p in pieces)
    return "".join(f"{piece}: {number}\n" for number, piece in enumerate(lines))


def published(folder: Path, tags: tuple[str, ...] = (), is_separate: bool = False) -> Any:
    """Write the files of such a model; return the `MarianMTModel` with the same weights.

    With separate vocabularies, the matrices of source and target are separate, too.
    """
    folder.mkdir(parents=True)
    models = piece_model(0), piece_model(1)
    source, target = map(pieces_of, models)
    special = ["</s>", "<unk>", *(f">>{tag}<<" for tag in tags)]
    lists = {f"{VOCABULARY}.vocab.yml": [*source, *target]}
    if is_separate:
        lists = {f"{VOCABULARY}.src.vocab.yml": source, f"{VOCABULARY}.trg.vocab.yml": target}
    for name, pieces in lists.items():
        every = [*dict.fromkeys([*special, *pieces])]
        (folder / name).write_text(yaml_vocabulary(every), encoding="utf-8")
    pad_id = len(every)
    kind = "marian-separate" if is_separate else "marian"
    given = {"pad_token_id": pad_id, "decoder_start_token_id": pad_id}
    model: Any = foreign_model(kind, pad_id + 1, **given)
    with torch.no_grad():  # the row that Marian has not
        for matrix in (model.model.encoder.embed_tokens, model.model.decoder.embed_tokens):
            matrix.weight[-1] = 0
        model.lm_head.weight[0] *= 1.2 if is_separate else 2.5  # sentences end, some of them
        model.final_logits_bias[:, -1] = 0
    write_weights(folder / WEIGHTS, marian_arrays(model.state_dict()))
    (folder / "source.spm").write_bytes(models[0])
    (folder / "target.spm").write_bytes(models[1])
    vocabularies = [*lists, *lists][:2]
    named = itertools.chain(
        ["models:", f"  - {WEIGHTS}", "vocabs:"], map("  - {}".format, vocabularies)
    )
    (folder / "decoder.yml").write_text("\n".join([*named, "beam-size: 4", "normalize: 1", ""]))
    (folder / "README.md").write_text("* source language(s): deu\n* target language(s): eng\n")
    return model
