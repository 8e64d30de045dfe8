"""What training learns of the machine, and asks of it."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass

import torch

STEPS_UNASKED = 100  # on a GPU: some seconds
SHAPES_KEPT = 64
"""PyTorch and oneDNN each have a cache of what they have prepared for products of a shape, some
megabytes for each. They would keep 1,024, and nearly every batch has a new shape."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Handling:
    """How the training loop treats a device. The same code serves every device.

    Attributes:
        ask_every: steps after which the CPU asks how they went, and waits for the answer. A GPU has
            work for many steps in its queue, and would stand still whenever it is asked.
        gathers: text lies on the device, and batches of a few shapes are gathered there.
        records: a step of each shape is recorded as a CUDA graph, and played back.
    """

    ask_every: int = 1
    gathers: bool = False
    records: bool = False

    @property
    def may_wait(self) -> bool:
        """Whether the CPU may wait for the device within a step."""
        return self.ask_every == 1


def handling_of(device: torch.device, cuda_graphs: bool) -> Handling:
    """Return how to treat a device; `cuda_graphs` says whether steps may be recorded."""
    if device.type == "cpu":
        return Handling()
    is_cuda = device.type == "cuda"
    return Handling(ask_every=STEPS_UNASKED, gathers=True, records=is_cuda and cuda_graphs)


def prepare(device: torch.device) -> None:
    """Set PyTorch up for training on a device.

    On a CPU, freed memory is kept, and little of what was prepared for former shapes; call this
    before the first product. On a GPU, cuDNN's attention is left out: it makes a plan for every new
    shape, which takes tens of milliseconds. A GPU that is named by its number becomes PyTorch's own
    choice: steps are recorded on that, and those of another would be left out.
    """
    if device.type == "cpu":
        keep_freed_memory()
        for cache in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"):
            os.environ.setdefault(cache, str(SHAPES_KEPT))  # read at the first product
        return
    torch.backends.cuda.enable_cudnn_sdp(False)
    if device.type == "cuda" and device.index is not None:
        torch.cuda.set_device(device)


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
