"""A tile of each size equals the product that NumPy computes, and ends where it should."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import stored_levels
from translator.runtime.kernels import tile
from translator.runtime.kernels.records import FLOAT_LINEAR, INT8_LINEAR, aligned
from translator.runtime.kernels.sums import FLOAT, HALF, MOST_ROWS, MOST_VECTORS
from translator.runtime.kernels.tile import ADD, STORE
from translator.runtime.kernels.unit import unit

pytestmark = NEEDS_INT8


@numba.njit  # type: ignore[untyped-decorator]
def linear_tile(
    linears: Any, rows: int, after: int, left: int, units: int, out: int, out_stride: int,
    ahead: int,
) -> None:  # fmt: skip
    tile.linear_tile(linears[0], 1, rows, after, left, units, out, out_stride, ahead)


@numba.njit  # type: ignore[untyped-decorator]
def float_tile(
    number: Any, rows: int, vectors: int, left: int, stride: int, right: int, right_stride: int,
    depth: int, out: int, out_stride: int,
) -> None:  # fmt: skip
    tile.float_tile(
        number, rows, vectors, left, stride, right, right_stride, depth, out, out_stride
    )


@numba.njit  # type: ignore[untyped-decorator]
def weighted_sum(
    number: Any, vectors: int, weights: int, right: int, stride: int, indices: int, count: int,
    out: int,
) -> None:  # fmt: skip
    tile.weighted_sum(number, vectors, weights, right, stride, indices, count, out)


NUMBERS = {np.float16: HALF, np.float32: FLOAT}
"""What marks numbers of each type; see `sums.Number`."""

each_number = pytest.mark.parametrize("dtype", NUMBERS)


def record(kind: Any, weight: Any, outputs: Any, depth: int) -> Any:
    """Return the record of a layer whose panel 1 is this one."""
    [one] = linears = np.zeros(1, kind)
    one["panel_bytes"], one["output_bytes"], one["depth"] = weight.nbytes, outputs.nbytes, depth
    one["weight"] = weight.ctypes.data - weight.nbytes
    one["outputs"] = outputs.ctypes.data - outputs.nbytes
    return linears


def normal(*shape: int, seed: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("rows", range(1, MOST_ROWS + 1))
@pytest.mark.parametrize("after", [STORE, ADD])
@pytest.mark.parametrize("depth", [1, 5])
def test_a_tile_of_an_int8_layer(rows: int, after: int, depth: int) -> None:
    generator = np.random.default_rng(0)
    each, width = unit().levels_per_lane, 16 * unit().tile_vectors
    levels = generator.integers(0, 256, (rows, each * depth))
    inputs = stored_levels(levels)
    weight = aligned(64 * each * depth, np.int8).reshape(-1, depth, width, each)
    weight[:] = generator.integers(-127, 128, weight.shape)
    units, outputs = normal(rows, 2), normal(3, 64, seed=1)
    matrix = weight.transpose(0, 2, 1, 3).reshape(64, -1).astype(np.int64)
    outputs[2] = matrix.sum(axis=1)
    out = normal(rows + 1, 70, seed=2)
    before = out.copy()
    linears = record(INT8_LINEAR, weight, outputs, depth)
    linear_tile(
        linears, rows, after, inputs.ctypes.data, units.ctypes.data, out.ctypes.data, 4 * 70,
        weight.ctypes.data,
    )  # fmt: skip
    meant = levels * units[:, :1].astype(float) + units[:, 1:]
    expected = meant @ matrix.T * outputs[0] + outputs[1]
    if after == ADD:
        expected += before[:rows, :64]
    np.testing.assert_allclose(out[:rows, :64], expected, rtol=1e-4, atol=0.05)
    assert (out[:, 64:] == before[:, 64:]).all()
    assert (out[rows] == before[rows]).all()


@pytest.mark.parametrize("rows", range(1, MOST_ROWS + 1))
@pytest.mark.parametrize("after", [STORE, ADD])
@pytest.mark.parametrize("depth", [1, 5])
def test_a_tile_of_a_layer_of_floats(rows: int, after: int, depth: int) -> None:
    left, biases, width = normal(rows, depth), normal(64, seed=1), 16 * unit().tile_vectors
    weight = aligned(64 * depth, np.float32).reshape(-1, depth, width)
    weight[:] = normal(*weight.shape, seed=3)
    out = normal(rows + 1, 70, seed=2)
    before, nothing = out.copy(), 0
    linears = record(FLOAT_LINEAR, weight, biases, depth)
    given = left.ctypes.data, nothing, out.ctypes.data, 4 * 70, weight.ctypes.data
    linear_tile(linears, rows, after, *given)
    expected = left @ weight.transpose(0, 2, 1).reshape(64, depth).T + biases
    if after == ADD:
        expected += before[:rows, :64]
    np.testing.assert_allclose(out[:rows, :64], expected, rtol=1e-5, atol=1e-5)
    assert (out[:, 64:] == before[:, 64:]).all()
    assert (out[rows] == before[rows]).all()


@each_number
@pytest.mark.parametrize("rows", range(1, MOST_ROWS + 1))
@pytest.mark.parametrize("vectors", range(1, MOST_VECTORS + 1))
def test_a_tile_of_floats(rows: int, vectors: int, dtype: Any) -> None:
    depth, width = 5, 16 * vectors
    left, right = normal(rows, depth), normal(depth, width + 3, seed=1).astype(dtype)
    out = np.full((rows + 1, width + 2), 7, np.float32)
    float_tile(
        NUMBERS[dtype], rows, vectors, left.ctypes.data, 4 * depth, right.ctypes.data,
        right.itemsize * (width + 3), depth, out.ctypes.data, 4 * (width + 2),
    )  # fmt: skip
    expected = left @ right[:, :width].astype(np.float32)
    np.testing.assert_allclose(out[:rows, :width], expected, rtol=1e-5, atol=1e-5)
    assert (out[:, width:] == 7).all()
    assert (out[rows] == 7).all()


def test_a_tile_of_floats_by_hand() -> None:
    left, right = np.array([[2, 10]], np.float32), np.zeros((2, 16), np.float16)
    right[:, 0], right[:, 15] = [1, 3], [0.5, -1]
    out = np.empty(16, np.float32)
    float_tile(HALF, 1, 1, left.ctypes.data, 8, right.ctypes.data, 32, 2, out.ctypes.data, 64)
    assert out.tolist() == [32, *[0] * 14, -9]


@each_number
@pytest.mark.parametrize("vectors", range(1, MOST_VECTORS + 1))
def test_a_weighted_sum_of_rows_by_number(vectors: int, dtype: Any) -> None:
    rows, weights = normal(9, 16 * vectors).astype(dtype), normal(4, seed=1)
    indices, out = np.array([8, 0, 3, 3], np.int32), np.full(16 * vectors + 1, 7, np.float32)
    weighted_sum(
        NUMBERS[dtype], vectors, weights.ctypes.data, rows.ctypes.data,
        16 * rows.itemsize * vectors, indices.ctypes.data, 4, out.ctypes.data,
    )  # fmt: skip
    expected = weights @ rows[indices].astype(np.float32)
    np.testing.assert_allclose(out[:-1], expected, rtol=1e-5, atol=1e-5)
    assert out[-1] == 7
