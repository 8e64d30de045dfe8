"""`python -m translator info`: how this machine translates, and how fast it can multiply."""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from translator import jit
from translator.runtime import ahead

PRECISIONS = ("int8", "float32")


def add_info(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.set_defaults(execute=_info)


def _info(_: argparse.Namespace) -> None:
    torch.set_num_threads(1)  # as the engine computes
    for name, text in (*_versions(), *_units(), *_kept(), *_rates()):
        print(f"{name + ':':<13} {text}", flush=True)


def _versions() -> Iterator[tuple[str, str]]:
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    numba = jit.version() or "not installed, or switched off"
    yield "machine", f"{platform.machine()}, {describe()}"
    yield (
        "threads",
        f"{allowed} CPU threads are available; set how many to use with --threads",
    )
    yield "Python", f"{platform.python_version()}, Numba {numba}"


def _units() -> Iterator[tuple[str, str]]:
    """Say which vector unit the kernels are compiled for, and why no better one."""
    if not jit.compiles():
        yield "vector unit", "none: Numba cannot compile here, so PyTorch translates in float32"
        return
    from translator.runtime.kernels.unit import UNITS, unit

    yield "vector unit", f"{unit().name}, the best that this CPU has; --precision auto takes int8"
    for one in UNITS:
        if one.name == unit().name:
            return
        missing = sorted(feature.lstrip("+") for feature in one.features - jit.cpu_features())
        yield "", f"not {one.name}: the CPU lacks {', '.join(missing)}"


def _kept() -> Iterator[tuple[str, str]]:
    """Say what has been compiled, and where it is."""
    folder = jit.folder()
    if folder is None:
        yield "compiled", "nothing can be stored, since no folder is writable; set NUMBA_CACHE_DIR"
        return
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    done = [precision for precision in PRECISIONS if ahead.is_done(precision)]
    yield "compiled", f"{' and '.join(done) or 'nothing yet'}; {folder}, {size / 1e6:.1f} MB"


def _rates() -> Iterator[tuple[str, str]]:
    """Measure, in one thread."""
    for precision in PRECISIONS:
        if jit.compiles() and ahead.is_done(precision):
            from translator.cli.kernel_rate import multiply_adds_per_s

            rate = multiply_adds_per_s(precision) / 1e9
            yield precision, f"{rate:.0f} billion multiply-adds a second by one thread"
        else:
            yield precision, "not measured, since nothing is compiled for it yet"
    yield "memory", f"{read_gigabytes_per_s():.1f} GB/s are read by one thread"


def describe() -> str:
    """Return processor, cores and torch version on one line."""
    cpuinfo = Path("/proc/cpuinfo")
    models = [
        line.partition(":")[2].strip()
        for line in (cpuinfo.read_text().splitlines() if cpuinfo.exists() else [])
        if line.startswith("model name")
    ]
    name = models[0] if models else platform.processor()
    return f"{name}, {len(models) or '?'} cores, torch {torch.__version__}"


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """Return the median time of `work`, after one unmeasured call."""
    work()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def read_gigabytes_per_s() -> float:
    """Return GB/s of reading 256 MB that no cache holds."""
    block = torch.ones(64 * 2**20)
    return block.numel() * 4 / median_seconds(block.sum, 10) / 1e9
