"""A Transformer's weights, arranged once: whatever runs a model takes this, and walks no layers.

Projections of the same input lie side by side in one. `arrange.py` makes plans, and refuses by name
what a plan cannot say. Its weights are NumPy's arrays; where PyTorch computes, `mapped` makes
tensors of them.

Letters: V pieces, D width of the residual stream, F width inside a feed-forward network, H heads of
K numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from translator.config import Activation, ModelConfig
from translator.model.positions import FEW_POSITIONS
from translator.search.rows import Array
from translator.tokens.shortlist import Shortlist

Weight = TypeVar("Weight")
"""An array of NumPy, or a tensor of PyTorch."""

Other = TypeVar("Other")

FORBIDDEN = -1e9
"""Added to the logits of ids that are never produced: exp() of it is 0, and it stays finite."""

UNLIMITED = 1 << 40
"""Positions that have a formula."""


@dataclass(frozen=True, slots=True)
class Linear(Generic[Weight]):
    """x W^T + b."""

    name: str  # for messages
    weight: Weight  # (outputs, inputs) float32; levels in int8 if there are scales
    bias: Weight  # (outputs,) float32
    # (outputs,) float32 that the rows of levels are multiplied by; None for floats
    scales: Weight | None = None


@dataclass(frozen=True, slots=True)
class Norm(Generic[Weight]):
    """Layer normalisation: weight (D,), bias (D,) and what is added to the variance."""

    weight: Weight
    bias: Weight
    eps: float


@dataclass(frozen=True, slots=True)
class Network(Generic[Weight]):
    """A feed-forward network D → F → D, and the norm before or behind it."""

    norm: Norm[Weight]
    inner: Linear[Weight]
    out: Linear[Weight]


@dataclass(frozen=True, slots=True)
class EncoderWeights(Generic[Weight]):
    """A layer of the encoder."""

    norm: Norm[Weight]  # of self-attention
    qkv: Linear[Weight]  # D → 3 · H · K, queries, keys and values
    attention_out: Linear[Weight]  # H · K → D
    feed_forward: Network[Weight]  # comes last


@dataclass(frozen=True, slots=True)
class SelfAttention(Generic[Weight]):
    """How a decoder layer knows the target so far: by attention to it."""

    qkv: Linear[Weight]  # D → 3 · H · K, queries, keys and values
    out: Linear[Weight]  # H · K → D


@dataclass(frozen=True, slots=True)
class Recurrence(Generic[Weight]):
    """How a decoder layer knows the target so far: by one vector, see `model/recurrence.py`."""

    gates: Linear[Weight]  # D → 2 · D, candidates and then gates


@dataclass(frozen=True, slots=True)
class DecoderWeights(Generic[Weight]):
    """A layer of the decoder."""

    self_norm: Norm[Weight]  # of what follows
    # by which the target so far is known; of one kind in all layers
    past: SelfAttention[Weight] | Recurrence[Weight]
    cross_norm: Norm[Weight]  # of attention to the encoder's output
    query: Linear[Weight]  # D → H · K
    cross_out: Linear[Weight]  # H · K → D
    feed_forward: Network[Weight]  # comes last
    memory: Linear[Weight]  # D → 2 · H · K, keys and values of the encoder's output


@dataclass(frozen=True, slots=True)
class Embedding(Generic[Weight]):
    """Vectors of pieces and of their positions."""

    weight: Weight  # (V, D) float32; levels in int8 if there are scales
    scale: float  # what they are multiplied by
    # returns what is then added at the first positions, (length, D) float32, given their number
    positions: Callable[[int], Weight]
    num_positions: int  # how many there are
    # (V,) float32 that the rows of levels are multiplied by; None for floats
    scales: Weight | None = None


class PositionTable(Generic[Weight]):
    """Vectors of the first positions as a runtime reads them; it grows."""

    def __init__(self, embedding: Embedding[Array], change: Callable[[Array], Weight]) -> None:
        """Begin with few; `change` makes what the runtime reads of (length, D) float32."""
        self._embedding, self._change = embedding, change
        self._make(FEW_POSITIONS)

    def _make(self, length: int) -> None:
        length = min(length, self._embedding.num_positions)
        self._table = self._change(self._embedding.positions(length))
        self._length = length  # comes last: another thread may look at it

    def first(self, length: int) -> Weight:
        """Return the vectors of so many positions, and perhaps more.

        Raises:
            InputError: there are not so many.
        """
        if length > self._embedding.num_positions:
            self._embedding.positions(length)  # refuses
        if length > self._length:
            self._make(2 * length)
        return self._table


@dataclass(frozen=True, slots=True)
class Plan(Generic[Weight]):
    """A model in evaluation mode, as it is run; its matrices are floats, or all of them in int8."""

    config: ModelConfig  # of the model
    activation: Activation  # of all feed-forward networks
    is_pre: bool  # whether sublayers normalise their input, not the sum that they are added to
    source: Embedding[Weight]  # embeddings that the encoder reads
    target: Embedding[Weight]  # embeddings that the decoder reads
    encoder: tuple[EncoderWeights[Weight], ...]  # its layers
    encoder_norm: Norm[Weight] | None  # behind them, if any
    decoder: tuple[DecoderWeights[Weight], ...]  # its layers
    decoder_norm: Norm[Weight] | None  # behind them, if any
    output: Linear[Weight]  # D → V, `FORBIDDEN` in the bias of ids that are never produced
    # which ids a sentence's translation may have; None for all of them
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
        found = {id(weight): weight.nbytes for weight in _weights(self)}
        return sum(found.values())

    @property
    def max_target_ids(self) -> int:
        """How many ids the decoder can read."""
        return self.target.num_positions


def _weights(part: object) -> Iterator[Any]:
    if hasattr(part, "nbytes"):
        yield part
    elif isinstance(part, Shortlist):
        return
    elif isinstance(part, tuple):
        for inner in part:
            yield from _weights(inner)
    elif dataclasses.is_dataclass(part):
        for field in dataclasses.fields(part):
            yield from _weights(getattr(part, field.name))


def mapped(plan: Plan[Weight], change: Callable[[Weight], Other]) -> Plan[Other]:
    """Return a plan with every weight changed; one that is used twice is changed once.

    The vectors of positions are made as before.
    """
    known: dict[int, Other] = {}

    def changed(part: Any) -> Any:
        if hasattr(part, "nbytes"):
            if id(part) not in known:
                known[id(part)] = change(part)
            return known[id(part)]
        if isinstance(part, tuple):
            return tuple(map(changed, part))
        if isinstance(part, ModelConfig | Shortlist) or not dataclasses.is_dataclass(part):
            return part
        names = [field.name for field in dataclasses.fields(part)]
        changes = {name: changed(getattr(part, name)) for name in names}
        return dataclasses.replace(part, **changes)  # type: ignore[type-var]

    return cast("Plan[Other]", changed(plan))


def step_work(plan: Plan[Array]) -> int:
    """Return the multiply-adds of a row's step in products with weights."""
    matrices = (one for layer in plan.decoder for one in _weights(layer) if one.ndim == 2)
    of_sources = sum(layer.memory.weight.size for layer in plan.decoder)
    return int(plan.output.weight.size + sum(one.size for one in matrices) - of_sources)
