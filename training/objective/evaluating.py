"""A model that is looked at while it is trained: without dropout, and then as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn


@contextmanager
def evaluating(module: nn.Module) -> Iterator[None]:
    """Hold a module in evaluation mode; leave it in the mode that it was in."""
    was_training = module.training
    module.eval()
    try:
        yield
    finally:
        module.train(was_training)
