"""The one place that calls TorchScript, which is deprecated and not yet replaced.

It runs a module without the interpreter's cost for each operation, and needs no compiler.
"""

from __future__ import annotations

import sys
import threading
import warnings
from typing import Any

import torch
from torch import nn

IS_KNOWN = sys.version_info < (3, 14)
"""TorchScript does not know later versions of Python; there, everything runs as it is written."""

_one_at_a_time = threading.Lock()
"""Warnings are switched off for the whole process, so two threads would switch them on again."""


def frozen(module: nn.Module) -> Any:
    """Compile a module in evaluation mode, its weights now constants."""
    if not IS_KNOWN:
        return module
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.freeze(torch.jit.script(module))
