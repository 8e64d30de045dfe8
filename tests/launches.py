"""What PyTorch would do on a GPU, told without one: what it launches, and where the CPU waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode

from tests.tape import tensors

FREE = {
    *("view", "_unsafe_view", "reshape", "as_strided", "slice", "select", "expand", "transpose"),
    *("permute", "unsqueeze", "squeeze", "unbind", "chunk", "split", "narrow", "flatten", "alias"),
    *("detach", "empty", "empty_strided", "empty_like", "result_type", "resolve_conj"),
    *("_reshape_alias", "expand_as", "view_as", "resize_", "set_", "lift_fresh", "to", "detach_"),
    *("t", "numpy_T", "unflatten", "unfold", "resolve_neg"),
}
"""Operators that only look at memory in another way, or ask for some."""

WHOLE = {
    *("addmm", "addmm_", "_addmm_activation", "mm", "bmm", "scalar_tensor", "_log_softmax"),
    "scaled_dot_product_attention",
}
"""Operators that are one kernel on a GPU, whatever they call on a CPU."""

WAITING = {
    *("item", "_local_scalar_dense", "nonzero", "is_nonzero", "masked_select", "equal", "unique"),
    *("_unique2", "unique_dim", "nonzero_numpy", "allclose", "bincount", "repeat_interleave"),
}
"""Operators for which the CPU waits until a GPU has an answer."""


def operators(work: Callable[[], object]) -> list[str]:
    """Return the names of all operators that work calls, also those that others call."""
    with profile(activities=[ProfilerActivity.CPU], acc_events=True) as found:
        work()
    events = found.events() or []
    return [
        event.name.removeprefix("aten::") for event in events if event.name.startswith("aten::")
    ]


def launches(work: Callable[[], object]) -> list[str]:
    """Return the names of the operators that compute and call no others: a kernel each on GPUs."""
    with profile(activities=[ProfilerActivity.CPU], acc_events=True) as found:
        work()
    names = []
    for event in found.events() or []:
        name = event.name.removeprefix("aten::")
        if not event.name.startswith("aten::") or name in FREE or _is_part(event):
            continue
        if name in WHOLE or not any(_computes(child) for child in event.cpu_children):
            names.append(name)
    return names


def _computes(event: Any) -> bool:
    return event.name.startswith("aten::") and event.name.removeprefix("aten::") not in FREE


def _is_part(event: Any) -> bool:
    """Return whether an operator was called by one that is a whole."""
    while (event := event.cpu_parent) is not None:
        if event.name.removeprefix("aten::") in WHOLE:
            return True
    return False


class Captured(TorchDispatchMode):
    """Refuses what must not happen while a step is captured on a GPU.

    That is what makes the CPU wait for an answer: results whose value or size it needs. And it is
    what is not on the device: on `meta`, which has no numbers, a step must get along without the
    CPU's memory.
    """

    def __init__(self, device: str = "cpu") -> None:
        """Let work be done on this device only."""
        super().__init__()
        self.device = device

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call an operator, if it may be."""
        name = func.overloadpacket.__name__
        masks = [one for one in tensors(args[1:]) if one.dtype == torch.bool]
        if name in WAITING or (name.startswith("index") and masks):
            raise AssertionError(f"{func} waits for the device")
        found = func(*args, **(kwargs or {}))
        used = {one.device.type for one in tensors([args, kwargs, found])}
        if used - {self.device}:
            raise AssertionError(f"{func} has tensors on {sorted(used)}")
        return found
