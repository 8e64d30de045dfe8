"""A GPU that has failed is told from one that is only full."""

from __future__ import annotations

import torch

from translator.engine.lost import is_lost_gpu


def test_a_gpu_is_lost_when_it_fails_and_not_when_it_is_full() -> None:
    assert is_lost_gpu(torch.AcceleratorError("CUDA error: unspecified launch failure"))
    assert not is_lost_gpu(torch.OutOfMemoryError("CUDA out of memory"))
    assert not is_lost_gpu(RuntimeError("shapes do not fit"))
