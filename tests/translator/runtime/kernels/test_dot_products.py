"""Extremes, places, rounding and scalar products of vectors equal those of NumPy."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.kernels.test_tile import NUMBERS, each_number
from tests.translator.runtime.memory import level_type, levels_meant
from translator.runtime.kernels import dot_products
from translator.runtime.kernels.arithmetic import floats, ints, long_ints
from translator.runtime.kernels.sums import BYTE

pytestmark = NEEDS_INT8


@numba.njit  # type: ignore[untyped-decorator]
def extremes(address: int, panels: int) -> Any:
    return dot_products.lowest_of(address, panels), dot_products.highest_of(address, panels)


@numba.njit  # type: ignore[untyped-decorator]
def places(address: int, value: Any) -> Any:
    return dot_products.places_of(address, value), dot_products.places_above(address, value)


@numba.njit  # type: ignore[untyped-decorator]
def lowest_bit(bits: int) -> Any:
    return dot_products.lowest_bit(bits)


@numba.njit  # type: ignore[untyped-decorator]
def round_panels(address: int, panels: int, factor: Any, offset: Any, to: int) -> None:
    dot_products.round_panels(address, panels, factor, offset, to)


@numba.njit  # type: ignore[untyped-decorator]
def dot(number: Any, left: int, right: int, vectors: int) -> Any:
    return dot_products.dot(number, left, right, vectors)


@numba.njit  # type: ignore[untyped-decorator]
def scaled_sum(number: Any, one: int, scale: Any, other: int, to: int, vectors: int) -> None:
    dot_products.scaled_sum(number, one, scale, other, to, vectors)


@numba.njit  # type: ignore[untyped-decorator]
def keep(number: Any, source: int, to: int) -> None:
    dot_products.keep(number, source, to)


@numba.njit  # type: ignore[untyped-decorator]
def keep_transposed(number: Any, rows: int, stride: int, to: int, to_stride: int) -> None:
    dot_products.keep_transposed(number, rows, stride, to, to_stride)


def normal(*shape: int, seed: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(seed).normal(0, 3, shape).astype(np.float32)


def bits(where: Any) -> list[int]:
    """Return the places that a number of 64 bits names."""
    return [place for place in range(64) if where >> place & 1]


@each_number
@pytest.mark.parametrize("vectors", [1, 3])
def test_a_product_is_rounded_before_something_is_added(vectors: int, dtype: Any) -> None:
    one, other = normal(16 * vectors).astype(dtype), normal(16 * vectors, seed=1)
    found, scale = np.full(16 * vectors + 1, 7, np.float32), np.float32(17.3)
    addresses = one.ctypes.data, scale, other.ctypes.data, found.ctypes.data
    scaled_sum(NUMBERS[dtype], *addresses, vectors)
    np.testing.assert_array_equal(found[:-1], one.astype(np.float32) * scale + other)
    assert found[-1] == 7


@pytest.mark.parametrize("panels", [1, 2, 7])
@pytest.mark.parametrize("place", [0, 15, 16, 63])
def test_the_lowest_and_the_highest_are_found_wherever_they_are(panels: int, place: int) -> None:
    row = normal(64 * panels)
    row[place], row[-1 - place] = -90, 80
    assert extremes(row.ctypes.data, panels) == (-90, 80)


def test_places_in_a_panel() -> None:
    row = np.zeros(64, np.float32)
    row[[0, 17, 63]], row[[5, 40]] = 2.0, 3.0
    same, above = places(row.ctypes.data, np.float32(2.0))
    assert (bits(same), bits(above)) == ([0, 17, 63], [5, 40])
    assert places(row.ctypes.data, np.float32(9.0)) == (0, 0)


@pytest.mark.parametrize("place", [0, 1, 31, 32, 62])
def test_the_lowest_bit(place: int) -> None:
    assert lowest_bit(1 << place | 1 << 62) == place


def test_floats_become_bytes() -> None:
    row, found = np.full(128, -5, np.float32), np.full(130, 7, level_type())
    row[:5], row[100] = [0, 0.49, 0.5, 3.0, 127.4], 127.5
    round_panels(row.ctypes.data, 2, np.float32(2), np.float32(0.5), found.ctypes.data)
    levels = levels_meant(found[:-2])
    assert levels[:5].tolist() == [0, 1, 1, 6, 255]
    assert not levels[5:100].any()
    assert levels[100:].tolist() == [255, *[0] * 27]
    assert found[-2:].tolist() == [7, 7]


@each_number
@pytest.mark.parametrize("vectors", [1, 2, 12])
def test_scalar_products(vectors: int, dtype: Any) -> None:
    left, right = normal(16 * vectors), normal(16 * vectors, seed=1).astype(dtype)
    found = dot(NUMBERS[dtype], left.ctypes.data, right.ctypes.data, vectors)
    assert found == pytest.approx(left.astype(float) @ right.astype(float), rel=1e-5, abs=1e-4)


@each_number
def test_a_scalar_product_by_hand(dtype: Any) -> None:
    left, right = np.zeros(32, np.float32), np.zeros(32, dtype)
    left[[0, 20, 31]], right[[0, 20, 30]] = [1, 2, 9], [3, 4, 9]
    assert dot(NUMBERS[dtype], left.ctypes.data, right.ctypes.data, 2) == 11


@each_number
def test_sixteen_floats_are_kept(dtype: Any) -> None:
    row, found = normal(16), np.full(18, 7, dtype)
    keep(NUMBERS[dtype], row.ctypes.data, found.ctypes.data)
    assert (found[:16] == row.astype(dtype)).all()
    assert found[16:].tolist() == [7, 7]


@each_number
@pytest.mark.parametrize(("stride", "to_stride"), [(16, 16), (19, 24)])
def test_columns_become_rows(stride: int, to_stride: int, dtype: Any) -> None:
    rows, found = normal(16, stride), np.full((16, to_stride), 7, dtype)
    places = rows.ctypes.data, 4 * stride, found.ctypes.data, found.itemsize * to_stride
    keep_transposed(NUMBERS[dtype], *places)
    assert (found[:, :16] == rows[:, :16].T.astype(dtype)).all()
    assert (found[:, 16:] == 7).all()


def test_numbers_at_an_address_are_those_that_stand_there() -> None:
    for view, dtype in ((floats, np.float32), (ints, np.int32), (long_ints, np.int64)):
        row = np.arange(5).astype(dtype)
        seen = view(row.ctypes.data, 5)
        assert seen.dtype == dtype
        assert seen.tolist() == [0, 1, 2, 3, 4]


def test_bytes_are_numbers_with_a_sign() -> None:
    left, right = normal(32), np.arange(-127, 128, 8, dtype=np.int8)
    found = dot(BYTE, left.ctypes.data, right.ctypes.data, 2)
    assert found == pytest.approx(left.astype(float) @ right.astype(float), rel=1e-5)
    sums, scale = np.full(33, 7, np.float32), np.float32(0.03)
    scaled_sum(BYTE, right.ctypes.data, scale, left.ctypes.data, sums.ctypes.data, 2)
    np.testing.assert_array_equal(sums[:-1], right.astype(np.float32) * scale + left)
    assert sums[-1] == 7
