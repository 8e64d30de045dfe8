"""What tests ask of the CPU."""

from __future__ import annotations

import pytest

from translator import jit

NEEDS_INT8 = pytest.mark.skipif(
    not jit.compiles(), reason="for int8: Numba that compiles, without NUMBA_DISABLE_JIT"
)
