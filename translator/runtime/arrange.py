"""How the weights of a Transformer become a plan: the one place that walks its layers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, get_args

import numpy as np

from translator.config import Activation, ModelConfig
from translator.errors import ConfigError
from translator.model.choices import IS_RECURRENT, OWN_MATRICES, chosen, is_pre_norm, is_recurrent
from translator.model.int8 import Int8Matrix
from translator.model.positions import POSITIONS, learned_places, position_vectors
from translator.model.weights import POSITION_TABLE, Weights, weights_of
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
from translator.search.rows import Array
from translator.tokens.shortlist import Shortlist

if TYPE_CHECKING:
    from translator.model.transformer import Transformer

KNOWN = {
    *("vocab_size", "d_model", "d_ff", "num_heads", "num_encoder_layers", "num_decoder_layers"),
    *("dropout", "attention_dropout", "activation_dropout", "pad_id"),
    *("activation", "norm", "positions", "position_offset", "max_positions"),
    *("scale_embedding", "output_bias", "tied", "source_vocab_size", "decoder"),
}
"""Fields of `ModelConfig` that `arrange` looks at, or that translating does not depend on."""

EPSILON = 1e-5
"""What layer norms add to the variance, as `nn.LayerNorm` does."""


def arrange(
    model: Weights | Transformer, forbidden_ids: Sequence[int], shortlist: Shortlist | None = None
) -> Plan[Array]:
    """Return the plan of a model; what needs no joining shares the model's memory.

    Its weights are in float32, or its matrices in 8 bits. `forbidden_ids` are never produced, and
    take no share of the probability.

    Raises:
        ConfigError: a choice of the model's configuration is not known here; it is named.
    """
    weights = model if isinstance(model, Weights) else weights_of(model)
    config = weights.config
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        if field.name not in KNOWN and value != field.default:
            raise ConfigError([f"{field.name}: no runtime computes {value!r}"], "model")
    chosen(config, "activation", dict.fromkeys(get_args(Activation)))
    chosen(config, "decoder", IS_RECURRENT)
    chosen(config, "tied", OWN_MATRICES)
    return _Walk(weights).plan(forbidden_ids, shortlist)


class _Walk:
    def __init__(self, weights: Weights) -> None:
        self._config, self._arrays = weights.config, weights.arrays

    def plan(self, forbidden_ids: Sequence[int], shortlist: Shortlist | None) -> Plan[Array]:
        config, own = self._config, OWN_MATRICES[self._config.tied]
        source = target = self._embedding("embedding")
        if "embedding" in own:
            target = self._embedding("decoder_embedding")
        is_pre = is_pre_norm(config)
        return Plan(
            config=config,
            activation=config.activation,
            is_pre=is_pre,
            source=source,
            target=target,
            encoder=tuple(map(self._encoder_layer, range(config.num_encoder_layers))),
            encoder_norm=self._norm("encoder_norm") if is_pre else None,
            decoder=tuple(map(self._decoder_layer, range(config.num_decoder_layers))),
            decoder_norm=self._norm("decoder_norm") if is_pre else None,
            output=self._output(target, "output" in own, forbidden_ids),
            shortlist=shortlist,
        )

    def _floats(self, name: str) -> Array:
        array = self._arrays[name]
        assert not isinstance(array, Int8Matrix)
        return array

    def _matrix(self, name: str) -> tuple[Array, Array | None]:
        """Return a matrix: floats, or levels and their scales."""
        array = self._arrays[name]
        return (array.levels, array.scales) if isinstance(array, Int8Matrix) else (array, None)

    def _embedding(self, name: str) -> Embedding[Array]:
        config = self._config
        if config.positions == "learned":
            num_positions = config.max_positions - config.position_offset
            table = self._floats(f"{name}.{POSITION_TABLE}")
            positions = partial(_learned_positions, config, table)
        else:
            num_positions = UNLIMITED
            chosen(config, "positions", POSITIONS)
            positions = partial(position_vectors, config)
        weight, scales = self._matrix(f"{name}.weight")
        scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        return Embedding(weight, scale, positions, num_positions, scales)

    def _output(
        self, target: Embedding[Array], has_own: bool, forbidden_ids: Sequence[int]
    ) -> Linear[Array]:
        weight, scales = self._matrix("output") if has_own else (target.weight, target.scales)
        bias = np.zeros(len(weight), np.float32)
        if self._config.output_bias:
            bias += self._floats("output_bias")
        bias[list(forbidden_ids)] = FORBIDDEN
        return Linear("output", weight, bias, scales)

    def _encoder_layer(self, number: int) -> EncoderWeights[Array]:
        name, layer = f"encoder.{number}", f"encoder_layers.{number}"
        heads = f"{layer}.self_attention"
        return EncoderWeights(
            norm=self._norm(f"{heads}_residual.norm"),
            qkv=self._joined(f"{name}.qkv", heads, "query", "key", "value"),
            attention_out=self._joined(f"{name}.attention_out", heads, "out"),
            feed_forward=self._network(name, f"{layer}.feed_forward"),
        )

    def _decoder_layer(self, number: int) -> DecoderWeights[Array]:
        name, layer = f"decoder.{number}", f"decoder_layers.{number}"
        cross = f"{layer}.cross_attention"
        return DecoderWeights(
            self_norm=self._norm(f"{layer}.self_attention_residual.norm"),
            past=self._past(name, layer),
            cross_norm=self._norm(f"{cross}_residual.norm"),
            query=self._joined(f"{name}.query", cross, "query"),
            cross_out=self._joined(f"{name}.cross_out", cross, "out"),
            feed_forward=self._network(name, f"{layer}.feed_forward"),
            memory=self._joined(f"{name}.memory", cross, "key", "value"),
        )

    def _past(self, name: str, layer: str) -> SelfAttention[Array] | Recurrence[Array]:
        if is_recurrent(self._config):
            unit = f"{layer}.recurrence"
            return Recurrence(self._joined(f"{name}.gates", unit, "candidate", "gate"))
        heads = f"{layer}.self_attention"
        return SelfAttention(
            qkv=self._joined(f"{name}.qkv", heads, "query", "key", "value"),
            out=self._joined(f"{name}.self_out", heads, "out"),
        )

    def _network(self, name: str, network: str) -> Network[Array]:
        return Network(
            norm=self._norm(f"{network}_residual.norm"),
            inner=self._layer(f"{name}.feed_forward.inner", f"{network}.inner_proj"),
            out=self._layer(f"{name}.feed_forward.out", f"{network}.out_proj"),
        )

    def _joined(self, name: str, module: str, *parts: str) -> Linear[Array]:
        """Return projections laid side by side."""
        layers = [self._layer(name, f"{module}.{part}_proj") for part in parts]
        if len(layers) == 1:
            return layers[0]
        scales = [layer.scales for layer in layers if layer.scales is not None]
        return Linear(
            name,
            np.concatenate([layer.weight for layer in layers]),
            np.concatenate([layer.bias for layer in layers]),
            np.concatenate(scales) if scales else None,
        )

    def _layer(self, name: str, layer: str) -> Linear[Array]:
        weight, scales = self._matrix(f"{layer}.weight")
        bias = f"{layer}.bias"
        if bias in self._arrays:
            return Linear(name, weight, self._floats(bias), scales)
        return Linear(name, weight, np.zeros(len(weight), np.float32), scales)

    def _norm(self, name: str) -> Norm[Array]:
        return Norm(self._floats(f"{name}.weight"), self._floats(f"{name}.bias"), EPSILON)


def _learned_positions(config: ModelConfig, table: Array, length: int) -> Array:
    return table[learned_places(config, length)]
