"""Products tile by tile equal those of NumPy, whatever their sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import level_type, levels_meant, stored_levels
from translator.runtime.kernels.products import (
    Matrix,
    attend,
    float_product,
    keep_columns,
    keep_row,
    multiply,
)
from translator.runtime.kernels.records import (
    FLOAT_LINEAR,
    INT8_LINEAR,
    FloatWeights,
    Int8Weights,
    aligned,
)
from translator.runtime.kernels.tile import ADD, FLOAT, HALF, MOST_ROWS, MOST_VECTORS, STORE
from translator.runtime.plan import Linear

pytestmark = NEEDS_INT8

ROWS = [*range(1, MOST_ROWS + 2), 64]
"""Tiles of each size, and several of them."""

NUMBERS = {np.float16: HALF, np.float32: FLOAT}
"""What marks numbers of each type; see `sums.Number`."""

each_number = pytest.mark.parametrize("dtype", NUMBERS)


def floats(*shape: int, seed: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def rows_of(array: Any) -> Matrix:
    """Return an array of rows as the kernels take it."""
    return Matrix(array.ctypes.data, array.strides[0])


def layer(outputs: int, inputs: int) -> tuple[Int8Weights, Any, Any, Any]:
    """Return an int8 layer, its rounded weight in floats, and its bias."""
    weight, bias = floats(outputs, inputs), floats(outputs, seed=1)
    weights = Int8Weights()
    record = weights.linear(Linear("layer", weight, bias))
    units = np.abs(weight).max(axis=1, keepdims=True) / 127
    return weights, np.array([record], INT8_LINEAR), np.rint(weight / units) * units, bias


def inputs_of(record: Any, rows: int, width: int) -> tuple[Any, Any, Any]:
    """Return random levels as a layer takes them, the units of each row, and what they mean."""
    depth = int(record[0]["input_panels"]) * 64
    levels = aligned(rows * depth, level_type())
    levels[:] = stored_levels(np.random.default_rng(2).integers(0, 256, levels.size))
    units = np.random.default_rng(3).uniform(0.01, 0.03, (rows, 2)).astype(np.float32)
    units[:, 1] *= -100
    given = levels_meant(levels.reshape(rows, depth)[:, :width])
    meant = given * units[:, :1].astype(np.float64) + units[:, 1:]
    return levels, units, meant


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize(("outputs", "inputs"), [(64, 64), (130, 30), (7, 5), (192, 768)])
def test_an_int8_layer(rows: int, outputs: int, inputs: int) -> None:
    _kept, record, weight, bias = layer(outputs, inputs)
    levels, units, meant = inputs_of(record, rows, inputs)
    width = int(record[0]["panels"]) * 64
    out = aligned(rows * width + 16, np.float32)
    out[-16:] = 7
    to = Matrix(out.ctypes.data, 4 * width)
    address = record[0], levels.ctypes.data, units.ctypes.data, rows, to
    multiply(*address, STORE)
    expected = meant @ weight.T + bias
    found = out[:-16].reshape(rows, width)
    np.testing.assert_allclose(found[:, :outputs], expected, atol=2e-4, rtol=1e-5)
    assert not found[:, outputs:].any()
    multiply(*address, ADD)
    np.testing.assert_allclose(found[:, :outputs], 2 * expected, atol=4e-4, rtol=1e-5)
    assert (out[-16:] == 7).all(), "nothing is written behind the end"


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize(("outputs", "inputs"), [(64, 64), (130, 30), (7, 5), (192, 768)])
def test_a_layer_of_floats(rows: int, outputs: int, inputs: int) -> None:
    weight, bias, weights = floats(outputs, inputs), floats(outputs, seed=1), FloatWeights()
    record = weights.linear(Linear("layer", weight, bias))
    [linear] = np.array([record], FLOAT_LINEAR)
    depth, width = int(linear["depth"]), int(linear["panels"]) * 64
    given = np.zeros((rows, depth), np.float32)
    given[:, :inputs] = floats(rows, inputs, seed=2)
    out = np.full(rows * width + 16, 7, np.float32)
    for after, times in ((STORE, 1), (ADD, 2)):
        multiply(linear, given.ctypes.data, 0, rows, Matrix(out.ctypes.data, 4 * width), after)
        found = out[:-16].reshape(rows, width)
        expected = times * (given[:, :inputs] @ weight.T + bias)
        np.testing.assert_allclose(found[:, :outputs], expected, atol=1e-4, rtol=1e-5)
        assert not found[:, outputs:].any()
    assert (out[-16:] == 7).all(), "nothing is written behind the end"


@each_number
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("vectors", [*range(1, MOST_VECTORS + 1), 2 * MOST_VECTORS + 1])
def test_a_product_of_floats(rows: int, vectors: int, dtype: Any) -> None:
    depth = 13
    left, right = floats(rows, depth), floats(depth, 16 * vectors, seed=1).astype(dtype)
    out = np.full(rows * 16 * vectors + 16, 7, np.float32)
    to = Matrix(out.ctypes.data, 64 * vectors)
    float_product(NUMBERS[dtype], rows_of(left), rows, rows_of(right), depth, vectors, to)
    np.testing.assert_allclose(out[:-16].reshape(rows, -1), left @ right, atol=1e-5, rtol=1e-5)
    assert (out[-16:] == 7).all()


@each_number
@pytest.mark.parametrize(("length", "room"), [(1, 16), (16, 16), (17, 32), (70, 80)])
def test_attention_sees_so_many_places(length: int, room: int, dtype: Any) -> None:
    rows, d_k = 5, 48
    queries, keys, values = (
        floats(rows, d_k),
        floats(length, d_k, seed=1),
        floats(length, d_k, seed=2),
    )
    columns, stored = np.full((d_k, room), np.nan, dtype), values.astype(dtype)
    columns[:, :length] = keys.T
    out, scores = floats(rows, d_k), floats(rows, room)
    given = rows_of(columns), rows_of(stored), length, d_k, rows_of(out)
    attend(NUMBERS[dtype], rows_of(queries), rows, *given, scores.ctypes.data)
    powers = 2.0 ** (queries @ columns[:, :length].astype(np.float32))
    expected = powers / powers.sum(axis=1, keepdims=True) @ stored.astype(np.float32)
    np.testing.assert_allclose(out, expected, atol=1e-5, rtol=1e-4)


@each_number
@pytest.mark.parametrize(("room", "width"), [(16, 16), (32, 48), (80, 192)])
def test_rows_and_columns_that_are_kept(room: int, width: int, dtype: Any) -> None:
    rows = floats(room, width + 7)
    columns, row = np.full(room * width + 8, 7, dtype), np.full(width + 8, 7, dtype)
    keep_columns(NUMBERS[dtype], rows_of(rows), width, columns.ctypes.data, room)
    keep_row(NUMBERS[dtype], rows[1].ctypes.data, row.ctypes.data, width)
    expected = rows[:, :width].astype(dtype)
    assert (columns[:-8].reshape(width, room) == expected.T).all()
    assert (row[:-8] == expected[1]).all()
    assert (columns[-8:] == 7).all()
    assert (row[-8:] == 7).all()


def test_rows_are_the_same_in_any_company() -> None:
    _kept, record, _, _ = layer(100, 60)
    levels, units, _ = inputs_of(record, 64, 60)
    together, alone = aligned(64 * 128, np.float32), aligned(64 * 128, np.float32)
    addresses = levels.ctypes.data, units.ctypes.data
    multiply(record[0], *addresses, 64, Matrix(together.ctypes.data, 512), STORE)
    for row in range(64):
        one = addresses[0] + 64 * levels.itemsize * row, addresses[1] + 8 * row
        multiply(record[0], *one, 1, Matrix(alone.ctypes.data + 512 * row, 512), STORE)
    assert together.tobytes() == alone.tobytes()
