"""Optimizers and the learning rate."""

from __future__ import annotations

import copy
from typing import Any, Literal

import pytest
import torch

from training.config import TrainingConfig
from training.loop import optimizer
from training.loop.optimizer import (
    MUON_RATE,
    Muon,
    Optimizers,
    divide,
    learning_rate,
    make_optimizers,
)
from translator.config import ModelConfig
from translator.model.transformer import Transformer, make_model


def test_decay_spares_biases_norms_and_the_embedding(model_config: ModelConfig) -> None:
    model = make_model(model_config)
    config = TrainingConfig(max_steps=1, learning_rate=0.5, weight_decay=0.1)
    optimizers = make_optimizers(model, config)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizers.step()
    for name, parameter in model.named_parameters():
        is_decayed = name.endswith("_proj.weight")
        torch.testing.assert_close(parameter, before[name] * (0.95 if is_decayed else 1.0))
    assert sum(len(group["params"]) for group in optimizers.named["adamw"].param_groups) == len(
        before
    )


def step(model: Transformer, optimizers: Optimizers) -> None:
    for place, parameter in enumerate(model.parameters()):
        torch.manual_seed(place)
        parameter.grad = torch.randn_like(parameter)
    optimizers.step()


def test_muon_has_the_matrices_and_adamw_all_else(model: Transformer) -> None:
    optimizers = make_optimizers(model, TrainingConfig(max_steps=1, optimizer="muon"))
    owned = {
        name: {id(p) for group in optimizer.param_groups for p in group["params"]}
        for name, optimizer in optimizers.named.items()
    }
    for name, parameter in model.named_parameters():
        is_matrix = parameter.dim() == 2 and name != "embedding.weight"
        assert (id(parameter) in owned["muon"]) == is_matrix, name
        assert (id(parameter) in owned["adamw"]) != is_matrix, name


def test_an_update_of_muon_is_orthogonal(model: Transformer) -> None:
    config = TrainingConfig(
        max_steps=1, optimizer="muon", learning_rate=0.01, muon_weight_decay=0.0
    )
    optimizers = make_optimizers(model, config)
    layer = model.get_parameter("encoder_layers.0.self_attention.out_proj.weight")
    before = layer.detach().clone()
    step(model, optimizers)
    sizes = torch.linalg.svdvals(layer.detach() - before)
    assert sizes.min() > 0.5 * sizes.max(), "all directions are changed alike"
    assert sizes.max() == pytest.approx(0.01 * MUON_RATE, rel=0.5)


@pytest.mark.parametrize("is_fast", [False, True])
def test_muon_is_that_of_pytorch(monkeypatch: pytest.MonkeyPatch, is_fast: bool) -> None:
    """In bfloat16 to the bit or nearly so, in float32 within what bfloat16 rounds away."""
    monkeypatch.setattr(optimizer, "has_bfloat16", lambda device: is_fast)
    torch.manual_seed(1)
    settings: dict[str, Any] = {"lr": 0.02, "weight_decay": 0.1, "momentum": 0.95}
    for shape in ((24, 24), (16, 48), (48, 16)):
        mine = torch.nn.Parameter(torch.randn(shape))
        theirs = torch.nn.Parameter(mine.detach().clone())
        own, pytorchs = Muon([mine], **settings), torch.optim.Muon([theirs], **settings)
        assert own.dtype == (torch.bfloat16 if is_fast else torch.float32)
        for _ in range(4):
            mine.grad = torch.randn(shape)
            theirs.grad = mine.grad.clone()
            own.step()
            pytorchs.step()
        difference = (mine - theirs).norm() / (0.02 * 4 * min(shape) ** 0.5)
        assert difference < (0.002 if is_fast else 0.05), "in units of the four updates"


