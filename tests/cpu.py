"""What tests ask of the CPU."""

from __future__ import annotations

import pytest

from translator.runtime.support import kernels_are_possible

NEEDS_INT8 = pytest.mark.skipif(
    not kernels_are_possible(), reason="int8 is not written for this CPU"
)
