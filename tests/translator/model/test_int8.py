"""Matrices in 8 bits: rows are rounded by a scale of their own, and what is rounded stays so."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from translator.config import ModelConfig, Tying
from translator.model.int8 import ROWS_AT_ONCE, matrices_of, rounded_model, to_int8
from translator.model.transformer import Transformer, make_model


def test_rows_by_hand() -> None:
    found = to_int8(torch.tensor([[0.5, -1.0, 0.25], [254.0, 2.0, -3.0], [0.0, 0.0, 0.0]]))
    assert found.levels.tolist() == [[64, -127, 32], [127, 1, -2], [0, 0, 0]]
    assert found.scales.tolist() == pytest.approx([1 / 127, 2.0, 1e-8 / 127])
    assert found.floats()[1].tolist() == [254.0, 2.0, -4.0]


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_no_number_moves_by_more_than_half_a_level(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    matrix = torch.randn(ROWS_AT_ONCE + 3, 20).to(dtype)
    found = to_int8(matrix)
    error = (found.floats() - matrix.float()).abs() / found.scales[:, None]
    assert error.max() <= 0.5001
    assert (found.levels.abs().amax(dim=1) == 127).all()


def test_what_has_been_rounded_is_not_rounded_again() -> None:
    torch.manual_seed(0)
    once = to_int8(torch.randn(5000, 64) * torch.rand(5000, 1).exp())
    again = to_int8(once.floats())
    assert torch.equal(again.levels, once.levels)
    torch.testing.assert_close(again.scales, once.scales, rtol=2e-7, atol=0)


@pytest.mark.parametrize("tied", ["all", "target", "none"])
def test_all_matrices_are_found_and_nothing_else(model_config: ModelConfig, tied: Tying) -> None:
    config = dataclasses.replace(
        model_config, tied=tied, positions="learned", max_positions=50, output_bias=True
    )
    model = make_model(config)
    found, state = matrices_of(model), model.state_dict()
    left = {name for name in state if name not in found and state[name].dim() == 2}
    assert {name.rpartition(".")[2] for name in left} == {"position_table"}
    assert all(
        found[name] is parameter for name, parameter in model.named_parameters() if name in found
    )
    assert "encoder_layers.0.self_attention.query_proj.weight" in found
    assert ("output" in found) == (tied == "none")
    assert ("decoder_embedding.weight" in found) == (tied != "all")


def test_a_model_of_rounded_matrices_computes_with_their_numbers(model: Transformer) -> None:
    rounded = rounded_model(model)
    floats = rounded.floats()
    assert not floats.training
    for name, tensor in floats.state_dict().items():
        exact = model.state_dict()[name]
        if name in rounded.matrices:
            assert torch.equal(tensor, to_int8(exact).floats()), name
            assert not torch.equal(tensor, exact), name
        else:
            assert torch.equal(tensor, exact), name
    num_rows = sum(len(one) for one in matrices_of(model).values())
    num_weights = sum(one.numel() for one in matrices_of(model).values())
    assert rounded.num_bytes == num_weights + 4 * num_rows
    src = torch.tensor([[5, 6, 7]])
    torch.testing.assert_close(floats(src, src, None), model(src, src, None), atol=0.1, rtol=0.1)