@pytest.mark.parametrize("is_fast", [False, True])
def test_matrices_of_one_shape_get_the_updates_that_each_would_get_alone(
    monkeypatch: pytest.MonkeyPatch, is_fast: bool
) -> None:
    monkeypatch.setattr(optimizer, "has_bfloat16", lambda device: is_fast)
    torch.manual_seed(1)
    settings: dict[str, Any] = {"lr": 0.02, "weight_decay": 0.1, "momentum": 0.95}
    shapes = [(24, 24), (16, 48), (24, 24), (48, 16), (24, 24), (16, 48)]
    together = [torch.nn.Parameter(torch.randn(shape)) for shape in shapes]
    alone = [torch.nn.Parameter(matrix.detach().clone()) for matrix in together]
    optimizers = [Muon(together, **settings), *(Muon([matrix], **settings) for matrix in alone)]
    for _ in range(3):
        for mine, other in zip(together, alone, strict=True):
            mine.grad = torch.randn(mine.shape)
            other.grad = mine.grad.clone()
        for each in optimizers:
            each.step()
    for mine, other in zip(together, alone, strict=True):
        torch.testing.assert_close(mine, other, atol=2e-3 if is_fast else 1e-5, rtol=0)


@pytest.mark.parametrize("kind", ["adamw", "muon"])
def test_a_recorded_step_reads_its_rate_from_a_tensor(model_config: ModelConfig, kind: str) -> None:
    config = TrainingConfig(max_steps=1, optimizer=kind)  # type: ignore[arg-type]
    models = [make_model(model_config) for _ in range(2)]
    models[1].load_state_dict(models[0].state_dict())
    plain, recorded = (
        make_optimizers(models[0], config),
        make_optimizers(models[1], config, is_recorded=True),
    )
    before = {id(group["lr"]) for _, group in recorded._groups()}
    for rate in (0.01, 0.02):
        for one, optimizers in zip(models, (plain, recorded), strict=True):
            optimizers.set_rate(rate)
            step(one, optimizers)
    assert {id(group["lr"]) for _, group in recorded._groups()} == before
    for name, parameter in models[0].named_parameters():
        other = models[1].get_parameter(name)
        torch.testing.assert_close(other, parameter, atol=1e-6, rtol=1e-5)
    saved = recorded.state_dict()
    rates = [group["lr"] for state in saved.values() for group in state["param_groups"]]
    assert all(isinstance(rate, float) for rate in rates)
    recorded.load_state_dict(saved)
    assert all(isinstance(group["lr"], torch.Tensor) for _, group in recorded._groups())
    plain.load_state_dict(saved)
    assert not any(group.get("capturable") for _, group in plain._groups())


def test_muon_has_a_weight_decay_of_its_own(model: Transformer) -> None:
    config = TrainingConfig(
        max_steps=1, optimizer="muon", learning_rate=0.01, weight_decay=0.9, muon_weight_decay=0.5
    )
    matrix = model.get_parameter("encoder_layers.0.self_attention.out_proj.weight")
    before = matrix.detach().clone()
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    make_optimizers(model, config).step()
    torch.testing.assert_close(matrix.detach(), before * (1 - 0.01 * MUON_RATE * 0.5))


def test_one_rate_sets_both(model: Transformer) -> None:
    optimizers = make_optimizers(model, TrainingConfig(max_steps=1, optimizer="muon"))
    optimizers.set_rate(0.5)
    rates = {
        name: {group["lr"] for group in optimizer.param_groups}
        for name, optimizer in optimizers.named.items()
    }
    assert rates == {"muon": {0.5 * MUON_RATE}, "adamw": {0.5}}


def test_a_step_forgets_the_gradients(model: Transformer) -> None:
    step(model, make_optimizers(model, TrainingConfig(max_steps=1)))
    assert all(parameter.grad is None for parameter in model.parameters())


@pytest.mark.parametrize("kind", ["adamw", "muon"])
def test_saved_optimizers_go_on_alike(model_config: ModelConfig, kind: str) -> None:
    config = TrainingConfig(max_steps=1, optimizer=kind)  # type: ignore[arg-type]
    first = make_model(model_config)
    optimizers = make_optimizers(first, config)
    step(first, optimizers)
    second = make_model(model_config)
    second.load_state_dict(first.state_dict())
    restored = make_optimizers(second, config)
    restored.load_state_dict(copy.deepcopy(optimizers.state_dict()))
    step(first, optimizers)
    step(second, restored)
    for name, parameter in first.named_parameters():
        assert torch.equal(second.get_parameter(name), parameter), name


