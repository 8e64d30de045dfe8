"""The one place that calls TorchScript, which is deprecated and not yet replaced.

It runs a module without the interpreter's cost for each operation, and needs no compiler.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import torch
from torch import nn

IS_KNOWN = sys.version_info < (3, 14)
"""TorchScript does not know later versions of Python; there, everything runs as it is written."""


def frozen(module: nn.Module) -> Any:
    """Compile a module in evaluation mode, its weights now constants."""
    if not IS_KNOWN:
        return module
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.freeze(torch.jit.script(module))
