"""Kernels compiled for a vector unit as a CPU that has no better one would compile them."""

from __future__ import annotations

from translator import jit
from translator.errors import ConfigError
from translator.runtime.kernels import unit as module
from translator.runtime.kernels.unit import GENERIC, UNITS, X86_UNITS, VectorUnit

_SSE = frozenset({"+popcnt", "+sse3", "+sse4.1", "+sse4.2"})
_AVX = _SSE | {"+avx", "+bmi", "+bmi2", "+lzcnt"}
COMPANY = {one.name: _AVX for one in X86_UNITS} | {GENERIC.name: _SSE | {"+ssse3"}}
"""Features that a CPU with a unit has besides."""

_STAND_INS = {"+avxvnni": frozenset({"+avx512f", "+avx512vl", "+avx512vnni"})}
"""What has the same instructions, under another code."""


def _features_to_hold(wanted: VectorUnit) -> frozenset[str] | None:
    """Return what to compile with as a CPU with that unit would; None if the CPU at hand cannot."""
    mine, features = jit.cpu_features(), wanted.features
    for feature, others in _STAND_INS.items():
        if feature in features - mine:
            features = features - {feature} | others
    company = COMPANY.get(wanted.name, frozenset())
    return features | company & mine if features <= mine else None


def units_to_hold_to() -> list[VectorUnit]:
    """Return the units that `hold_to` takes here, the best first."""
    return [one for one in UNITS if _features_to_hold(one) is not None]


def hold_to(name: str) -> None:
    """Compile for a unit as a CPU that has no better one would; before anything is compiled.

    A CPU with AVX-512 VNNI stands in for one with AVX-VNNI.

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
    module._held[:] = [found]
    module.unit.cache_clear()
