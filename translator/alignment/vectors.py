"""Queries, keys and values of one head, kept while a model runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from torch import Tensor, nn

from translator.errors import InputError
from translator.model.attention import MultiHeadedAttention
from translator.model.transformer import Transformer


class Head(NamedTuple):
    """One head of a model.

    Attributes:
        kind: `encoder`, `decoder` or `cross`.
        layer: from 1.
        head: from 1.
    """

    kind: str
    layer: int
    head: int


@dataclass(init=False)
class HeadVectors:
    """What one head weighs, and by what.

    Attributes:
        query: (queries, K).
        key: (keys, K).
        value: (keys, Kv).
    """

    query: Tensor
    key: Tensor
    value: Tensor


def attention_of(model: Transformer, wanted: Head) -> MultiHeadedAttention:
    """Return the sublayer that a head belongs to.

    Raises:
        InputError: there is no such layer or head; the message says which there are.
    """
    layers = model.encoder_layers if wanted.kind == "encoder" else model.decoder_layers
    if not 1 <= wanted.layer <= len(layers):
        raise InputError(f"layer {wanted.layer}: there are layers 1 to {len(layers)}")
    name = "cross_attention" if wanted.kind == "cross" else "self_attention"
    found: MultiHeadedAttention | None = getattr(layers[wanted.layer - 1], name)
    if found is None:
        raise InputError("this model's decoder is recurrent and has no self-attention")
    if not 1 <= wanted.head <= found.num_heads:
        raise InputError(f"head {wanted.head}: this model has heads 1 to {found.num_heads}")
    return found


@contextmanager
def kept_vectors(model: Transformer, wanted: Head) -> Iterator[HeadVectors]:
    """Keep the vectors of one head while this thread runs the model; other threads change nothing.

    Raises:
        InputError: see `attention_of`.
    """
    attention, thread, kept = attention_of(model, wanted), threading.get_ident(), HeadVectors()

    def keep(name: str) -> Callable[[nn.Module, object, Tensor], None]:
        def hook(_: nn.Module, __: object, projected: Tensor) -> None:
            if threading.get_ident() == thread:
                # (1, T, H·K) -> (1, H, T, K) -> (T, K)
                setattr(kept, name, attention.split_heads(projected)[0, wanted.head - 1])

        return hook

    with ExitStack() as hooks:
        for name in ("query", "key", "value"):
            projection: nn.Linear = getattr(attention, f"{name}_proj")
            hooks.callback(projection.register_forward_hook(keep(name)).remove)
        yield kept
