"""The recurrent unit computes its equations, and no position sees those behind it."""

from __future__ import annotations

import numpy as np
import torch

from translator.model.recurrence import SSRU


def by_the_equations(unit: SSRU, x: np.ndarray) -> np.ndarray:
    """Return what one sequence (T, D) becomes, in float64 and position by position."""
    w, wf, bf = (
        one.detach().double().numpy()
        for one in (unit.candidate_proj.weight, unit.gate_proj.weight, unit.gate_proj.bias)
    )
    c, out = np.zeros(x.shape[1]), []
    for x_t in x:
        f = 1 / (1 + np.exp(-(wf @ x_t + bf)))
        c = f * c + (1 - f) * (w @ x_t)
        out.append(np.maximum(c, 0))
    return np.array(out)


@torch.inference_mode()
def test_it_computes_its_equations() -> None:
    torch.manual_seed(0)
    unit, x = SSRU(24), torch.randn(3, 50, 24) * 3
    torch.nn.init.normal_(unit.gate_proj.bias)
    expected = np.stack([by_the_equations(unit, one.double().numpy()) for one in x])
    np.testing.assert_allclose(unit(x), expected, atol=1e-5)
    assert (expected == 0).mean() < 0.7


def test_no_position_sees_those_behind_it() -> None:
    torch.manual_seed(0)
    unit, x = SSRU(8), torch.randn(1, 6, 8, requires_grad=True)
    unit(x)[0, 3].sum().backward()
    assert x.grad is not None
    assert x.grad[0, :4].abs().sum(1).min() > 0
    assert not x.grad[0, 4:].any()
