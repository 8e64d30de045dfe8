"""How a Transformer becomes a plan: the one place that walks its layers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial
from typing import cast

import torch
from torch import Tensor, nn

from translator.config import ModelConfig
from translator.errors import ConfigError
from translator.model.attention import MultiHeadedAttention
from translator.model.choices import chosen
from translator.model.embedding import Embedding as PieceEmbedding
from translator.model.int8 import Int8Matrix, Int8Model, matrices_of
from translator.model.layers import (
    ACTIVATIONS,
    IS_RECURRENT,
    PLACE,
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    Residual,
    is_pre_norm,
)
from translator.model.positions import POSITIONS, first_positions
from translator.model.recurrence import SSRU
from translator.model.transformer import OWN_MATRICES, Transformer
from translator.runtime.plan import (
    FORBIDDEN,
    UNLIMITED,
    DecoderWeights,
    Embedding,
    EncoderWeights,
    Linear,
    Network,
    Norm,
    Plan,
    Recurrence,
    SelfAttention,
)
from translator.tokens.shortlist import Shortlist

KNOWN = {
    *("vocab_size", "d_model", "d_ff", "num_heads", "num_encoder_layers", "num_decoder_layers"),
    *("dropout", "attention_dropout", "activation_dropout", "pad_id"),
    *("activation", "norm", "positions", "position_offset", "max_positions"),
    *("scale_embedding", "output_bias", "tied", "source_vocab_size", "decoder"),
}
"""Fields of `ModelConfig` that `arrange` looks at, or that translating does not depend on."""


def arrange(
    model: Transformer | Int8Model,
    forbidden_ids: Sequence[int],
    shortlist: Shortlist | None = None,
) -> Plan:
    """Return the plan of a model; what needs no joining shares the model's memory.

    Args:
        model: in evaluation mode, in float32 or with its matrices in 8 bits.
        forbidden_ids: ids that are never produced and take no share of the probability.
        shortlist: which ids a sentence's translation may have, if not all.

    Raises:
        ConfigError: a choice of the model's configuration is not known here; it is named.
    """
    config = model.model.config if isinstance(model, Int8Model) else model.config
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        if field.name not in KNOWN and value != field.default:
            raise ConfigError([f"{field.name}: no runtime computes {value!r}"], "model")
    chosen(config, "activation", ACTIVATIONS, PLACE)
    chosen(config, "decoder", IS_RECURRENT, PLACE)
    chosen(config, "tied", OWN_MATRICES, PLACE)
    if isinstance(model, Int8Model):
        names = {id(matrix): name for name, matrix in matrices_of(model.model).items()}
        walk = _Walk({key: model.matrices[name] for key, name in names.items()})
        found = walk.plan(model.model, forbidden_ids)
    else:
        found = _Walk({}).plan(model, forbidden_ids)
    return dataclasses.replace(found, shortlist=shortlist)


class _Walk:
    """Walks the layers of a model, and takes matrices in 8 bits where there are some."""

    def __init__(self, matrices: Mapping[int, Int8Matrix]) -> None:
        """Keep what stands for some of the model's parameters, by their identity."""
        self._matrices = matrices

    def plan(self, model: Transformer, forbidden_ids: Sequence[int]) -> Plan:
        """Return the plan of a model; see `arrange`."""
        config = model.config
        source = target = self._embedding(model.embedding, config)
        if model.decoder_embedding is not None:
            target = self._embedding(model.decoder_embedding, config)
        encoder = cast("list[EncoderLayer]", model.encoder_layers)
        decoder = cast("list[DecoderLayer]", model.decoder_layers)
        return Plan(
            config=config,
            activation=config.activation,
            is_pre=is_pre_norm(config),
            source=source,
            target=target,
            encoder=tuple(
                self._encoder_layer(f"encoder.{i}", layer) for i, layer in enumerate(encoder)
            ),
            encoder_norm=_norm(model.encoder_norm),
            decoder=tuple(
                self._decoder_layer(f"decoder.{i}", layer) for i, layer in enumerate(decoder)
            ),
            decoder_norm=_norm(model.decoder_norm),
            output=self._output(model, target, forbidden_ids),
        )

    def _matrix(self, parameter: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return a matrix of the model: floats, or levels and their scales."""
        if matrix := self._matrices.get(id(parameter)):
            return matrix.levels, matrix.scales
        return parameter.detach(), None

    def _embedding(self, embedding: PieceEmbedding, config: ModelConfig) -> Embedding:
        if config.positions == "learned":
            num_positions = config.max_positions - config.position_offset
        else:
            num_positions = UNLIMITED
            chosen(config, "positions", POSITIONS, PLACE)

        table = embedding.position_table.detach()
        positions = partial(first_positions, config, table)  # of the model it keeps no more
        weight, scales = self._matrix(embedding.weight)
        return Embedding(weight, embedding.scale, positions, num_positions, scales)

    def _output(
        self, model: Transformer, target: Embedding, forbidden_ids: Sequence[int]
    ) -> Linear:
        weight, scales = target.weight, target.scales
        if model.output is not None:
            weight, scales = self._matrix(model.output)
        bias = torch.zeros(len(weight), device=weight.device)
        if model.output_bias is not None:
            bias += model.output_bias.detach()
        bias[list(forbidden_ids)] = FORBIDDEN
        return Linear("output", weight, bias, scales)

    def _encoder_layer(self, name: str, layer: EncoderLayer) -> EncoderWeights:
        heads = layer.self_attention
        return EncoderWeights(
            norm=_residual(layer.self_attention_residual),
            qkv=self._joined(f"{name}.qkv", heads, "query", "key", "value"),
            attention_out=self._joined(f"{name}.attention_out", heads, "out"),
            feed_forward=self._network(name, layer.feed_forward, layer.feed_forward_residual),
        )

    def _decoder_layer(self, name: str, layer: DecoderLayer) -> DecoderWeights:
        cross = layer.cross_attention
        return DecoderWeights(
            self_norm=_residual(layer.self_attention_residual),
            past=self._past(name, layer),
            cross_norm=_residual(layer.cross_attention_residual),
            query=self._joined(f"{name}.query", cross, "query"),
            cross_out=self._joined(f"{name}.cross_out", cross, "out"),
            feed_forward=self._network(name, layer.feed_forward, layer.feed_forward_residual),
            memory=self._joined(f"{name}.memory", cross, "key", "value"),
        )

    def _past(self, name: str, layer: DecoderLayer) -> SelfAttention | Recurrence:
        heads = layer.self_attention
        if heads is not None:
            return SelfAttention(
                qkv=self._joined(f"{name}.qkv", heads, "query", "key", "value"),
                out=self._joined(f"{name}.self_out", heads, "out"),
            )
        assert layer.recurrence is not None
        gates = self._joined(f"{name}.gates", layer.recurrence, "candidate", "gate")
        return Recurrence(gates)

    def _network(self, name: str, network: FeedForward, residual: Residual) -> Network:
        return Network(
            norm=_residual(residual),
            inner=self._layer(f"{name}.feed_forward.inner", network.inner_proj),
            out=self._layer(f"{name}.feed_forward.out", network.out_proj),
        )

    def _joined(self, name: str, module: MultiHeadedAttention | SSRU, *parts: str) -> Linear:
        """Return projections laid side by side."""
        layers = [self._layer(name, getattr(module, f"{part}_proj")) for part in parts]
        if len(layers) == 1:
            return layers[0]
        scales = [layer.scales for layer in layers if layer.scales is not None]
        return Linear(
            name,
            torch.cat([layer.weight for layer in layers]),
            torch.cat([layer.bias for layer in layers]),
            torch.cat(scales) if scales else None,
        )

    def _layer(self, name: str, layer: nn.Linear) -> Linear:
        weight, scales = self._matrix(layer.weight)
        if isinstance(layer.bias, Tensor):
            return Linear(name, weight, layer.bias.detach(), scales)
        return Linear(name, weight, torch.zeros(len(weight), device=weight.device), scales)


def _residual(residual: Residual) -> Norm:
    found = _norm(residual.norm)
    assert found is not None
    return found


def _norm(norm: nn.Module) -> Norm | None:
    if isinstance(norm, nn.LayerNorm):
        return Norm(norm.weight.detach(), norm.bias.detach(), norm.eps)
    assert isinstance(norm, nn.Identity)
    return None
