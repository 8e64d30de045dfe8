"""The reference model leaves memory when no one needs it, and comes back as it was."""

from __future__ import annotations

import gc
import time
import weakref

import pytest
import torch

from tests.alone import run_alone
from translator.config import ModelConfig
from translator.errors import ModelDirectoryError
from translator.model.int8 import rounded_model
from translator.model.reference import Reference
from translator.model.transformer import Transformer, make_model

PATIENCE_S = 60


class Reader:
    """Makes the same model each time, and counts how often."""

    def __init__(self, config: ModelConfig) -> None:
        self.config, self.times, self.made = config, 0, list[weakref.ref[Transformer]]()

    def __call__(self) -> Transformer:
        torch.manual_seed(0)
        self.times += 1
        model = make_model(self.config).eval()
        self.made.append(weakref.ref(model))
        return model


@pytest.fixture
def reader(model_config: ModelConfig) -> Reader:
    return Reader(model_config)


def test_it_stays_until_it_is_let_go(reader: Reader) -> None:
    reference = Reference(reader)
    first = reference.get()
    assert reference.get() is first
    assert reader.times == 1
    assert reference.num_bytes == sum(4 * weight.numel() for weight in first.parameters())


def test_what_is_let_go_leaves_memory_and_comes_back_the_same(reader: Reader) -> None:
    reference = Reference(reader)
    before = {name: tensor.clone() for name, tensor in reference.get().state_dict().items()}
    reference.let_go()
    gc.collect()
    assert reader.made[0]() is None
    assert reference.num_bytes == 0
    again = reference.get()
    assert reference.get() is again
    assert reader.times == 2
    assert all(torch.equal(again.state_dict()[name], tensor) for name, tensor in before.items())
    assert reference.num_bytes > 0


def test_it_leaves_again_some_time_after_it_was_last_asked_for(reader: Reader) -> None:
    reference = Reference(reader, rest_s=0.05)
    reference.let_go()
    reference.get()
    end_s = time.monotonic() + PATIENCE_S
    while reference.num_bytes:
        assert time.monotonic() < end_s, "it never left"
        time.sleep(0.01)
    gc.collect()
    assert all(made() is None for made in reader.made)


def test_whoever_has_it_keeps_it(reader: Reader) -> None:
    reference = Reference(reader)
    model = reference.get()
    reference.let_go()
    gc.collect()
    assert reader.made[0]() is model


def test_what_cannot_be_read_again_is_an_error(reader: Reader) -> None:
    reference = Reference(reader)
    reference.let_go()

    def fail() -> Transformer:
        raise ModelDirectoryError("weights.safetensors: has gone")

    reference._read = fail
    with pytest.raises(ModelDirectoryError, match="has gone"):
        reference.get()


def test_a_model_that_is_in_memory_anyway(model: Transformer) -> None:
    reference = Reference.of(model)
    reference.let_go()
    assert reference.get() is model


MEMORY = """
import torch
from tests.benchmarks.machine import resident_mb
from translator.model.reference import give_back_freed_memory

before = resident_mb()
blocks = [torch.ones(2**18) for _ in range(64)]  # small enough for the heap
last = torch.ones(2**10)
assert 50 < resident_mb() - before < 90
del blocks
give_back_freed_memory()
assert resident_mb() - before < 20
"""


def test_what_is_freed_goes_back_to_the_system() -> None:
    """In a process of its own: one that has trained keeps what was freed."""
    run_alone(MEMORY)


def test_a_model_in_int8_is_read_as_floats_only_when_it_is_wanted(
    reader: Reader, model: Transformer
) -> None:
    int8 = rounded_model(model)
    reference = Reference(reader, int8=int8)
    assert (reference.int8, reference.device.type) == (int8, "cpu")
    assert reference.num_bytes == int8.num_bytes
    assert torch.equal(reference.get().embedding.weight, int8.floats().embedding.weight)
    assert reader.times == 0, "it was here"
    floats = 4 * sum(weight.numel() for weight in model.parameters())
    assert reference.num_bytes == int8.num_bytes + floats
    reference.let_go()
    assert (reference.int8, reference.num_bytes) == (None, 0)
    reference.get()
    assert reader.times == 1
    assert reference.int8 is None
