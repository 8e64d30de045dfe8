"""`python -m translator info`: how this machine translates."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterator
from pathlib import Path

import torch

from translator import jit
from translator.runtime import ahead

PRECISIONS = ("int8", "float32")


def add_info(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    parser.set_defaults(execute=_info)


def _info(_: argparse.Namespace) -> None:
    for name, text in (*_versions(), *_units(), *_kept()):
        print(f"{name + ':':<13} {text}", flush=True)


def _versions() -> Iterator[tuple[str, str]]:
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    numba = jit.version() or "not installed, or switched off"
    yield "machine", f"{platform.machine()}, {describe()}"
    yield ("threads", f"{allowed} CPU threads are available; set how many to use with --threads")
    yield "Python", f"{platform.python_version()}, Numba {numba}"


def _units() -> Iterator[tuple[str, str]]:
    """Say which vector unit the kernels are compiled for, and why no better one."""
    if not jit.compiles():
        yield "vector unit", "none: Numba cannot compile here, so PyTorch translates in float32"
        return
    from translator.runtime.kernels.unit import UNITS, unit

    yield "vector unit", f"{unit().name}, the best that this CPU has; --precision auto takes int8"
    for better in UNITS:
        if better.name == unit().name:
            return
        missing = sorted(feature.lstrip("+") for feature in better.features - jit.cpu_features())
        yield "", f"not {better.name}: the CPU lacks {', '.join(missing)}"


def _kept() -> Iterator[tuple[str, str]]:
    """Say what has been compiled, and where it is."""
    folder = jit.folder()
    if folder is None:
        yield "compiled", "nothing can be stored, since no folder is writable; set NUMBA_CACHE_DIR"
        return
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    done = [precision for precision in PRECISIONS if ahead.is_done(precision)]
    yield "compiled", f"{' and '.join(done) or 'nothing yet'}; {folder}, {size / 1e6:.1f} MB"


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
