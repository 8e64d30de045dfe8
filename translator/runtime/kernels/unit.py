"""Which vector unit the kernels are compiled for: what differs between CPUs.

All kernels are written once, with vectors of 16 lanes; LLVM divides them where the CPU's are
narrower. What it cannot know is described in `units/`: how integers are multiplied, how many sums
fit into the registers, and what is done by one instruction.

Every unit's sums of integers are exact, and its float operations are the same in the same order. So
all of them give the same text, and the same scores to the last bit.
"""

from __future__ import annotations

import functools

from translator import jit
from translator.errors import ConfigError
from translator.runtime.kernels.units.arm import ARM_UNITS
from translator.runtime.kernels.units.description import VectorUnit
from translator.runtime.kernels.units.generic import GENERIC
from translator.runtime.kernels.units.x86 import X86_UNITS

UNITS = (*X86_UNITS, *ARM_UNITS, GENERIC)
"""The best of each family first; the last one fits every CPU."""

_STAND_INS = {"+avxvnni": frozenset({"+avx512f", "+avx512vl", "+avx512vnni"})}
"""What has the same instructions, under another code."""

_held: list[VectorUnit] = []


def possible_units() -> list[VectorUnit]:
    """Return the units that the CPU at hand has, the best first."""
    return [one for one in UNITS if one.features <= jit.cpu_features()]


def _features_to_hold(wanted: VectorUnit) -> frozenset[str] | None:
    """Return what to compile with as a CPU with that unit would; None if the CPU at hand cannot."""
    mine, features = jit.cpu_features(), wanted.features
    for feature, others in _STAND_INS.items():
        if feature in features - mine:
            features = features - {feature} | others
    return features | wanted.company & mine if features <= mine else None


def units_to_hold_to() -> list[VectorUnit]:
    """Return the units that `hold_to` takes here, the best first."""
    return [one for one in UNITS if _features_to_hold(one) is not None]


def hold_to(name: str) -> None:
    """Compile for a unit as a CPU that has no better one would; before anything is compiled.

    For benchmarks and tests. A CPU with AVX-512 VNNI stands in for one with AVX-VNNI.

    Raises:
        ConfigError: there is no such unit, or the CPU at hand does not have it.
    """
    found = next((one for one in UNITS if one.name == name), None)
    if found is None:
        known = ", ".join(one.name for one in UNITS)
        raise ConfigError([f"unit: {name} is not known; choose one of {known}"], "engine")
    features = _features_to_hold(found)
    if features is None:
        mine = ", ".join(one.name for one in units_to_hold_to())
        raise ConfigError([f"unit: this CPU has no {name}; it has {mine}"], "engine")
    jit.hold_to(features)
    _held[:] = [found]
    unit.cache_clear()


@functools.cache
def unit() -> VectorUnit:
    """Return the best unit that the CPU has, or the one that `hold_to` names."""
    return (*_held, *possible_units())[0]
