"""What PyTorch launches, told without a GPU: operators that compute, by its profiler."""

from __future__ import annotations

from collections.abc import Callable

from torch.profiler import ProfilerActivity, profile

FREE = {
    *(
        "view",
        "_unsafe_view",
        "reshape",
        "as_strided",
        "slice",
        "select",
        "expand",
        "transpose",
        "t",
    ),
    *("permute", "unsqueeze", "squeeze", "unbind", "chunk", "split", "narrow", "flatten", "alias"),
    *(
        "detach",
        "empty",
        "empty_strided",
        "empty_like",
        "result_type",
        "resolve_conj",
        "resolve_neg",
    ),
    *("_reshape_alias", "expand_as", "view_as", "resize_", "set_", "lift_fresh", "to", "detach_"),
}
"""Operators that only look at memory in another way, or ask for some."""

WAITING = {
    *("item", "_local_scalar_dense", "nonzero", "is_nonzero", "masked_select", "equal", "unique"),
    *("_unique2", "nonzero_numpy", "allclose", "bincount", "repeat_interleave"),
}
"""Operators for which the CPU waits until a GPU has an answer."""


def operators(work: Callable[[], object]) -> list[str]:
    """Return the names of all operators that work calls, also those that others call."""
    with profile(activities=[ProfilerActivity.CPU]) as found:
        work()
    events = found.events() or []
    return [
        event.name.removeprefix("aten::") for event in events if event.name.startswith("aten::")
    ]


def launches(work: Callable[[], object]) -> list[str]:
    """Return the names of the operators that compute and call no others: a kernel each on GPUs."""
    with profile(activities=[ProfilerActivity.CPU]) as found:
        work()
    named = [event for event in found.events() or [] if event.name.startswith("aten::")]
    leaves = [
        event.name.removeprefix("aten::")
        for event in named
        if not any(
            child.name.removeprefix("aten::") not in FREE
            for child in event.cpu_children
            if child.name.startswith("aten::")
        )
    ]
    return [name for name in leaves if name not in FREE]
