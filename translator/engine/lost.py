"""What the errors of a GPU mean; who has no GPU has not imported PyTorch."""

from __future__ import annotations

import sys


def is_lost_gpu(error: Exception) -> bool:
    """Return whether a GPU has failed: it computes nothing more in this process."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(error, torch.AcceleratorError)


def is_out_of_memory(error: Exception) -> bool:
    """Return whether a GPU has no memory left for what was to be computed."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(error, torch.OutOfMemoryError)
