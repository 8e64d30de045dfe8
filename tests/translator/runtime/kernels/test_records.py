"""Records say what their layers are: what is packed is found again, and stays where it was put."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import at, levels_of
from translator.errors import ConfigError
from translator.model.int8 import to_int8
from translator.runtime.kernels import records
from translator.runtime.kernels.records import INT8_LINEAR, PANEL, Int8Weights, aligned
from translator.runtime.plan import Linear
from translator.search.rows import Array

pytestmark = NEEDS_INT8


@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float32, np.int64])
@pytest.mark.parametrize("length", [0, 1, 63, 1000])
def test_memory_begins_where_a_vector_does(dtype: Any, length: int) -> None:
    found = aligned(length, dtype)
    assert (found.dtype, found.shape) == (dtype, (length,))
    assert found.ctypes.data % 64 == 0 or length == 0
    assert not found.any()


def test_what_is_kept_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "SLAB_BYTES", 256)
    weights = Int8Weights()
    kept = [np.arange(length, dtype=np.float32) + length for length in (3, 40, 100, 1, 30)]
    addresses = [weights.keep(one) for one in kept]
    assert all(address % 64 == 0 for address in addresses)
    for one, address in zip(kept, addresses, strict=True):
        assert (at(address, np.float32, len(one)) == one).all()
        one[:] = 0  # it was a copy that was kept
    assert at(addresses[1], np.float32, 2).tolist() == [40, 41]
    assert at(weights.keep(np.array([2, 3]), np.int64), np.int64, 2).tolist() == [2, 3]


def test_a_row_of_zeros_can_be_packed() -> None:
    packed = Int8Weights()
    layer = Linear("layer", np.zeros((2, 3), np.float32), np.ones(2, np.float32))
    [linear] = np.array([packed.linear(layer)], INT8_LINEAR)
    assert not at(linear["weight"], np.int8, PANEL * PANEL).any()
    assert np.isfinite(at(linear["outputs"], np.float32, 3 * PANEL)).all()


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("is_bias", [False, True])
def test_what_is_not_finite_is_refused_by_name(bad: float, is_bias: bool) -> None:
    weight, bias = np.ones((2, 3), np.float32), np.ones(2, np.float32)
    (bias if is_bias else weight[0])[1] = bad
    with pytest.raises(ConfigError, match=r"encoder\.0\.out: has weights that are not finite"):
        Int8Weights().linear(Linear("encoder.0.out", weight, bias))


def test_what_is_rounded_now_is_what_would_have_been_stored() -> None:
    weight = np.random.default_rng(0).normal(size=(130, 70)).astype(np.float16)
    stored, packed, nothing = to_int8(weight), (Int8Weights(), Int8Weights()), np.zeros(130)
    layers: tuple[Linear[Array], ...] = (
        Linear("floats", weight, nothing),
        Linear("int8", stored.levels, nothing, stored.scales),
    )
    records = np.array(
        [one.linear(layer, 0.0, 0.37) for one, layer in zip(packed, layers, strict=True)],
        INT8_LINEAR,
    )
    (one, of_one), (other, of_other) = map(levels_of, records)
    np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(of_one, of_other)
