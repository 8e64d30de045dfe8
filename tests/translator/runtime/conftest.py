"""Holds the tests of this folder to a vector unit, if `INT8_UNIT` names one; see `test_unit.py`."""

from __future__ import annotations

import os

from translator import jit

if jit.compiles():
    from tests.units import hold_to
    from translator.runtime.kernels.unit import unit

    if name := os.environ.get("INT8_UNIT"):
        hold_to(name)
    else:
        unit()  # before anything is compiled: Numba is told what an ARM CPU can do
