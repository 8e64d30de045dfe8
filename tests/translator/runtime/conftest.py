"""Holds the tests of this folder to a vector unit, if `INT8_UNIT` names one; see `test_unit.py`."""

from __future__ import annotations

import os

from translator import jit

if jit.compiles() and (name := os.environ.get("INT8_UNIT")):
    from translator.runtime.kernels.unit import hold_to

    hold_to(name)
