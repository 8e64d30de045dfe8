"""How numbers are told apart; the sums themselves are tested by the tiles that they make."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from tests.cpu import NEEDS_INT8
from translator.runtime.kernels.sums import floats_as, number_of, weights
from translator.runtime.kernels.unit import unit
from translator.runtime.kernels.vectors import FLOATS, INTS, LANES

pytestmark = NEEDS_INT8


@pytest.mark.parametrize(("dtype", "size"), [(np.float16, 2), (np.float32, 4)])
def test_a_vector_of_floats_is_as_wide_as_its_numbers(dtype: type, size: int) -> None:
    mark = numba.from_dtype(np.dtype(number_of(dtype)))
    numbers = floats_as(mark)
    assert numbers.vector_bytes == size * LANES
    assert numbers.sums == FLOATS


def test_weights_add_up_to_integers() -> None:
    assert weights().sums == INTS
    assert weights().vector_bytes == unit().weights.count
