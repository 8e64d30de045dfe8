"""A Transformer's weights, arranged once: whatever runs a model takes this, and walks no layers.

Projections of the same input lie side by side in one. `arrange.py` makes plans, and refuses by name
what a plan cannot say.

Letters: V pieces, D width of the residual stream, F width inside a feed-forward network, H heads of
K numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from translator.config import Activation, ModelConfig
from translator.tokens.shortlist import Shortlist

FORBIDDEN = -1e9
"""Added to the logits of ids that are never produced: exp() of it is 0, and it stays finite."""

UNLIMITED = 1 << 40
"""Positions that have a formula."""


@dataclass(frozen=True, slots=True)
class Linear:
    """x W^T + b.

    Attributes:
        name: for messages.
        weight: (outputs, inputs) float32; levels in int8 if there are scales.
        bias: (outputs,) float32.
        scales: (outputs,) float32 that the rows of levels are multiplied by; None for floats.
    """

    name: str
    weight: Tensor
    bias: Tensor
    scales: Tensor | None = None


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation: weight (D,), bias (D,) and what is added to the variance."""

    weight: Tensor
    bias: Tensor
    eps: float


@dataclass(frozen=True, slots=True)
class Network:
    """A feed-forward network D → F → D, and the norm before or behind it."""

    norm: Norm
    inner: Linear
    out: Linear


@dataclass(frozen=True, slots=True)
class EncoderWeights:
    """A layer of the encoder.

    Attributes:
        norm: of self-attention.
        qkv: D → 3 · H · K, queries, keys and values.
        attention_out: H · K → D.
        feed_forward: comes last.
    """

    norm: Norm
    qkv: Linear
    attention_out: Linear
    feed_forward: Network


@dataclass(frozen=True, slots=True)
class SelfAttention:
    """How a decoder layer knows the target so far: by attention to it.

    Attributes:
        qkv: D → 3 · H · K, queries, keys and values.
        out: H · K → D.
    """

    qkv: Linear
    out: Linear


@dataclass(frozen=True, slots=True)
class Recurrence:
    """How a decoder layer knows the target so far: by one vector, see `model/recurrence.py`.

    Attributes:
        gates: D → 2 · D, candidates and then gates.
    """

    gates: Linear


@dataclass(frozen=True, slots=True)
class DecoderWeights:
    """A layer of the decoder.

    Attributes:
        self_norm: of what follows.
        past: by which the target so far is known; of one kind in all layers.
        cross_norm: of attention to the encoder's output.
        query: D → H · K.
        cross_out: H · K → D.
        feed_forward: comes last.
        memory: D → 2 · H · K, keys and values of the encoder's output.
    """

    self_norm: Norm
    past: SelfAttention | Recurrence
    cross_norm: Norm
    query: Linear
    cross_out: Linear
    feed_forward: Network
    memory: Linear


@dataclass(frozen=True, slots=True)
class Embedding:
    """Vectors of pieces and of their positions.

    Attributes:
        weight: (V, D) float32; levels in int8 if there are scales.
        scale: what they are multiplied by.
        positions: returns what is then added at the first positions, (length, D) float32, given
            their number.
        num_positions: how many there are.
        scales: (V,) float32 that the rows of levels are multiplied by; None for floats.
    """

    weight: Tensor
    scale: float
    positions: Callable[[int], Tensor]
    num_positions: int
    scales: Tensor | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A model in evaluation mode, as it is run; its matrices are floats, or all of them in int8.

    Attributes:
        config: of the model.
        activation: of all feed-forward networks.
        is_pre: whether sublayers normalise their input, not the sum that they are added to.
        source: embeddings that the encoder reads.
        target: embeddings that the decoder reads.
        encoder: its layers.
        encoder_norm: behind them, if any.
        decoder: its layers.
        decoder_norm: behind them, if any.
        output: D → V, `FORBIDDEN` in the bias of ids that are never produced.
        shortlist: which ids a sentence's translation may have; None for all of them.
    """

    config: ModelConfig
    activation: Activation
    is_pre: bool
    source: Embedding
    target: Embedding
    encoder: tuple[EncoderWeights, ...]
    encoder_norm: Norm | None
    decoder: tuple[DecoderWeights, ...]
    decoder_norm: Norm | None
    output: Linear
    shortlist: Shortlist | None = None

    @property
    def d_k(self) -> int:
        """K."""
        return self.config.d_model // self.config.num_heads

    @property
    def is_int8(self) -> bool:
        """Whether matrices are levels and scales."""
        return self.output.scales is not None

    @property
    def num_bytes(self) -> int:
        """Return the memory of all weights."""
        found = {one.data_ptr(): one.nbytes for one in _tensors(self)}
        return sum(found.values())

    @property
    def max_target_ids(self) -> int:
        """How many ids the decoder can read."""
        return self.target.num_positions

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.output.weight.device


def _tensors(part: object) -> Iterator[Tensor]:
    """Yield the tensors of a plan or of a part of it."""
    if isinstance(part, Tensor):
        yield part
    elif isinstance(part, tuple):
        for one in part:
            yield from _tensors(one)
    elif dataclasses.is_dataclass(part):
        for field in dataclasses.fields(part):
            yield from _tensors(getattr(part, field.name))
