"""A model on a GPU that searches there; see `contract.Runtime`.

Letters: V pieces, D width of the residual stream.
"""

from __future__ import annotations

import dataclasses
from typing import TypeVar

import torch
from torch import Tensor
from torch.nn import functional as F

from translator.config import Activation, DecodingOptions
from translator.model.layers import ACTIVATIONS
from translator.runtime.device.batch import DeviceBatch
from translator.runtime.device.graphs import Graphs, new_stream
from translator.runtime.device.network import DeviceNetwork
from translator.runtime.device.slots import Capacity, slot_bytes
from translator.runtime.device.step import SECTION
from translator.runtime.layers import TorchRuntime, on_device
from translator.runtime.plan import FORBIDDEN, DecoderWeights, EncoderWeights, Plan, mapped
from translator.search.rows import Array, round_up

CACHE_SHARE = 8
"""A batch has at most so many parts of a GPU's memory: there is one for each lane of the engine."""

CPU_CACHE_BYTES = 1 << 30
"""What a batch has where it is tested, on a CPU."""

WIDTH_STEP = 8
"""GPUs multiply matrices fastest whose widths are multiples of this."""

Layer = TypeVar("Layer", EncoderWeights[Tensor], DecoderWeights[Tensor])


class DeviceRuntime(TorchRuntime):
    """Encodes sources, takes decoder steps and searches, on one device."""

    def __init__(
        self, plan: Plan[Array], device: str = "cpu", dtype: torch.dtype | None = None
    ) -> None:
        """Arrange the weights of a plan in floats.

        Layers, keys and values are of the dtype; if None, of bfloat16 on a GPU that computes with
        it, else float32.
        """
        there = on_device(plan, device)
        dtype = dtype or best_dtype(there.output.weight.device)
        super().__init__(narrowed(there, dtype))
        self._network = DeviceNetwork(self.plan)
        self.cache_bytes = _cache_bytes(self.device)
        self._stream = new_stream(self.device)
        # It makes a plan for every new shape, tens of milliseconds each. This is a switch of the
        # whole process: turned for our calls alone, another thread's would turn it back.
        torch.backends.cuda.enable_cudnn_sdp(False)

    @property
    def dtype(self) -> torch.dtype:
        """Return that of layers, keys and values."""
        return self._network.dtype

    @property
    def most_rows(self) -> int:
        """Return for how many rows there is memory: half of a batch's, for their logits."""
        return max(1, self.cache_bytes // (2 * 6 * self.config.vocab_size))

    @property
    def most_tokens(self) -> int:
        """Return for how many rows times ids of the longest source there is memory.

        A translation may be twice as long as its source, and is seldom longer; the source takes
        less than a third of what its beams take.
        """
        position = Capacity(1, 0, 1)
        return self.cache_bytes // (3 * slot_bytes(self.plan, position, 1, self.dtype))

    def warm_up(self) -> None:
        """Let PyTorch load what translating takes, which needs a second or two on a GPU."""
        for beam_size in (1, 4):
            batch = self.batch(beam_size, 0, 0)
            batch.admit([[0]], [8], [DecodingOptions(beam_size=beam_size)], [()])
            while not batch.step(1, waits=True):
                pass

    def batch(self, beam_size: int, bos_id: int, eos_id: int) -> DeviceBatch:
        """Return a batch without sentences; see `contract.Runtime`."""
        graphs = Graphs(self._stream)
        return DeviceBatch(self._network, graphs, beam_size, bos_id, eos_id, self.cache_bytes)


def best_dtype(device: torch.device) -> torch.dtype:
    """Return the type that a device computes fastest with: bfloat16 on GPUs that have it."""
    if device.type != "cuda":
        return torch.float32
    with torch.cuda.device(device):
        has_bfloat16 = torch.cuda.is_bf16_supported(including_emulation=False)
    return torch.bfloat16 if has_bfloat16 else torch.float32


def _cache_bytes(device: torch.device) -> int:
    """Return how much memory a batch may have for what it remembers of sentences."""
    if device.type != "cuda":
        return CPU_CACHE_BYTES
    return torch.cuda.get_device_properties(device).total_memory // CACHE_SHARE


def narrowed(plan: Plan[Tensor], dtype: torch.dtype) -> Plan[Tensor]:
    """Return the plan with its layers in `dtype`, as `DeviceNetwork` runs them.

    Embeddings stay in float32, since only a few rows of them are read: their sum with the positions
    is rounded once. The output has whole sections, and feed-forward networks their last bias in a
    matrix.
    """
    plan = dataclasses.replace(
        plan,
        encoder=tuple(_biased_inside(layer, plan.activation) for layer in plan.encoder),
        decoder=tuple(_biased_inside(layer, plan.activation) for layer in plan.decoder),
    )
    layers = mapped(plan, lambda weight: weight.to(dtype))
    found = dataclasses.replace(layers, source=plan.source, target=plan.target)
    more = round_up(len(plan.output.weight), SECTION) - len(plan.output.weight)
    output = dataclasses.replace(
        found.output,
        weight=F.pad(found.output.weight, (0, 0, 0, more)),
        bias=F.pad(found.output.bias, (0, more), value=FORBIDDEN),
    )
    return dataclasses.replace(found, output=output)


def _biased_inside(layer: Layer, activation: Activation) -> Layer:
    """Return a layer that does the same, whose feed-forward network has its last bias in a matrix.

    One more number inside is the same for every input, and the matrix multiplies it by the bias. So
    product, bias and residual are one sum, which a GPU computes with one kernel.
    """
    inner, out = layer.feed_forward.inner, layer.feed_forward.out
    more = torch.zeros(WIDTH_STEP, device=inner.bias.device)
    more[0] = 1.0
    columns = torch.zeros(len(out.bias), WIDTH_STEP, device=out.bias.device)
    columns[:, 0] = out.bias / ACTIVATIONS[activation](torch.ones(()))
    network = dataclasses.replace(
        layer.feed_forward,
        inner=dataclasses.replace(
            inner,
            weight=F.pad(inner.weight, (0, 0, 0, WIDTH_STEP)),
            bias=torch.cat([inner.bias, more]),
        ),
        out=dataclasses.replace(
            out, weight=torch.cat([out.weight, columns], 1), bias=torch.zeros_like(out.bias)
        ),
    )
    return dataclasses.replace(layer, feed_forward=network)
