"""The reference model leaves memory when no one needs it, and comes back as it was."""

from __future__ import annotations

import gc
import time
import weakref

import numpy as np
import pytest
import torch

from tests.alone import run_alone
from translator.errors import ModelDirectoryError
from translator.model.reference import Reference
from translator.model.transformer import Transformer
from translator.model.weights import Weights, weights_of

TIMEOUT_S = 60


class Reader:
    """Returns copies of the same weights, counts them, and knows the models made of them."""

    def __init__(self, model: Transformer) -> None:
        self.weights, self.times = weights_of(model), 0
        self.made = list[weakref.ref[Transformer]]()

    def __call__(self) -> Weights:
        self.times += 1
        arrays = {name: np.array(array) for name, array in self.weights.arrays.items()}
        return Weights(self.weights.config, arrays)

    def make(self, weights: Weights) -> Transformer:
        model = weights.model()
        self.made.append(weakref.ref(model))
        return model

    def reference(self, rest_s: float = 60.0) -> Reference:
        return Reference(self, rest_s=rest_s, make=self.make)


@pytest.fixture
def reader(model: Transformer) -> Reader:
    return Reader(model)


def test_it_stays_until_it_is_let_go(reader: Reader) -> None:
    reference = reader.reference()
    num_bytes = reference.num_bytes
    first = reference.get()
    assert reference.get() is first
    assert reader.times == 1
    assert num_bytes == sum(4 * weight.numel() for weight in first.parameters())
    assert reference.num_bytes == num_bytes, "the model shares the memory"


def test_what_is_let_go_leaves_memory_and_comes_back_the_same(reader: Reader) -> None:
    reference = reader.reference()
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
    reference = reader.reference(rest_s=0.05)
    reference.let_go()
    reference.get()
    end_s = time.monotonic() + TIMEOUT_S
    while reference.num_bytes:
        assert time.monotonic() < end_s, "it never left"
        time.sleep(0.01)
    gc.collect()
    assert all(made() is None for made in reader.made)


def test_whoever_has_it_keeps_it(reader: Reader) -> None:
    reference = reader.reference()
    model = reference.get()
    reference.let_go()
    gc.collect()
    assert reader.made[0]() is model


def test_what_cannot_be_read_again_is_an_error(reader: Reader) -> None:
    reference = reader.reference()
    reference.let_go()

    def fail() -> Weights:
        raise ModelDirectoryError("weights.safetensors: has gone")

    reference._read = fail
    with pytest.raises(ModelDirectoryError, match="has gone"):
        reference.get()


def test_a_model_that_is_in_memory_anyway(model: Transformer) -> None:
    reference = Reference.of(model)
    reference.let_go()
    assert reference.get() is model


MEMORY = """
import numpy as np
from tests.benchmarks.machine import resident_mb
from translator.model.reference import give_back_freed_memory

before = resident_mb()
blocks = [np.ones(2**16) for _ in range(128)]  # small enough for the heap, once one has been freed
last = np.ones(2**10)
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
    rounded = weights_of(model).rounded()
    reference = Reference(lambda: rounded)
    assert (reference.weights, reference.device) == (rounded, "cpu")
    assert reference.num_bytes == rounded.num_bytes
    made = reference.get()
    assert torch.equal(made.embedding.weight, rounded.model().embedding.weight)
    floats = 4 * sum(weight.numel() for weight in model.parameters())
    assert reference.num_bytes == rounded.num_bytes + floats
    reference.let_go()
    assert reference.num_bytes == 0
    assert reference.get() is not made
    assert reference.num_bytes == floats
