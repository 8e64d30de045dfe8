"""Whether the kernels can be compiled for this CPU; answered without Numba, too."""

from __future__ import annotations

from translator import jit


def kernels_are_possible() -> bool:
    """Return whether Numba compiles; `kernels/unit.py` has something for every CPU."""
    return jit.compiles()
