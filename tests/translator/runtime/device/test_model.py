"""A model on a device: what it refuses, its memory, and its types; the search: `test_search.py`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from translator.config import DecodingOptions, ModelConfig
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.device.batch import DeviceBatch
from translator.runtime.device.model import DeviceRuntime, best_dtype
from translator.runtime.device.network import ENCODED_AT_ONCE, portions
from translator.runtime.device.slots import Capacity, new_slots, slot_bytes
from translator.runtime.layers import on_device
from translator.tokens.shortlist import Shortlist

GREEDY = DecodingOptions(beam_size=1)


def test_cudnn_makes_no_plans_for_shapes(model: Transformer) -> None:
    DeviceRuntime(arrange(model, ()))
    assert not torch.backends.cuda.cudnn_sdp_enabled()
    assert torch.backends.cuda.mem_efficient_sdp_enabled()


def test_memory_is_told(model: Transformer) -> None:
    plan = arrange(model, ())
    exact, short = DeviceRuntime(plan), DeviceRuntime(plan, dtype=torch.bfloat16)
    assert (exact.dtype, short.dtype) == (torch.float32, torch.bfloat16)
    assert short.num_bytes < exact.num_bytes
    assert 1 < exact.most_tokens < short.most_tokens
    exact.cache_bytes = short.cache_bytes = 1
    assert exact.most_rows == 1


def test_it_warms_up_with_any_model(model: Transformer) -> None:
    DeviceRuntime(arrange(model, (0, 1, 2))).warm_up()


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


def test_sources_of_like_lengths_are_read_together() -> None:
    assert [*portions([])] == []
    assert [*portions([5])] == [slice(0, 1)]
    assert [*portions([20, 8, 2])] == [slice(0, 3)], "short ones are all alike"
    assert [*portions([100, 80, 76, 74, 60, 50])] == [slice(0, 3), slice(3, 5), slice(5, 6)]
    many = [*portions([128] * 600)]
    assert [128 * (one.stop - one.start) for one in many] == [ENCODED_AT_ONCE] * 2 + [
        600 * 128 - 2 * ENCODED_AT_ONCE
    ]


@pytest.mark.parametrize("decoder", ["self_attention", "ssru"])
@pytest.mark.parametrize("has_list", [False, True])
def test_memory_is_told_beforehand(decoder: Any, has_list: bool, model_config: ModelConfig) -> None:
    torch.manual_seed(0)
    plan = arrange(make_model(replace(model_config, decoder=decoder)).eval(), ())
    if has_list:
        ids = np.zeros(1, np.int32)
        starts = np.zeros(model_config.vocab_size + 1, np.int32)
        plan = replace(plan, shortlist=Shortlist(ids, starts, ids))
    capacity = Capacity(8, 64, 128)
    there = on_device(plan, "cpu")
    slots = new_slots(there, capacity, 4, torch.bfloat16)
    actual = sum(one.nbytes for one in slots.tensors())
    assert slot_bytes(there, capacity, 4, torch.bfloat16) == pytest.approx(actual, rel=0.03)


@pytest.fixture
def batch(model: Transformer) -> DeviceBatch:
    return DeviceRuntime(arrange(model, (0, 1, 2))).batch(1, 2, 3)


@pytest.mark.parametrize(
    ("source", "limit", "options", "start", "message"),
    [
        ([4, 99_999, 3], 9, GREEDY, (), "source ids must be 1 or more in 0"),
        ([], 9, GREEDY, (), "source ids must be 1 or more in 0"),
        ([4, 3], 9, GREEDY, (-1,), "start ids must be 1 or more in 0"),
        ([4, 3], 9, GREEDY, (2,) * 258, "a start has 1 to 257 ids"),
        ([4, 3], 0, GREEDY, (), "a limit must be at least 1"),
        ([4, 3], 9, DecodingOptions(beam_size=2), (), "beam_size must be 1, got 2"),
    ],
)
def test_what_would_break_a_device_is_refused(
    batch: DeviceBatch,
    source: list[int],
    limit: int,
    options: DecodingOptions,
    start: tuple[int, ...],
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        batch.admit([[4, 9, 3], source], [9, limit], [GREEDY, options], [(), start])
    assert batch.step(1, waits=False) == [], "no one has joined"


def test_a_source_without_end_may_fill_the_widest_slot(batch: DeviceBatch) -> None:
    batch.admit([[4, *[9] * 600, 3]], [9], [GREEDY], [()])
    while not batch.step(1, waits=True):
        pass
    [found] = batch.results(0)
    assert len(found.ids) <= 9


def test_who_is_not_kept_leaves(batch: DeviceBatch) -> None:
    """It would go on, and no one would see it but by the time that it takes."""
    batch.admit([[4, 9, 3], [4, 8, 3], [4, 7, 3]], [50] * 3, [GREEDY] * 3, [()] * 3)
    batch.retire_all_but([2, 1])
    assert batch._slots is not None
    assert batch._slots.is_live.tolist()[:3] == [False, True, True]
