"""The weights of a Transformer by name, in NumPy's arrays.

Model directories are read into this, and engines on a CPU are made of it, so that translating there
needs no PyTorch: importing it takes a second and 120 MB. `Weights.model` makes the module that one
trains and reads beside the paper.

Letters: D width of the residual stream, F width inside a feed-forward network, V pieces.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from translator.config import ModelConfig
from translator.model.choices import OWN_MATRICES, chosen, is_pre_norm, is_recurrent
from translator.model.int8 import Int8Matrix, to_int8

if TYPE_CHECKING:
    from translator.model.transformer import Transformer

POSITION_TABLE = "position_table"
"""Ends the names of learned positions."""

ATTENTION = ("query_proj", "key_proj", "value_proj", "out_proj")


@dataclass(frozen=True, slots=True)
class Weights:
    """All weights of a model."""

    config: ModelConfig  # of the model
    # by the names that `Transformer.state_dict` has; float32, or matrices in 8 bits
    arrays: Mapping[str, NDArray[np.float32] | Int8Matrix]

    @property
    def is_int8(self) -> bool:
        """Whether the matrices are in 8 bits."""
        return any(isinstance(array, Int8Matrix) for array in self.arrays.values())

    @property
    def num_bytes(self) -> int:
        """Return the memory of all of them."""
        return sum(array.nbytes for array in self.arrays.values())

    def floats(self) -> Weights:
        """Return the same numbers in float32."""
        arrays = {
            name: array.floats() if isinstance(array, Int8Matrix) else array
            for name, array in self.arrays.items()
        }
        return dataclasses.replace(self, arrays=arrays)

    def rounded(self) -> Weights:
        """Return weights whose matrices are in 8 bits; all others are shared."""
        names = matrix_names(self.config)
        arrays = {
            name: to_int8(array) if name in names and not isinstance(array, Int8Matrix) else array
            for name, array in self.arrays.items()
        }
        return dataclasses.replace(self, arrays=arrays)

    def model(self) -> Transformer:
        """Return a module in evaluation mode; what is in float32 shares its memory.

        Raises:
            RuntimeError: names or shapes differ from those of the model.
        """
        import torch

        from translator.model.transformer import make_empty_model

        model = make_empty_model(self.config)
        floats = self.floats().arrays
        tensors = {name: torch.from_numpy(array) for name, array in floats.items()}
        model.load_state_dict(tensors, assign=True)
        return model.eval()


def weights_of(model: Transformer) -> Weights:
    """Return the weights of a module; on a CPU they share its memory."""
    arrays = {
        name: tensor.detach().float().cpu().numpy() for name, tensor in model.state_dict().items()
    }
    return Weights(model.config, arrays)


def matrix_names(config: ModelConfig) -> set[str]:
    """Return the names of what int8 stores: linear layers, embeddings and output."""
    return {
        name
        for name, shape in shapes_of(config).items()
        if len(shape) == 2 and not name.endswith(POSITION_TABLE)
    }


def shapes_of(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight that a model has, by name.

    `Transformer.state_dict` has the same names and shapes.

    Raises:
        ConfigError: a choice of the configuration is unknown.
    """
    shapes = dict(_of_embeddings(config))
    for number in range(config.num_encoder_layers):
        shapes |= _of_layer(config, f"encoder_layers.{number}", False)
    for number in range(config.num_decoder_layers):
        shapes |= _of_layer(config, f"decoder_layers.{number}", True)
    if is_pre_norm(config):
        shapes |= {**_of_norm(config, "encoder_norm"), **_of_norm(config, "decoder_norm")}
    return shapes


def _of_embeddings(config: ModelConfig) -> Iterator[tuple[str, tuple[int, ...]]]:
    own = chosen(config, "tied", OWN_MATRICES)
    count = config.vocab_size
    for name, num_pieces in (("embedding", config.num_source_pieces), ("decoder_embedding", count)):
        if name == "embedding" or "embedding" in own:
            yield f"{name}.weight", (num_pieces, config.d_model)
            if config.positions == "learned":
                yield f"{name}.{POSITION_TABLE}", (config.max_positions, config.d_model)
    if "output" in own:
        yield "output", (count, config.d_model)
    if config.output_bias:
        yield "output_bias", (count,)


def _of_layer(config: ModelConfig, layer: str, is_decoder: bool) -> dict[str, tuple[int, ...]]:
    width, inner = config.d_model, config.d_ff
    shapes: dict[str, tuple[int, ...]] = {}

    def add(name: str, outputs: int, inputs: int) -> None:
        shapes[f"{layer}.{name}.weight"] = outputs, inputs
        shapes[f"{layer}.{name}.bias"] = (outputs,)

    if is_decoder and is_recurrent(config):
        shapes[f"{layer}.recurrence.candidate_proj.weight"] = width, width
        add("recurrence.gate_proj", width, width)
    else:
        for projection in ATTENTION:
            add(f"self_attention.{projection}", width, width)
    for projection in ATTENTION if is_decoder else ():
        add(f"cross_attention.{projection}", width, width)
    add("feed_forward.inner_proj", inner, width)
    add("feed_forward.out_proj", width, inner)
    for sublayer in (
        "self_attention",
        *(["cross_attention"] if is_decoder else []),
        "feed_forward",
    ):
        shapes |= _of_norm(config, f"{layer}.{sublayer}_residual.norm")
    return shapes


def _of_norm(config: ModelConfig, name: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (config.d_model,), f"{name}.bias": (config.d_model,)}


def problem_with(config: ModelConfig, shapes: Mapping[str, Any]) -> str:
    """Return what is wrong with weights of these shapes; empty if they are those of the model.

    The first name that is wrong is told.
    """
    expected = shapes_of(config)
    if missing := expected.keys() - shapes.keys():
        return f"lacks the weights of {min(missing)}"
    if others := shapes.keys() - expected.keys():
        return f"has weights for {min(others)}, which the model has not"
    for name, shape in expected.items():
        if tuple(shapes[name]) != shape:
            return f"{name} has the shape {tuple(shapes[name])}, the configuration says {shape}"
    return ""
