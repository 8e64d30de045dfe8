"""How fast the kernels multiply on this machine, in one thread."""

from __future__ import annotations

import time

import numpy as np
import torch

from translator.runtime.kernels.products import Matrix, multiply
from translator.runtime.kernels.records import FloatWeights, Int8Weights, aligned
from translator.runtime.kernels.tile import STORE
from translator.runtime.kernels.vectors import UNIT_BYTES
from translator.runtime.plan import Linear

ROWS, INPUTS, OUTPUTS = 60, 512, 2048
MEASURED_S = 0.2


def multiply_adds_per_s(precision: str) -> float:
    """Return the multiply-adds a second of a layer of 512 inputs and 2,048 outputs, 60 rows.

    Args:
        precision: `int8` or `float32`.
    """
    weights = Int8Weights() if precision == "int8" else FloatWeights()
    layer = Linear("measured", torch.randn(OUTPUTS, INPUTS), torch.zeros(OUTPUTS))
    [record] = np.array([weights.linear(layer)], weights.linear_type)
    inputs = aligned(ROWS * 4 * int(record["depth"]), np.uint8)
    units, out = aligned(ROWS * UNIT_BYTES, np.uint8), aligned(ROWS * OUTPUTS, np.float32)
    to = Matrix(out.ctypes.data, 4 * OUTPUTS)
    given = inputs.ctypes.data, units.ctypes.data, ROWS, to, STORE
    multiply(record, *given)
    best, ends_s = float("inf"), time.perf_counter() + MEASURED_S
    while (started_s := time.perf_counter()) < ends_s:
        multiply(record, *given)
        best = min(best, time.perf_counter() - started_s)
    return ROWS * INPUTS * OUTPUTS / best
