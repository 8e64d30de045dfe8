"""Int8 layers: near their float originals, and the same for every row whatever its company."""

from __future__ import annotations

import pytest
import torch

from translator.config import DecodingOptions
from translator.decoding.calibration import measure_ranges
from translator.decoding.running_batch import decode_batch
from translator.decoding.special_ids import SpecialIds
from translator.errors import ConfigError
from translator.model.inference import InferenceModel
from translator.model.linear import FloatLayers, FloatLinear, ObservedLinear
from translator.model.quantization import (
    MANY_ROWS,
    FewRowsLinear,
    Int8Layers,
    LogitsLinear,
    ManyRowsLinear,
)
from translator.model.transformer import Transformer

Kinds = type[FewRowsLinear] | type[ManyRowsLinear]
BOTH = pytest.mark.parametrize("kind", [FewRowsLinear, ManyRowsLinear])

SPECIAL = SpecialIds(bos_id=2, eos_id=3, forbidden_ids=(0, 1, 2, 4, 5))
GREEDY = DecodingOptions(beam_size=1)


@BOTH
@pytest.mark.parametrize("num_rows", [1, 8, 300])
def test_int8_is_near_float(kind: Kinds, num_rows: int) -> None:
    generator = torch.Generator().manual_seed(0)
    weight = torch.randn(48, 64, generator=generator) / 8
    bias = torch.randn(48, generator=generator)
    x = torch.randn(num_rows, 64, generator=generator)
    layer = kind(weight, bias, (float(x.min()), float(x.max())))
    expected = FloatLinear(weight, bias)(x)
    assert (layer(x) - expected).abs().mean() < 0.015 * expected.std()


@pytest.mark.parametrize("activation", ["relu", "gelu", "silu"])
@pytest.mark.parametrize("name", ["encoder.0.ffn", "decoder.0.ffn"])
def test_a_feed_forward_network_is_near_float(activation: str, name: str) -> None:
    generator = torch.Generator().manual_seed(0)
    inner = torch.randn(96, 64, generator=generator) / 8, torch.randn(96, generator=generator)
    out = torch.randn(64, 96, generator=generator) / 8, torch.randn(64, generator=generator)
    x = torch.randn(50, 64, generator=generator)
    low = -1.0 if activation != "relu" else 0.0
    ranges = {f"{name}.inner": (-4.0, 4.0), f"{name}.out": (low, 6.0)}
    expected = FloatLayers().feed_forward(name, inner, out, activation)(x)
    found = Int8Layers(ranges).feed_forward(name, inner, out, activation)(x)
    assert (found - expected).abs().mean() < 0.03 * expected.std()


def test_a_layer_without_a_range_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"lacks decoder\.0\.qkv.*export the model again"):
        Int8Layers({}).linear("decoder.0.qkv", torch.ones(1, 1), torch.zeros(1))


@BOTH
def test_a_row_does_not_depend_on_its_company(kind: Kinds) -> None:
    generator = torch.Generator().manual_seed(1)
    weight, bias = torch.randn(40, 64, generator=generator), torch.randn(40, generator=generator)
    layer, x = kind(weight, bias, (-3, 3)), torch.randn(50, 64, generator=generator)
    loud = torch.cat((x, 1000 * torch.ones(1, 64)))  # a dynamic scale would drown the others
    assert torch.equal(layer(loud)[:50], layer(x))
    assert torch.equal(layer(x.repeat(7, 1))[-50:], layer(x))
    assert torch.equal(torch.cat([layer(row[None]) for row in x]), layer(x))


@BOTH
def test_inputs_beyond_the_range_saturate(kind: Kinds) -> None:
    layer = kind(torch.ones(1, 1), torch.zeros(1), (-1.0, 1.0))
    low, high = layer(torch.tensor([[-50.0], [50.0]])).flatten().tolist()
    assert (low, high) == (pytest.approx(-1, abs=0.01), pytest.approx(1, abs=0.01))


def test_an_observer_sees_the_range_and_changes_nothing() -> None:
    weight, bias = torch.randn(3, 4), torch.randn(3)
    observed = ObservedLinear(weight, bias)
    for x in (torch.tensor([[1.0, -2, 0, 0]]), torch.tensor([[0.0, 0, 5, 0]])):
        assert torch.equal(observed(x), FloatLinear(weight, bias)(x))
    assert observed.input_range == (-2, 5)


@torch.inference_mode()
def test_a_quantised_model_translates_alike_and_alone(model: Transformer) -> None:
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        model.embedding.weight[3] *= 3  # end sentences at various lengths
    sources = [
        [4, *torch.randint(6, 300, (length,), generator=generator).tolist(), 3]
        for length in range(2, 40)
    ]
    ranges = measure_ranges(model, SPECIAL, sources)
    int8 = InferenceModel(model, SPECIAL.forbidden_ids, Int8Layers(ranges))
    exact = InferenceModel(model, SPECIAL.forbidden_ids)
    together = decode_batch(int8, sources, GREEDY, SPECIAL)
    for source, [found] in zip(sources, together, strict=True):
        assert decode_batch(int8, [source], GREEDY, SPECIAL)[0][0].ids == found.ids
    originals = decode_batch(exact, sources, GREEDY, SPECIAL)
    first_ids = [
        (found.ids[:1], other.ids[:1]) for [found], [other] in zip(together, originals, strict=True)
    ]
    assert sum(ours == theirs for ours, theirs in first_ids) > 0.9 * len(sources)


@pytest.mark.parametrize("seed", range(5))
def test_logits_are_the_same_from_either_kernel(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    weight = torch.randn(500, 48, generator=generator) * 0.1
    bias = torch.zeros(500).index_fill(0, torch.tensor([0, 7]), -1e9)
    high = float(torch.rand(1, generator=generator)) * 9 + 1
    layer = LogitsLinear(weight, bias, (-1.7 * high, high))
    x = torch.randn(2 * MANY_ROWS, 48, generator=generator) * high / 2
    together = layer(x)
    alone = torch.cat([layer(row[None]) for row in x])
    assert torch.equal(together, alone)
    expected = FloatLinear(weight, bias)(x.clamp(-1.7 * high, high))
    assert (together - expected)[:, 1:7].abs().mean() < 0.03 * expected[:, 1:7].std()
