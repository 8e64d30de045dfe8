"""Int8 linear layers with scales that were fixed beforehand, and what makes them.

An int8 layer computes with 8-bit inputs and weights and exact 32-bit sums. The scale of a weight is
that of its output channel; the scale of an input was measured once, on calibration text, and is the
same for every sentence. A scale taken from the batch at hand would make a translation depend on
what it was batched with.

This is the one file that knows PyTorch's quantised operators: FBGEMM's are the fastest for few
rows, oneDNN's for many.

Source: Jacob et al. 2018, §2; Wu et al. 2020, §3 (per-channel weights, calibration by maximum).
"""

import math
import warnings
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.errors import ConfigError
from translator.model.linear import FeedForwardPair, Range


def is_int8_exact() -> bool:
    """Return whether this CPU sums 8-bit products exactly; older ones saturate at 16 bits."""
    return bool(torch.cpu._is_vnni_supported())


MANY_ROWS = 48
"""From so many rows on, oneDNN is the faster for the output layer."""

ROWS_MULTIPLE = 16
"""It then gets a multiple of this: it prepares itself anew for every number of rows."""


def input_scale(input_range: Range) -> float:
    """Return the difference between neighbouring inputs: 255 of them span the range and 0."""
    low, high = min(input_range[0], 0.0), max(input_range[1], 0.0)
    return max(high - low, 1e-8) / 255


class Int8Weights(nn.Module):
    """Weights of one linear layer in int8, and the scale of its inputs.

    Attributes:
        scale: difference between neighbouring inputs.
        zero_point: the byte that means 0.
    """

    def __init__(self, weight: Tensor, bias: Tensor, input_range: Range) -> None:
        """Quantise.

        Args:
            weight: (F, D) float32.
            bias: (F,) float32.
            input_range: lowest and highest input that are told apart; others saturate.
        """
        super().__init__()
        self.scale = input_scale(input_range)
        self.zero_point = round(-min(input_range[0], 0.0) / self.scale)
        self.weight_scales = weight.abs().amax(dim=1).clamp(min=1e-8) / 127
        self.weight_zeros = torch.zeros(weight.size(0), dtype=torch.long)
        self.bias = bias

    def quantized(self, weight: Tensor) -> Tensor:
        """Return the weight as a quantised tensor."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deprecated, not yet replaced
            found: Tensor = torch.quantize_per_channel(
                weight, self.weight_scales.double(), self.weight_zeros, 0, torch.qint8
            )
            return found


class FewRowsLinear(Int8Weights):
    """x W^T + b with FBGEMM, which quantises its input itself: the fastest for up to 100 rows."""

    def __init__(self, weight: Tensor, bias: Tensor, input_range: Range) -> None:
        """Quantise and pack; see `Int8Weights`."""
        super().__init__(weight, bias, input_range)
        self.packed = torch.ops.quantized.linear_prepack(self.quantized(weight), bias)

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F), float32."""
        out: Tensor = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32(
            x, self.scale, self.zero_point, self.packed
        )
        return out

    def forward_relu(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F), none below 0."""
        out: Tensor = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_relu_output_fp32(
            x, self.scale, self.zero_point, self.packed
        )
        return out


class ManyRowsLinear(Int8Weights):
    """x W^T + b with oneDNN, which maps bytes to bytes or floats: the fastest from 100 rows on."""

    def __init__(self, weight: Tensor, bias: Tensor, input_range: Range) -> None:
        """Quantise and pack; see `Int8Weights`."""
        super().__init__(weight, bias, input_range)
        self.packed = torch.ops.onednn.qlinear_prepack(self.quantized(weight).int_repr(), None)

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F), float32."""
        return self.of_bytes(self.to_bytes(x), 1.0, 0, torch.float32, "none")

    def to_bytes(self, x: Tensor) -> Tensor:
        """Quantise inputs: (M, D) float32 to uint8."""
        quantized = torch.quantize_per_tensor(x, self.scale, self.zero_point, torch.quint8)
        found: Tensor = as_bytes(quantized)
        return found

    def of_bytes(
        self, x: Tensor, scale: float, zero_point: int, dtype: torch.dtype, post_op: str
    ) -> Tensor:
        """Map quantised inputs (M, D) uint8 to (M, F), uint8 of that scale or float32."""
        out: Tensor = torch.ops.onednn.qlinear_pointwise(
            x,
            self.scale,
            self.zero_point,
            self.packed,
            self.weight_scales,
            self.weight_zeros,
            self.bias,
            scale,
            zero_point,
            dtype,
            post_op,
            [],
            "",
        )
        return out


