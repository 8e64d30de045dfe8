"""Count the instructions of the innermost loop of a tile, for any unit and without its CPU.

Run `python -m tests.benchmarks.listing`. LLVM compiles for every CPU, so that one can look at what
it makes of a kernel where it cannot be run, let alone timed: are there as many products as there
must be, and do all sums stay in registers?
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types

from translator.runtime.kernels import unit as module
from translator.runtime.kernels.tile import MOST_ROWS, Numbers, floats_as, sums, weights
from translator.runtime.kernels.unit import UNITS, VectorUnit
from translator.runtime.kernels.vectors import I64, LANES, VECTOR_BYTES, store

X86, ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
CPUS = {
    "avx512-vnni": (X86, "znver4"),
    "avx512": (X86, "skylake-avx512"),
    "avx-vnni": (X86, "alderlake"),
    "avx2": (X86, "haswell"),
    "neon-dotprod": (ARM, "neoverse-n1"),
    "neon": (ARM, "cortex-a72"),
    "generic": (X86, "x86-64-v2"),
}
"""A CPU that has each unit, and none better."""

PRODUCTS = {
    "int8": r"vpdpbusd|v?pmaddwd|[su]dot|smull2?|smlal2?",
    "float32": r"vfmadd\w+ps|fmla|v?mulp[sd]",
}
"""Instructions that multiply, of each kind of numbers."""

STACK = r"\[sp\b|\[x29\b|\(%r[sb]p\)|\(%rsp,"


@contextmanager
def written_for(one: VectorUnit) -> Iterator[None]:
    """Have kernels written for a unit, which the CPU at hand need not have."""
    before = module._held[:]
    module._held[:] = [one]
    module.unit.cache_clear()
    try:
        yield
    finally:
        module._held[:] = before
        module.unit.cache_clear()


def tile_of(numbers: Numbers, rows: int, vectors: int) -> ir.Module:
    """Return a module whose only function multiplies a tile."""
    made = ir.Module()
    function = ir.Function(made, ir.FunctionType(ir.VoidType(), [I64] * 6), "tile")
    builder = ir.IRBuilder(function.append_basic_block())
    left, left_stride, right, right_stride, depth, out = function.args
    del right_stride  # as in a layer: vectors lie behind one another
    given = left, left_stride, right, ir.Constant(I64, vectors * numbers.vector_bytes), depth
    for place, one in enumerate(sums(builder, rows, vectors, numbers, given)):
        store(builder, one, out, place * VECTOR_BYTES)
    builder.ret_void()
    return made


def assembly(one: VectorUnit, kind: str, rows: int = MOST_ROWS) -> str:
    """Return what LLVM makes of a tile of a unit, for a CPU that has it.

    Args:
        one: the unit.
        kind: of numbers: `int8` or `float32`.
        rows: of the tile.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    triple, cpu = CPUS[one.name]
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=",".join(sorted(one.features)), opt=3
    )
    with written_for(one):
        numbers = weights() if kind == "int8" else floats_as(types.float32)
        made = tile_of(numbers, rows, one.tile_vectors)
    made.triple, made.data_layout = triple, str(machine.target_data)
    parsed = llvm.parse_assembly(str(made))
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(parsed, passes)
    return str(machine.emit_assembly(parsed))


def innermost_loop(listing: str) -> list[str]:
    """Return the instructions of the longest stretch that ends with a jump to its own start."""
    lines = [line.split("//")[0].split("#")[0].strip() for line in listing.splitlines()]
    lines = [line for line in lines if line and not re.match(r"\.(?!LBB)", line)]
    places = {line[:-1]: place for place, line in enumerate(lines) if line.endswith(":")}
    found: list[str] = []
    for place, line in enumerate(lines):
        jump = re.match(r"(?:j\w+|b\.?\w*|cbn?z|tbn?z)\s.*?(\.LBB\w+)$", line)
        start = places.get(jump[1], place) if jump else place
        if start < place and place - start > len(found):
            found = [one for one in lines[start : place + 1] if not one.endswith(":")]
    return found


def counted(loop: list[str], kind: str) -> Counter[str]:
    """Return how many instructions of a loop multiply, load, and use the stack."""
    found: Counter[str] = Counter()
    for line in loop:
        name = re.split(r"\s", line.removeprefix("{vex}").lstrip(), maxsplit=1)[0]
        found["all"] += 1
        found["products"] += bool(re.fullmatch(PRODUCTS[kind], name))
        found["stack"] += bool(re.search(STACK, line))
        found["loads"] += bool(re.search(r"\[x|\(%r", line)) and not re.search(STACK, line)
    return found


def main() -> None:
    """Print a table."""
    print("| unit | compiled for | numbers | products | loads | stack | all |")
    print("|---|---|---|---|---|---|---|")
    for one in UNITS:
        for kind in PRODUCTS:
            n = counted(innermost_loop(assembly(one, kind)), kind)
            cells = (n[name] for name in ("products", "loads", "stack", "all"))
            print(f"| {one.name} | {CPUS[one.name][1]} | {kind} |", *(f"{c} |" for c in cells))
    print(f"\nA tile has {MOST_ROWS} rows of `tile_vectors` vectors of {LANES} lanes.")


if __name__ == "__main__":
    main()
