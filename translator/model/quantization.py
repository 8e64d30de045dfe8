"""Linear layers for translation: plain ones, and int8 ones with scales that were fixed beforehand.

An int8 layer computes with 8-bit inputs and weights and exact 32-bit sums. The scale of a weight is
that of its output channel; the scale of an input was measured once, on calibration text, and is the
same for every sentence. A scale taken from the batch at hand would make a translation depend on
what it was batched with.

This is the one file that knows PyTorch's quantised operators: FBGEMM's are the fastest for few
rows, oneDNN's for many.

Source: Jacob et al. 2018, §2; Wu et al. 2020, §3 (per-channel weights, calibration by maximum).
"""

import warnings
from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.errors import ConfigError

MANY_ROWS: int = 96
"""From so many rows on oneDNN is faster, the separate quantisation of its input included."""

Range = tuple[float, ...]
"""The lowest and the highest input of a layer."""

LinearFactory = Callable[[str, Tensor, Tensor, bool], nn.Module]
"""Makes a layer of (name, weight (F, D), bias (F,), whether ReLU follows)."""


class FloatLinear(nn.Module):
    """x W^T + b, and ReLU if wanted, in the precision of the weights."""

    def __init__(self, weight: Tensor, bias: Tensor, relu: bool = False) -> None:
        """Keep the weight (F, D) and the bias (F,)."""
        super().__init__()
        self.weight, self.bias, self.relu = weight, bias, relu

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F)."""
        out = F.linear(x, self.weight, self.bias)
        return out.relu_() if self.relu else out


class Int8Linear(nn.Module):
    """The same in int8, float32 in and out."""

    def __init__(self, weight: Tensor, bias: Tensor, relu: bool, input_range: Range) -> None:
        """Quantise and pack the weights.

        Args:
            weight: (F, D) float32.
            bias: (F,) float32.
            relu: whether ReLU follows.
            input_range: lowest and highest input that are told apart; others saturate.
        """
        super().__init__()
        num_outputs = weight.size(0)
        self.relu, self.post_op = relu, "relu" if relu else "none"
        self.many_rows = MANY_ROWS
        low, high = min(input_range[0], 0.0), max(input_range[1], 0.0)
        self.scale = max(high - low, 1e-8) / 255
        self.zero_point = round(-low / self.scale)
        self.weight_scales = weight.abs().amax(dim=1).clamp(min=1e-8) / 127
        self.weight_zeros = torch.zeros(num_outputs, dtype=torch.long)
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
            quantized = torch.quantize_per_tensor(x, self.scale, self.zero_point, torch.quint8)
            many: Tensor = torch.ops.onednn.qlinear_pointwise(
                as_bytes(quantized),
                self.scale,
                self.zero_point,
                self.packed_for_many,
                self.weight_scales,
                self.weight_zeros,
                self.bias,
                1.0,
                0,
                torch.float32,
                self.post_op,
                [],
                "",
            )
            return many
        if self.relu:
            positive: Tensor = (
                torch.ops.quantized.linear_with_input_q_dq_qweight_dq_relu_output_fp32(
                    x, self.scale, self.zero_point, self.packed
                )
            )
            return positive
        few: Tensor = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32(
            x, self.scale, self.zero_point, self.packed
        )
        return few


@torch.jit.ignore  # type: ignore[untyped-decorator]
def as_bytes(quantized: Tensor) -> Tensor:
    """Return the uint8 values of a quint8 tensor without copying, which `int_repr` does."""
    return quantized.view(torch.uint8)


class ObservedLinear(FloatLinear):
    """A float layer that remembers the range of what it was given."""

    def __init__(self, weight: Tensor, bias: Tensor, relu: bool = False) -> None:
        """Keep the weight (F, D) and the bias (F,)."""
        super().__init__(weight, bias, relu)
        self.input_range: Range = (0.0, 0.0)

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F)."""
        low, high = torch.aminmax(x)
        self.input_range = (
            min(self.input_range[0], float(low)),
            max(self.input_range[1], float(high)),
        )
        return super().forward(x)


def float_linear(name: str, weight: Tensor, bias: Tensor, relu: bool) -> nn.Module:
    """Make a plain layer."""
    return FloatLinear(weight, bias, relu)


def is_int8_exact() -> bool:
    """Return whether this CPU sums 8-bit products exactly; older ones saturate at 16 bits."""
    return bool(torch.cpu._is_vnni_supported())


def int8_linear(ranges: Mapping[str, Range]) -> LinearFactory:
    """Return what makes int8 layers, given the range of each layer's input, by name.

    Raises:
        ConfigError: when a layer is made that has no range.
    """

    def make(name: str, weight: Tensor, bias: Tensor, relu: bool) -> nn.Module:
        if name not in ranges:
            raise ConfigError(
                [f"input_ranges: lacks {name}, so int8 has no scale for it; export the model again"]
            )
        return Int8Linear(weight, bias, relu, ranges[name])

    return make