class LogitsLinear(nn.Module):
    """x W^T + b of the output layer with whichever kernel is faster for the rows at hand.

    FBGEMM multiplies a sum once, by the product of both scales, oneDNN by one after the other. The
    two are equal to the last bit, so that a choice between near ties does not depend on company,
    if the scale of the inputs is a power of two: they are stretched until it is, and the weights
    shrunk as much. (What is added afterwards is 0 or beyond all other logits.)
    """

    def __init__(self, weight: Tensor, bias: Tensor, input_range: Range) -> None:
        """Quantise and pack for both; see `Int8Weights`."""
        super().__init__()
        scale = input_scale(input_range)
        self.stretch = 2.0 ** round(math.log2(scale)) / scale
        stretched = tuple(self.stretch * end for end in input_range)
        self.few = FewRowsLinear(weight / self.stretch, bias, stretched)
        self.many = ManyRowsLinear(weight / self.stretch, bias, stretched)
        self.many_rows, self.rows_multiple = MANY_ROWS, ROWS_MULTIPLE

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, V), float32."""
        x, num_rows = x * self.stretch, x.size(0)
        if num_rows < self.many_rows:
            few: Tensor = self.few(x)
            return few
        missing = -num_rows % self.rows_multiple
        many: Tensor = self.many(F.pad(x, (0, 0, 0, missing)) if missing else x)
        return many[:num_rows]


@torch.jit.ignore  # type: ignore[untyped-decorator]
def as_bytes(quantized: Tensor) -> Tensor:
    """Return the uint8 values of a quint8 tensor without copying, which `int_repr` does."""
    storage, shape, stride = quantized.untyped_storage(), quantized.shape, quantized.stride()
    return torch.empty(0, dtype=torch.uint8).set_(storage, 0, shape, stride)


class FewRowsFeedForward(nn.Module):
    """Two layers with ReLU between them."""

    def __init__(self, inner: FewRowsLinear, out: FewRowsLinear) -> None:
        """Keep the layers."""
        super().__init__()
        self.inner, self.out = inner, out

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, D)."""
        out: Tensor = self.out(self.inner.forward_relu(x))
        return out


class ManyRowsFeedForward(nn.Module):
    """Two layers with ReLU between them, whose values stay bytes."""

    def __init__(self, inner: ManyRowsLinear, out: ManyRowsLinear) -> None:
        """Keep the layers."""
        super().__init__()
        self.inner, self.out = inner, out

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, D)."""
        out = self.out
        inner = self.inner.of_bytes(
            self.inner.to_bytes(x), out.scale, out.zero_point, torch.uint8, "relu"
        )
        found: Tensor = out.of_bytes(inner, 1.0, 0, torch.float32, "none")
        return found


class Int8Layers:
    """Makes int8 layers: for many rows in the encoder, for few in the decoder.

    The two kinds round differently. Choosing by the rows at hand would make a translation depend
    on what it was batched with.
    """

    def __init__(self, ranges: Mapping[str, Range]) -> None:
        """Keep the range of each layer's input, by name."""
        self._ranges = ranges

    def linear(
        self, name: str, weight: Tensor, bias: Tensor
    ) -> FewRowsLinear | ManyRowsLinear | LogitsLinear:
        """See `LayerFactory`.

        Raises:
            ConfigError: the layer has no range.
        """
        if name not in self._ranges:
            raise ConfigError(
                [f"input_ranges: lacks {name}, so int8 has no scale for it; export the model again"]
            )
        if name == "logits":
            return LogitsLinear(weight, bias, self._ranges[name])
        reads_sources = name.startswith("encoder") or name.endswith("memory")
        kind = ManyRowsLinear if reads_sources else FewRowsLinear
        return kind(weight, bias, self._ranges[name])

    def feed_forward(
        self, name: str, inner: tuple[Tensor, Tensor], out: tuple[Tensor, Tensor], activation: str
    ) -> nn.Module:
        """See `LayerFactory`."""
        first, second = self.linear(f"{name}.inner", *inner), self.linear(f"{name}.out", *out)
        if activation != "relu":
            return FeedForwardPair(first, second, activation)
        if isinstance(first, ManyRowsLinear) and isinstance(second, ManyRowsLinear):
            return ManyRowsFeedForward(first, second)
        assert isinstance(first, FewRowsLinear)
        assert isinstance(second, FewRowsLinear)
        return FewRowsFeedForward(first, second)
