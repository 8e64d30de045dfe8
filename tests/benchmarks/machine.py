"""What the machine itself can do, measured in the same run as what is compared with it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import torch


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


def resident_mb() -> float:
    """Return the megabytes of this process that are in memory (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


def matrix_gflops(dtype: torch.dtype, rows: int = 1024) -> float:
    """Return GFLOP/s of a product of (rows, 1024) and (1024, 1024) matrices."""
    a, b = torch.randn(rows, 1024).to(dtype), torch.randn(1024, 1024).to(dtype)
    return 2 * rows * 1024 * 1024 / median_seconds(lambda: a @ b, 20) / 1e9


def int8_gops(rows: int = 1024) -> float:
    """Return GOP/s of oneDNN's int8 product of (rows, 1024) and (1024, 1024) matrices."""
    weight = torch.randint(-127, 128, (1024, 1024), dtype=torch.int8)
    packed = torch.ops.onednn.qlinear_prepack(weight, None)
    x = torch.randint(0, 256, (rows, 1024), dtype=torch.uint8)
    scales, zeros = torch.full((1024,), 1e-3), torch.zeros(1024, dtype=torch.long)
    out = 1.0, 0, torch.float32, "none", list[float](), ""
    layer = 0.01, 128, packed, scales, zeros, torch.zeros(1024), *out
    with torch.inference_mode():
        seconds = median_seconds(lambda: torch.ops.onednn.qlinear_pointwise(x, *layer), 20)
    return 2 * rows * 1024 * 1024 / seconds / 1e9
