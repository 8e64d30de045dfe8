"""What is compiled computes the same, and what cannot be compiled stays as it is."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch import Tensor, nn

from translator.runtime.torchscript import tracing
from translator.runtime.torchscript.tracing import frozen


class Branch(nn.Module):
    """Doubles or adds its weight."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([3.0]))

    def forward(self, x: Tensor, doubles: bool) -> Tensor:
        """Take one branch."""
        return x * 2 if doubles else x + self.weight


@torch.inference_mode()
def test_both_branches_are_kept_and_nothing_is_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled = frozen(Branch().eval())
    x = torch.tensor([1.0, 5.0])
    assert compiled(x, True).tolist() == [2, 10]
    assert compiled(x, False).tolist() == [4, 8]


@torch.inference_mode()
def test_weights_are_constants_from_then_on() -> None:
    module = Branch().eval()
    compiled = frozen(module)
    assert len(list(module.parameters())) == 1
    assert len(list(compiled.parameters())) == (0 if tracing.IS_KNOWN else 1)


def test_where_torchscript_is_unknown_a_module_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tracing, "IS_KNOWN", False)
    module = Branch().eval()
    assert frozen(module) is module
