"""What LLVM makes of the units of x86, of ARM and of any CPU, which any machine can compile for."""

from __future__ import annotations

import re

import pytest

from tests.benchmarks.listing import assembly, counted, innermost_loop
from translator.runtime.kernels.unit import ARM_UNITS, GENERIC, X86_UNITS, VectorUnit

WITH_DOT, PLAIN = ARM_UNITS
REGISTERS = 24
"""Of 6 rows of sums."""


def test_a_dot_product_for_each_register_and_nothing_on_the_stack() -> None:
    loop = innermost_loop(assembly(WITH_DOT, "int8"))
    assert sum(line.startswith("sdot") for line in loop) == REGISTERS
    found = counted(loop, "int8")
    assert found["stack"] == 0
    assert found["all"] <= REGISTERS + 12, "loads of weights and inputs, and the loop itself"


def test_without_dot_products_there_are_four_instructions_for_each_register() -> None:
    loop = innermost_loop(assembly(PLAIN, "int8"))
    names = [line.split()[0] for line in loop]
    assert not {"sdot", "udot"} & {*names}, "the CPU would not know it"
    assert [names.count(name) for name in ("smull", "addp", "sadalp")] == [
        2 * REGISTERS,
        REGISTERS,
        REGISTERS,
    ]


@pytest.mark.parametrize("one", ARM_UNITS, ids=lambda one: one.name)
def test_floats_are_multiplied_and_added_at_once(one: VectorUnit) -> None:
    loop = innermost_loop(assembly(one, "float32"))
    assert sum(line.startswith("fmla") for line in loop) == REGISTERS
    assert counted(loop, "float32")["stack"] == 0


@pytest.mark.parametrize("kind", ["int8", "float32"])
@pytest.mark.parametrize("one", X86_UNITS, ids=lambda one: one.name)
def test_all_sums_stay_in_registers(one: VectorUnit, kind: str) -> None:
    found = counted(innermost_loop(assembly(one, kind)), kind)
    assert found["products"] % (6 * one.tile_vectors) == 0, "some are multiplied elsewhere"
    assert found["products"] > 0
    assert found["stack"] == 0


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
