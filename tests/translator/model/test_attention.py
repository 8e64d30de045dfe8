"""Attention in every form in which it is taught, each against its equation."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from translator.model.attention import MultiHeadedAttention, attention, causal_mask


def rand(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def weights_of(result: tuple[Tensor, Tensor | None]) -> Tensor:
    assert result[1] is not None
    return result[1]


def test_simplified_attention_is_a_weighted_sum_of_the_inputs() -> None:
    x = rand(5, 8)
    context, weights = attention(x, x, x, scale=1.0)
    for i in range(5):
        alpha = torch.stack([(x[i] @ x[j]).exp() for j in range(5)])
        alpha = alpha / alpha.sum()
        torch.testing.assert_close(context[i], sum(alpha[j] * x[j] for j in range(5)))
        torch.testing.assert_close(weights_of((context, weights))[i], alpha)


@pytest.mark.parametrize(("scale", "factor"), [(1.0, 1.0), (None, 1 / math.sqrt(6))])
def test_dot_product_and_scaled_dot_product(scale: float | None, factor: float) -> None:
    query, key, value = rand(2, 4, 6), rand(2, 7, 6, seed=1), rand(2, 7, 3, seed=2)
    context, weights = attention(query, key, value, scale=scale)
    expected = (query.double() @ key.double().transpose(1, 2) * factor).softmax(-1)
    torch.testing.assert_close(
        weights_of((context, weights)).double(), expected, atol=1e-6, rtol=1e-5
    )
    torch.testing.assert_close(context.double(), expected @ value.double(), atol=1e-6, rtol=1e-5)


def test_single_head_with_its_own_value_width() -> None:
    layer = MultiHeadedAttention(12, 1, d_k=5, d_v=7)
    x = rand(1, 4, 12)
    q, k, v = layer.query_proj(x), layer.key_proj(x), layer.value_proj(x)
    assert (q.shape[-1], k.shape[-1], v.shape[-1]) == (5, 5, 7)
    expected = layer.out_proj((q @ k.transpose(1, 2) / math.sqrt(5)).softmax(-1) @ v)
    torch.testing.assert_close(layer(x, x)[0], expected)


def test_causal_mask_must_come_before_the_softmax() -> None:
    x = rand(6, 8)
    scores = x @ x.T / math.sqrt(8)
    _, weights = attention(x, x, x, causal_mask(6)[0, 0])
    assert weights is not None
    torch.testing.assert_close(weights.sum(-1), torch.ones(6))
    assert torch.equal(weights, weights.tril())
    masked_after = scores.softmax(-1).tril()  # the mistake
    assert (masked_after.sum(-1)[:-1] < 0.999).all()
    changed = x.clone()
    changed[5] += 3.0  # the future
    late = (changed @ changed.T / math.sqrt(8)).softmax(-1).tril()
    assert not torch.allclose(late[:5], masked_after[:5]), "masking afterwards leaks the future"
    _, again = attention(changed, changed, changed, causal_mask(6)[0, 0])
    assert again is not None
    assert torch.equal(again[:5], weights[:5])


def test_dropped_weights_are_rescaled() -> None:
    torch.manual_seed(1)
    value = torch.eye(64)
    _, weights = attention(rand(64, 8), rand(64, 8, seed=1), value)
    context, undropped = attention(rand(64, 8), rand(64, 8, seed=1), value, dropout=0.25)
    assert weights is not None
    assert torch.equal(weights, weights_of((context, undropped)))
    kept = context != 0  # value is the identity, so context shows the dropped weights
    assert 0.7 < kept.float().mean() < 0.8
    torch.testing.assert_close(context[kept], (weights / 0.75)[kept])


def test_multi_head_is_concatenated_single_heads() -> None:
    heads, d_model, d_k = 3, 12, 4
    wide = MultiHeadedAttention(d_model, heads)
    x, memory = rand(2, 5, d_model), rand(2, 6, d_model, seed=3)
    contexts = []
    for head in range(heads):
        rows = slice(head * d_k, (head + 1) * d_k)
        q, k, v = (
            functional.linear(given, projection.weight[rows], projection.bias[rows])
            for projection, given in (
                (wide.query_proj, x),
                (wide.key_proj, memory),
                (wide.value_proj, memory),
            )
        )
        contexts.append(attention(q, k, v)[0])
    torch.testing.assert_close(wide(x, memory)[0], wide.out_proj(torch.cat(contexts, -1)))


def test_agrees_with_torch_for_cross_attention_with_padding() -> None:
    ours = MultiHeadedAttention(16, 4).eval()
    theirs = nn.MultiheadAttention(16, 4, batch_first=True).eval()
    projections = (ours.query_proj, ours.key_proj, ours.value_proj)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
    x, memory = rand(2, 3, 16), rand(2, 9, 16, seed=1)
    is_real = torch.tensor([[True] * 9, [True] * 4 + [False] * 5])
    context, weights = ours(x, memory, is_real[:, None, None], need_weights=True)
    expected = theirs(x, memory, memory, key_padding_mask=~is_real, average_attn_weights=False)
    torch.testing.assert_close(context, expected[0])
    torch.testing.assert_close(weights, expected[1])


def test_one_mask_serves_padding_and_causality_alike() -> None:
    x = rand(1, 2, 4, 8)
    mask = causal_mask(4) & torch.tensor([True, True, True, False])
    _, weights = attention(x, x, x, mask)
    assert weights is not None
    assert torch.equal(weights != 0, mask.expand_as(weights))


def test_weights_cost_nothing_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = MultiHeadedAttention(16, 4).eval()
    x = rand(2, 5, 16)
    expected, weights = layer(x, x, causal_mask(5), need_weights=True)
    assert weights is not None
    calls = []
    fused = functional.scaled_dot_product_attention

    def spy(*args: Any, **kwargs: Any) -> Tensor:
        calls.append(args)
        return fused(*args, **kwargs)

    monkeypatch.setattr(functional, "scaled_dot_product_attention", spy)
    with torch.no_grad():
        output, nothing = layer(x, x, causal_mask(5))
    assert len(calls) == 1
    assert nothing is None
    torch.testing.assert_close(output, expected)
    output, nothing = layer(x, x, causal_mask(5))  # slow backward on a CPU
    assert len(calls) == 1
    assert nothing is None
    torch.testing.assert_close(output, expected)


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_a_query_that_may_see_nothing_stays_finite(
    need_weights: bool, dtype: torch.dtype, dropout: float
) -> None:
    query = rand(2, 4, 3, 8).to(dtype).requires_grad_()
    mask = torch.tensor([True, False])[:, None, None, None].expand(2, 1, 3, 3)
    context, _ = attention(query, query, query, mask, dropout=dropout, need_weights=need_weights)
    assert torch.equal(context[1], torch.zeros_like(context[1]))
    context.float().square().sum().backward()
    assert query.grad is not None
    assert query.grad.isfinite().all()
    assert (query.grad[1] == 0).all()


def test_low_precision_masks_agree_with_float32() -> None:
    x = rand(1, 2, 6, 8)
    exact, _ = attention(x, x, x, causal_mask(6))
    for dtype in (torch.bfloat16, torch.float16):
        low = x.to(dtype)
        context, weights = attention(low, low, low, causal_mask(6))
        assert weights is not None
        assert torch.equal(weights, weights.tril())
        torch.testing.assert_close(context.float(), exact, atol=0.05, rtol=0.05)


@pytest.mark.parametrize("shape", [(5, 8), (2, 5, 8), (2, 3, 5, 8)])
@pytest.mark.parametrize("scale", [None, 1.0, 0.2])
def test_the_fused_path_computes_the_same_with_the_same_gradient(
    shape: tuple[int, ...], scale: float | None
) -> None:
    mask = torch.rand(5, 5, generator=torch.Generator().manual_seed(3)) < 0.7
    mask[2] = False  # one query that sees nothing
    results = []
    for need_weights in (True, False):
        query, key, value = (rand(*shape, seed=seed).requires_grad_() for seed in range(3))
        context, _ = attention(query, key, value, mask, scale=scale, need_weights=need_weights)
        gradients = torch.autograd.grad(context.square().sum(), (query, key, value))
        results.append((context, *gradients))
    for explicit, fused in zip(*results, strict=True):
        torch.testing.assert_close(explicit, fused)


def test_gradients_agree_with_finite_differences() -> None:
    query, key, value = (rand(2, 4, 3, seed=seed).double().requires_grad_() for seed in range(3))
    mask = causal_mask(4)[0, 0].clone()
    mask[1] = False
    assert torch.autograd.gradcheck(
        lambda q, k, v: attention(q, k, v, mask)[0], (query, key, value)
    )


def test_dropout_acts_in_training_alone_and_keeps_the_mean() -> None:
    torch.manual_seed(0)
    layer, x = MultiHeadedAttention(16, 4, dropout=0.5), rand(1, 6, 16)
    exact = layer.eval()(x, x)[0]
    assert torch.equal(exact, layer(x, x)[0])
    layer.train()
    mean = torch.stack([layer(x, x)[0] for _ in range(3000)]).mean(dim=0)
    torch.testing.assert_close(mean, exact, atol=0.05, rtol=0.0)
