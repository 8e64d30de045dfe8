"""What tests ask of the CPU."""

from __future__ import annotations

import pytest

from translator.model.int8.jit import is_possible

NEEDS_VNNI = pytest.mark.skipif(not is_possible(), reason="this CPU has no AVX-512 VNNI")
