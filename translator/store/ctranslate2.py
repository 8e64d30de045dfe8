"""A model directory as a CTranslate2 model, for the users of that library.

The package `ctranslate2` (with numpy) is needed here and nowhere else in the project but in its
engine: `pip install ctranslate2`.

Source: CTranslate2's own `TransformerSpec`; its file format is not written by hand.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from translator.config import DecodingOptions, ModelConfig
from translator.errors import ConfigError, ModelDirectoryError
from translator.model.attention import MultiHeadedAttention
from translator.model.choices import chosen, refuse_foreign
from translator.model.layers import FeedForward
from translator.model.positions import position_vectors
from translator.model.transformer import Transformer
from translator.store.model_directory import LoadedModel
from translator.tokens.special_ids import SpecialIds

TOKENIZER = "tokenizer.model"
NUM_POSITIONS = 4096
LAYER_NORM_EPSILON = 1e-5  # of nn.LayerNorm
PLACE = "CTranslate2"
ACTIVATIONS = {"relu": "RELU", "gelu": "GELU", "gelu_tanh": "GELUTanh", "silu": "SWISH"}
IS_PRE_NORM = {"pre": True, "post": False}
FORBIDDEN_BIAS = -1e9
"""Added to the logits of ids that are never produced: exp() of it is 0, and it stays finite."""


def require_ctranslate2() -> ModuleType:
    """Import CTranslate2.

    Raises:
        ConfigError: it is not installed; the message says how.
    """
    try:
        import ctranslate2
    except ImportError as error:
        raise ConfigError(
            ["ctranslate2: not installed; run `pip install ctranslate2`"], "engine"
        ) from error
    module: ModuleType = ctranslate2
    return module


def convert(loaded: LoadedModel, directory: Path, quantization: str | None = None) -> None:
    """Write a CTranslate2 model; it appears whole or not at all.

    The vocabulary's special pieces keep their names, so that a caller of CTranslate2 passes what
    `Tokenizer.encode_source` gives, as pieces: language tag first, `</s>` last. `tokenizer.model`
    lies beside the model.

    Args:
        loaded: the model directory.
        directory: must not exist yet.
        quantization: `int8`, `int16`, `float16`, `bfloat16` or None for float32.

    Raises:
        ConfigError: CTranslate2 is not installed, or does not know the quantization or a choice
            of the model's configuration.
        ModelDirectoryError: `directory` exists.
    """
    if directory.exists():
        raise ModelDirectoryError(f"{directory}: exists; name another")
    tokenizer = loaded.tokenizer
    spec = make_spec(loaded.model, tokenizer.all_pieces, SpecialIds.of(tokenizer), tokenizer.unk_id)
    try:
        spec.validate()
        spec.optimize(quantization=quantization)
    except ValueError as error:
        raise ConfigError([f"quantization: {error}"], "convert") from error
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent) as temporary:
        made = Path(temporary) / "model"
        made.mkdir()
        spec.save(str(made))
        (made / TOKENIZER).write_bytes(tokenizer.serialized)
        shutil.move(made, directory)


def load_translator(spec: Any, compute_type: str, threads: int) -> Any:
    """Return a `ctranslate2.Translator` of a spec from `make_spec`, on the CPU.

    Args:
        spec: not used before.
        compute_type: `float32` or `int8`.
        threads: CPU threads; CTranslate2's default if 0.
    """
    spec.validate()
    spec.optimize(quantization=None if compute_type == "float32" else compute_type)
    with tempfile.TemporaryDirectory() as folder:
        spec.save(folder)
        return require_ctranslate2().Translator(
            folder, compute_type=compute_type, inter_threads=1, intra_threads=threads
        )


def make_spec(
    model: Transformer, pieces: Sequence[str], special_ids: SpecialIds, unk_id: int
) -> Any:
    """Return a `TransformerSpec` that shares the model's weights.

    Args:
        model: in evaluation mode.
        pieces: V names of ids, all different.
        special_ids: BOS, EOS and what is never produced.
        unk_id: id of the unknown piece.

    Raises:
        ConfigError: CTranslate2 is not installed, or does not know a choice of the model's
            configuration.
    """
    specs = require_ctranslate2().specs
    config = model.config
    refuse_foreign(config, PLACE)
    activation = chosen(config, "activation", ACTIVATIONS, PLACE)
    spec = specs.TransformerSpec.from_config(
        (config.num_encoder_layers, config.num_decoder_layers),
        config.num_heads,
        pre_norm=chosen(config, "norm", IS_PRE_NORM, PLACE),
        activation=getattr(specs.Activation, activation),
    )
    for side, layers in (
        (spec.encoder, model.encoder_layers),
        (spec.decoder, model.decoder_layers),
    ):
        _set_layers(side, layers)
    for side, norm in ((spec.encoder, model.encoder_norm), (spec.decoder, model.decoder_norm)):
        if isinstance(norm, nn.LayerNorm):
            _set_norm(side.layer_norm, norm)
        side.position_encodings.encodings = _positions(config)
    weight = _array(model.embedding.weight)
    spec.encoder.embeddings[0].weight = spec.decoder.embeddings.weight = weight
    spec.decoder.projection.weight = weight
    bias = torch.zeros(config.vocab_size)
    bias[list(special_ids.forbidden_ids)] = FORBIDDEN_BIAS
    spec.decoder.projection.bias = bias.numpy()
    spec.register_source_vocabulary(list(pieces))
    spec.register_target_vocabulary(list(pieces))
    spec.config.unk_token = pieces[unk_id]
    spec.config.bos_token = spec.config.decoder_start_token = pieces[special_ids.bos_id]
    spec.config.eos_token = pieces[special_ids.eos_id]
    spec.config.layer_norm_epsilon = LAYER_NORM_EPSILON
    return spec


def _set_layers(side: Any, layers: nn.ModuleList) -> None:
    for spec, layer in zip(side.layer, layers, strict=True):
        module: Any = layer
        _set_self_attention(spec.self_attention, module.self_attention)
        _set_norm(spec.self_attention.layer_norm, module.self_attention_residual.norm)
        if hasattr(module, "cross_attention"):
            _set_cross_attention(spec.attention, module.cross_attention)
            _set_norm(spec.attention.layer_norm, module.cross_attention_residual.norm)
        _set_feed_forward(spec.ffn, module.feed_forward)
        _set_norm(spec.ffn.layer_norm, module.feed_forward_residual.norm)


def _set_self_attention(spec: Any, heads: MultiHeadedAttention) -> None:
    _set_linear(spec.linear[0], heads.query_proj, heads.key_proj, heads.value_proj)
    _set_linear(spec.linear[1], heads.out_proj)


def _set_cross_attention(spec: Any, heads: MultiHeadedAttention) -> None:
    _set_linear(spec.linear[0], heads.query_proj)
    _set_linear(spec.linear[1], heads.key_proj, heads.value_proj)
    _set_linear(spec.linear[2], heads.out_proj)


def _set_feed_forward(spec: Any, network: FeedForward) -> None:
    _set_linear(spec.linear_0, network.inner_proj)
    _set_linear(spec.linear_1, network.out_proj)


def _set_linear(spec: Any, *projections: nn.Linear) -> None:
    """Lay projections of the same input side by side in one."""
    spec.weight = _array(torch.cat([projection.weight for projection in projections]))
    spec.bias = _array(torch.cat([projection.bias for projection in projections]))


def _set_norm(spec: Any, norm: nn.LayerNorm) -> None:
    spec.gamma, spec.beta = _array(norm.weight), _array(norm.bias)


def alpha_of(options: DecodingOptions) -> float:
    """Return the exponent of the length by which CTranslate2 divides.

    Raises:
        ConfigError: CTranslate2 has no such penalty.
    """
    if options.length_penalty == "gnmt":
        raise ConfigError(["length_penalty: CTranslate2 has no `gnmt`; use `average`"], "engine")
    return options.alpha if options.length_penalty == "average" else 0.0


def _positions(config: ModelConfig) -> Any:
    return position_vectors(config, torch.arange(NUM_POSITIONS)).numpy()


def _array(tensor: Tensor) -> Any:
    return tensor.detach().float().cpu().contiguous().numpy()
