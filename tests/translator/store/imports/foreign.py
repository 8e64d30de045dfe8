"""Small random models of `transformers`, away from neutral biases and norms."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from transformers import (
    M2M100Config,
    M2M100ForConditionalGeneration,
    MarianConfig,
    MarianMTModel,
    PreTrainedModel,
)

from translator.model.transformer import Transformer, make_model
from translator.store.imports.huggingface_config import model_config
from translator.store.imports.huggingface_weights import own_weights

SIZES = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 64,
}
KINDS = ("marian", "marian-separate", "m2m100")


def foreign_model(kind: str, vocab_size: int = 60, **changed: Any) -> PreTrainedModel:
    """Return a random model of one of `KINDS`, in evaluation mode."""
    torch.manual_seed(7)
    model: Any
    if kind == "m2m100":
        settings = {**SIZES, "vocab_size": vocab_size, "activation_function": "relu", **changed}
        model = M2M100ForConditionalGeneration(M2M100Config(**settings))
    else:
        own = {
            "activation_function": "swish",
            "pad_token_id": vocab_size - 1,
            "decoder_start_token_id": vocab_size - 1,
            "scale_embedding": True,
        }
        if kind == "marian-separate":
            own |= {"share_encoder_decoder_embeddings": False}
        model = MarianMTModel(MarianConfig(**{**SIZES, "vocab_size": vocab_size, **own, **changed}))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:
                parameter.add_(torch.randn_like(parameter) * 0.1)
        if kind != "m2m100":
            model.final_logits_bias.normal_()
    foreign: PreTrainedModel = model.eval()
    return foreign


def own_model(foreign: PreTrainedModel) -> Transformer:
    """Return the same model as this project's."""
    config = dataclasses.replace(model_config(foreign.config.to_dict()), dropout=0.0)
    model = make_model(config).eval()
    model.load_state_dict(own_weights(foreign.state_dict(), config))
    return model
