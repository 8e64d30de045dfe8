"""What training learns of the machine, and asks of it."""

from __future__ import annotations

import ctypes

import torch


def keep_freed_memory() -> None:
    """Ask glibc to keep freed memory rather than return it, so that tensors need no new pages.

    Worth a sixth of a training step on a CPU; without effect where the C library has no `mallopt`.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        trim_threshold, top_pad, mmap_max = -1, -2, -4  # malloc.h: M_TRIM_THRESHOLD and so on
        mallopt(mmap_max, 0)
        mallopt(trim_threshold, 2**31 - 1)
        mallopt(top_pad, 100_000_000)


def has_bfloat16(device: torch.device) -> bool:
    """Whether products in bfloat16 are faster than in float32 here.

    An x86 CPU that has no instructions for bfloat16 takes three times as long as in float32; one
    that has them takes half as long. Where PyTorch does not say what a CPU has, the answer is yes.
    """
    describe = getattr(torch.cpu, "get_capabilities", None)
    if device.type != "cpu" or describe is None:
        return True
    capabilities = describe()
    if capabilities.get("architecture") != "x86_64":
        return True
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))
