"""Int8 linear layers with scales that were fixed beforehand, and what makes them.

An int8 layer computes with 8-bit inputs and weights and exact 32-bit sums. The scale of a weight is
that of its output channel; the scale of an input was measured once, on calibration text, and is the
same for every sentence. A scale taken from the batch at hand would make a translation depend on
what it was batched with.

This is the one file that knows PyTorch's quantised operators: FBGEMM's are the fastest for few
rows, oneDNN's for many.

Source: Jacob et al. 2018, §2; Wu et al. 2020, §3 (per-channel weights, calibration by maximum).
"""

import warnings
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from translator.errors import ConfigError
from translator.model.linear import FeedForwardPair, Range

MANY_ROWS: int = 96
"""From so many rows on oneDNN is faster, the separate quantisation of its input included."""


def is_int8_exact() -> bool:
    """Return whether this CPU sums 8-bit products exactly; older ones saturate at 16 bits."""
    return bool(torch.cpu._is_vnni_supported())


class Int8Linear(nn.Module):
    """x W^T + b in int8, float32 in and out.

    Attributes:
        scale: difference between neighbouring inputs.
        zero_point: the byte that means 0.
    """

    def __init__(self, weight: Tensor, bias: Tensor, input_range: Range) -> None:
        """Quantise and pack the weights.

        Args:
            weight: (F, D) float32.
            bias: (F,) float32.
            input_range: lowest and highest input that are told apart; others saturate.
        """
        super().__init__()
        self.many_rows = MANY_ROWS
        low, high = min(input_range[0], 0.0), max(input_range[1], 0.0)
        self.scale = max(high - low, 1e-8) / 255
        self.zero_point = round(-low / self.scale)
        self.weight_scales = weight.abs().amax(dim=1).clamp(min=1e-8) / 127
        self.weight_zeros = torch.zeros(weight.size(0), dtype=torch.long)
        self.bias = bias
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # quantised tensors are deprecated, not yet replaced
            quantized = torch.quantize_per_channel(
                weight, self.weight_scales.double(), self.weight_zeros, 0, torch.qint8
            )
            self.packed = torch.ops.quantized.linear_prepack(quantized, bias)
            self.packed_for_many = torch.ops.onednn.qlinear_prepack(quantized.int_repr(), None)

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F)."""
        if x.size(0) >= self.many_rows:
            return self.of_bytes(self.to_bytes(x), 1.0, 0, torch.float32, "none")
        few: Tensor = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32(
            x, self.scale, self.zero_point, self.packed
        )
        return few

    def forward_relu(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F), none below 0; for few rows."""
        few: Tensor = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_relu_output_fp32(
            x, self.scale, self.zero_point, self.packed
        )
        return few

    def to_bytes(self, x: Tensor) -> Tensor:
        """Quantise inputs: (M, D) float32 to uint8."""
        quantized = torch.quantize_per_tensor(x, self.scale, self.zero_point, torch.quint8)
        found: Tensor = as_bytes(quantized)
        return found

    def of_bytes(
        self, x: Tensor, scale: float, zero_point: int, dtype: torch.dtype, post_op: str
    ) -> Tensor:
        """Map quantised inputs (M, D) uint8 to (M, F), uint8 of that scale or float32."""
        many: Tensor = torch.ops.onednn.qlinear_pointwise(
            x,
            self.scale,
            self.zero_point,
            self.packed_for_many,
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
        return many


@torch.jit.ignore  # type: ignore[untyped-decorator]
def as_bytes(quantized: Tensor) -> Tensor:
    """Return the uint8 values of a quint8 tensor without copying, which `int_repr` does."""
    return quantized.view(torch.uint8)


class Int8FeedForward(nn.Module):
    """Two int8 layers with ReLU between them; of many rows, the inner values stay bytes."""

    def __init__(self, inner: Int8Linear, out: Int8Linear) -> None:
        """Keep the layers."""
        super().__init__()
        self.inner, self.out, self.many_rows = inner, out, MANY_ROWS

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, D)."""
        if x.size(0) < self.many_rows:
            few: Tensor = self.out(self.inner.forward_relu(x))
            return few
        out = self.out
        inner = self.inner.of_bytes(
            self.inner.to_bytes(x), out.scale, out.zero_point, torch.uint8, "relu"
        )
        many: Tensor = out.of_bytes(inner, 1.0, 0, torch.float32, "none")
        return many


class Int8Layers:
    """Makes int8 layers."""

    def __init__(self, ranges: Mapping[str, Range]) -> None:
        """Keep the range of each layer's input, by name."""
        self._ranges = ranges

    def linear(self, name: str, weight: Tensor, bias: Tensor) -> Int8Linear:
        """See `LayerFactory`.

        Raises:
            ConfigError: the layer has no range.
        """
        if name not in self._ranges:
            raise ConfigError(
                [f"input_ranges: lacks {name}, so int8 has no scale for it; export the model again"]
            )
        return Int8Linear(weight, bias, self._ranges[name])

    def feed_forward(
        self, name: str, inner: tuple[Tensor, Tensor], out: tuple[Tensor, Tensor], activation: str
    ) -> nn.Module:
        """See `LayerFactory`."""
        layers = self.linear(f"{name}.inner", *inner), self.linear(f"{name}.out", *out)
        if activation == "relu":
            return Int8FeedForward(*layers)
        return FeedForwardPair(*layers, activation)
