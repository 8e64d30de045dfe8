"""A CUDA graph on the CPU: the operations of a step, played back on the memory they had.

As in a graph, numbers of Python are what they were when the step was recorded, whatever is computed
lands in the same memory each time, and random numbers go on from where the generator stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def tensors(values: Any) -> Iterator[Tensor]:
    """Yield all tensors in nested arguments or results."""
    return (leaf for leaf in tree_leaves(values) if isinstance(leaf, Tensor))


class Tape(TorchDispatchMode):
    """Records operations while it is entered."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self.operations: list[tuple[Any, tuple[Any, ...], dict[str, Any], list[Tensor | None]]] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Do and record an operation."""
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        known = {tensor.untyped_storage().data_ptr() for tensor in tensors((args, kwargs))}
        fresh = [
            None if tensor.untyped_storage().data_ptr() in known else tensor
            for tensor in tensors(result)
        ]
        self.operations.append((func, args, kwargs, fresh))
        return result

    def replay(self) -> None:
        """Do everything again."""
        with torch.no_grad():
            for func, args, kwargs, places in self.operations:
                results = tensors(func(*args, **kwargs))
                for place, result in zip(places, results, strict=True):
                    if place is not None:
                        place.detach().copy_(result)

    def pool(self) -> None:
        """Have no memory of its own."""


def record(work: Callable[[], None], persistent: Callable[[], list[Tensor]]) -> Tape:
    """Do `work`, and return a tape that does it again.

    Args:
        work: a step.
        persistent: returns what a step changes, such as the weights. Recording it does so too,
            where a CUDA graph would not; it is put back.
    """
    work()
    before = [(kept, kept.clone()) for kept in persistent()]
    generator = torch.get_rng_state()
    tape = Tape()
    with tape:
        work()
    for kept, value in before:
        kept.detach().copy_(value)
    torch.set_rng_state(generator)
    return tape