def test_matrices_are_divided_by_the_work_that_they_are() -> None:
    sizes = [(4, 16), (4, 4), (16, 4), (4, 4), (4, 4)]  # 576, 192, 576, 192 and 192 multiply-adds
    assert divide([torch.zeros(size) for size in sizes], 2) == [[0, 1, 4], [2, 3]]
    assert divide([torch.zeros(size) for size in sizes], 1) == [[0, 1, 2, 3, 4]]


def test_linear_rises_falls_and_reaches_zero_after_the_last_step() -> None:
    config = TrainingConfig(max_steps=100, warmup_steps=10, learning_rate=1.0, schedule="linear")
    assert learning_rate(1, config) == pytest.approx(0.1)
    assert learning_rate(10, config) == pytest.approx(1.0)
    assert learning_rate(55, config) == pytest.approx(46 / 91)
    assert 0 < learning_rate(100, config) < 0.02
    assert learning_rate(101, config) == 0.0


@pytest.mark.parametrize("schedule", ["linear", "inverse_sqrt"])
@pytest.mark.parametrize(("warmup", "steps"), [(0, 50), (1, 50), (10, 50), (50, 50), (80, 50)])
def test_one_peak_and_never_negative(
    schedule: Literal["linear", "inverse_sqrt"], warmup: int, steps: int
) -> None:
    config = TrainingConfig(
        max_steps=steps, warmup_steps=warmup, learning_rate=0.3, schedule=schedule
    )
    rates = [learning_rate(step, config) for step in range(1, steps + 1)]
    peak = max(range(steps), key=rates.__getitem__)
    assert rates[: peak + 1] == sorted(rates[: peak + 1])
    assert rates[peak:] == sorted(rates[peak:], reverse=True)
    assert min(rates) > 0
    assert max(rates) == pytest.approx(0.3 * min(1.0, steps / max(warmup, 1)))


def test_inverse_square_root_is_the_equation_of_the_paper() -> None:
    d_model, warmup = 512, 4000
    peak = d_model**-0.5 * warmup**-0.5
    config = TrainingConfig(
        max_steps=100_000, warmup_steps=warmup, learning_rate=peak, schedule="inverse_sqrt"
    )
    for step in (1, 399, 4000, 4001, 77_777):
        expected = d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
        assert learning_rate(step, config) == pytest.approx(expected)


def test_wsd_rises_stays_and_falls_in_the_last_part() -> None:
    config = TrainingConfig(
        max_steps=99, warmup_steps=10, learning_rate=1.0, schedule="wsd", decay_share=0.2
    )
    assert learning_rate(5, config) == pytest.approx(0.5)
    assert {learning_rate(step, config) for step in range(10, 81)} == {1.0}
    assert learning_rate(90, config) == pytest.approx(0.5)
    assert learning_rate(100, config) == 0.0
    assert learning_rate(50, config, spent=0.9) == pytest.approx(0.5)


def test_wsd_without_decay_never_falls() -> None:
    config = TrainingConfig(
        max_steps=100, warmup_steps=10, learning_rate=0.7, schedule="wsd", decay_share=0.0
    )
    assert {learning_rate(step, config) for step in range(10, 101)} == {0.7}


def test_a_copy_of_a_trunk_begins_to_fall_where_it_leaves_the_trunk() -> None:
    left_at, share = 8000, 0.2
    copy = TrainingConfig(
        max_steps=int(left_at / (1 - share)), schedule="wsd", decay_share=share, warmup_steps=10
    )
    assert learning_rate(left_at, copy) == copy.learning_rate
    assert learning_rate(left_at + 2, copy) < copy.learning_rate
