"""What LLVM makes of the units of x86 keeps all sums in registers."""

from __future__ import annotations

import pytest

from tests.benchmarks.listing import assembly, counted, innermost_loop
from translator.runtime.kernels.units.description import VectorUnit
from translator.runtime.kernels.units.x86 import X86_UNITS


@pytest.mark.parametrize("kind", ["int8", "float32"])
@pytest.mark.parametrize("one", X86_UNITS, ids=lambda one: one.name)
def test_all_sums_stay_in_registers(one: VectorUnit, kind: str) -> None:
    found = counted(innermost_loop(assembly(one, kind)), kind)
    assert found["products"] % (6 * one.tile_vectors) == 0, "some are multiplied elsewhere"
    assert found["products"] > 0
    assert found["stack"] == 0
