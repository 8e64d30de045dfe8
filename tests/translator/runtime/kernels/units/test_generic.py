"""The unit for any CPU has no instruction that the CPU may not have."""

from __future__ import annotations

import re

import pytest

from tests.benchmarks.listing import assembly, counted, innermost_loop
from translator.runtime.kernels.units.generic import GENERIC


def test_llvm_knows_the_form_of_the_products() -> None:
    loop = innermost_loop(assembly(GENERIC, "int8"))
    assert counted(loop, "int8")["products"] == 24
    assert sum(line.startswith("pmaddwd") for line in loop) == 24


@pytest.mark.parametrize("kind", ["int8", "float32"])
def test_nothing_newer_is_used_and_nothing_is_called(kind: str) -> None:
    listing = assembly(GENERIC, kind)
    assert "pmaddwd" in listing or "mulpd" in listing
    assert not re.search(r"%[yz]mm|\bv(fm|mul|add|mov)\w+\s", listing), "AVX"
    assert "call" not in listing, "of functions for halves, or for FMA"
