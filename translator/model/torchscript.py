"""The one place that calls TorchScript, which is deprecated and not yet replaced.

It runs a function without the interpreter's cost for each operation, and needs no compiler.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import torch
from torch import nn

P = ParamSpec("P")
R = TypeVar("R")
IS_KNOWN = sys.version_info < (3, 14)
"""TorchScript does not know later versions of Python; there, everything runs as it is written."""


def frozen(module: nn.Module) -> Any:
    """Compile a module in evaluation mode, its weights now constants."""
    if not IS_KNOWN:
        return module
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.freeze(torch.jit.script(module))


def scripted(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function when it is first called."""

    @functools.cache
    def compiled() -> Callable[P, R]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return cast(Callable[P, R], torch.jit.script(function))

    @functools.wraps(function)
    def call(*arguments: P.args, **settings: P.kwargs) -> R:
        return compiled()(*arguments, **settings)

    return call if IS_KNOWN else function
