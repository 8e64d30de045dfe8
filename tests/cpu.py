"""What tests ask of the CPU."""

from __future__ import annotations

import pytest

from translator.jit import int8_is_possible

NEEDS_VNNI = pytest.mark.skipif(not int8_is_possible(), reason="this CPU has no AVX-512 VNNI")
