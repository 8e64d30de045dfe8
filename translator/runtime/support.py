"""Whether the kernels can be compiled for this CPU; answered without Numba, too."""

from __future__ import annotations

from translator import jit


def kernels_are_possible() -> bool:
    """Return whether Numba compiles, and for a CPU that `kernels/unit.py` describes."""
    if not jit.compiles():
        return False
    from translator.runtime.kernels.unit import possible_units  # needs llvmlite, as Numba does

    return bool(possible_units())
