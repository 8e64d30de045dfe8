"""What training asks of the machine."""

from __future__ import annotations

import os

import pytest
import torch

from training.machine import (
    SHAPES_KEPT,
    STEPS_UNASKED,
    Handling,
    handling_of,
    has_bfloat16,
    prepare,
)


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        ({"architecture": "x86_64", "avx512_bf16": True, "amx_bf16": False}, True),
        ({"architecture": "x86_64", "avx512_bf16": False, "amx_bf16": True}, True),
        ({"architecture": "x86_64", "avx512_bf16": False, "amx_bf16": False}, False),
        ({"architecture": "aarch64"}, True),
    ],
)
def test_bfloat16_is_left_to_machines_that_have_it(
    capabilities: dict[str, object], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities, raising=False)
    assert has_bfloat16(torch.device("cpu")) == expected
    assert has_bfloat16(torch.device("cuda"))


def test_a_pytorch_that_does_not_describe_its_cpu_is_trusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(torch.cpu, "get_capabilities", raising=False)
    assert has_bfloat16(torch.device("cpu"))


def test_a_gpu_is_asked_seldom_and_a_cpu_each_step() -> None:
    cpu, cuda = torch.device("cpu"), torch.device("cuda")
    assert handling_of(cpu, cuda_graphs=True) == Handling(ask_every=1, gathers=False, records=False)
    assert handling_of(cpu, cuda_graphs=True).may_wait
    gpu = handling_of(cuda, cuda_graphs=True)
    assert gpu == Handling(ask_every=STEPS_UNASKED, gathers=True, records=True)
    assert not gpu.may_wait
    assert not handling_of(cuda, cuda_graphs=False).records
    assert not handling_of(torch.device("mps"), cuda_graphs=True).records


def test_on_a_cpu_little_is_kept_of_former_shapes_unless_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("training.machine.keep_freed_memory", lambda: None)
    monkeypatch.setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "1000")
    monkeypatch.setenv("LRU_CACHE_CAPACITY", "")
    monkeypatch.delenv("LRU_CACHE_CAPACITY")
    prepare(torch.device("cpu"))
    assert os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"] == "1000"
    assert os.environ["LRU_CACHE_CAPACITY"] == str(SHAPES_KEPT)


def test_on_a_gpu_attention_is_not_cudnns(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[bool] = []
    monkeypatch.setattr(torch.backends.cuda, "enable_cudnn_sdp", said.append)
    prepare(torch.device("cpu"))
    assert said == []
    prepare(torch.device("cuda"))
    assert said == [False]


def test_a_gpu_that_is_named_is_the_one_that_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyTorch makes streams and recordings on its current device, wherever tensors are."""
    said: list[torch.device] = []
    monkeypatch.setattr(torch.cuda, "set_device", said.append)
    prepare(torch.device("cuda"))
    assert said == []
    prepare(torch.device("cuda:1"))
    assert said == [torch.device("cuda:1")]
