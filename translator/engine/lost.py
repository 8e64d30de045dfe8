"""Whether a GPU has failed for good."""

from __future__ import annotations


def is_lost_gpu(error: Exception) -> bool:
    """Return whether a GPU has failed: it computes nothing more in this process."""
    import torch  # whoever has used a GPU has it already

    return isinstance(error, torch.AcceleratorError)
