"""What a model on a device says of itself, and the types of its weights."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import pytest
import torch

from translator.config import Activation
from translator.model.layers import ACTIVATIONS
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.device import model as devices
from translator.runtime.device.candidates import CHUNK
from translator.runtime.device.model import (
    CACHE_SHARE,
    WIDTH_STEP,
    DeviceModel,
    best_dtype,
    narrowed,
)
from translator.runtime.eager.layers import Layers
from translator.runtime.plan import FORBIDDEN


def test_layers_are_narrowed_and_embeddings_stay(model: Transformer) -> None:
    plan = arrange(model, (0, 1, 2))
    found, size = narrowed(plan, torch.bfloat16), model.config.vocab_size
    assert found.output.weight.dtype == torch.bfloat16
    assert found.encoder[0].qkv.weight.dtype == found.decoder[1].self_norm.bias.dtype
    assert found.decoder[0].memory.bias.dtype == torch.bfloat16
    assert found.target.weight is plan.target.weight
    assert len(found.output.weight) % CHUNK == 0
    assert torch.equal(found.output.weight[:size], plan.output.weight.bfloat16())
    assert (found.output.bias[size:] < FORBIDDEN / 2).all(), "what was added is forbidden"
    assert found.config is plan.config


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_bias_of_a_network_is_in_its_matrix(model: Transformer, activation: Activation) -> None:
    plan = dataclasses.replace(arrange(model, ()), activation=activation)
    for part in (plan.encoder[0].feed_forward, plan.decoder[1].feed_forward):
        torch.nn.init.normal_(part.out.bias)
    short, layers = narrowed(plan, torch.float32), Layers(plan)
    for before, after in (
        (plan.encoder[0].feed_forward, short.encoder[0].feed_forward),
        (plan.decoder[1].feed_forward, short.decoder[1].feed_forward),
    ):
        h, activate = torch.randn(5, model.config.d_model), ACTIVATIONS[activation]
        expected = layers.linear(activate(layers.linear(h, before.inner)), before.out)
        found = activate(layers.linear(h, after.inner)) @ after.out.weight.T
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)
        assert not after.out.bias.any()
        assert len(after.inner.bias) % WIDTH_STEP == 0


def test_cudnn_makes_no_plans_for_shapes(model: Transformer) -> None:
    DeviceModel(arrange(model, ()))
    assert not torch.backends.cuda.cudnn_sdp_enabled()
    assert torch.backends.cuda.mem_efficient_sdp_enabled()


def test_memory_is_told(model: Transformer) -> None:
    plan = arrange(model, ())
    exact, short = DeviceModel(plan), DeviceModel(plan, torch.bfloat16)
    assert (exact.dtype, short.dtype) == (torch.float32, torch.bfloat16)
    assert short.num_bytes < exact.num_bytes
    assert 1 < exact.most_tokens < short.most_tokens
    exact.cache_bytes = short.cache_bytes = 1
    assert exact.most_rows == 1


def test_it_warms_up_with_any_model(model: Transformer) -> None:
    DeviceModel(arrange(model, (0, 1, 2))).warm_up()


@pytest.mark.parametrize(("has_bfloat16", "dtype"), [(True, "bfloat16"), (False, "float32")])
def test_a_gpu_computes_with_what_it_has(
    monkeypatch: pytest.MonkeyPatch, has_bfloat16: bool, dtype: str
) -> None:
    def is_supported(including_emulation: bool) -> bool:
        assert not including_emulation, "that is slower than float32"
        return has_bfloat16

    monkeypatch.setattr(torch.cuda, "is_bf16_supported", is_supported)
    monkeypatch.setattr(torch.cuda, "device", lambda _: torch.inference_mode())
    assert best_dtype(torch.device("cuda")) == getattr(torch, dtype)
    assert best_dtype(torch.device("cpu")) == torch.float32
    memory = SimpleNamespace(total_memory=80 << 30)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: memory)
    assert devices._cache_bytes(torch.device("cuda")) == (80 << 30) // CACHE_SHARE
