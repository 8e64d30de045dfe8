"""Weights without PyTorch: names and shapes are those of the module, and so are the numbers."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
import torch

from tests.alone import run_alone
from translator.config import DecoderKind, ModelConfig, NormPlacement, Tying
from translator.model.int8 import Int8Matrix, to_int8
from translator.model.transformer import Transformer, make_empty_model, make_model
from translator.model.weights import matrix_names, problem_with, shapes_of, weights_of

KINDS = [*itertools.product(["all", "target", "none"], ["pre", "post"], ["self_attention", "ssru"])]


@pytest.mark.parametrize(("tied", "norm", "decoder"), KINDS)
@pytest.mark.parametrize("is_learned", [False, True])
def test_names_and_shapes_are_those_of_the_module(
    tied: Tying, norm: NormPlacement, decoder: DecoderKind, is_learned: bool
) -> None:
    config = ModelConfig(
        vocab_size=50,
        source_vocab_size=0 if tied == "all" else 40,
        d_model=12,
        d_ff=20,
        num_encoder_layers=2,
        num_decoder_layers=3,
        tied=tied,
        norm=norm,
        decoder=decoder,
        positions="learned" if is_learned else "sinusoidal",
        max_positions=30 if is_learned else 0,
        output_bias=is_learned,
    )
    state = make_empty_model(config).state_dict()
    assert shapes_of(config) == {name: tuple(tensor.shape) for name, tensor in state.items()}


@pytest.mark.parametrize("tied", ["all", "target", "none"])
def test_all_matrices_are_found_and_nothing_else(model_config: ModelConfig, tied: Tying) -> None:
    config = dataclasses.replace(
        model_config, tied=tied, positions="learned", max_positions=50, output_bias=True
    )
    state, found = make_model(config).state_dict(), matrix_names(config)
    left = {name for name in state if name not in found and state[name].dim() == 2}
    assert {name.rpartition(".")[2] for name in left} == {"position_table"}
    assert "encoder_layers.0.self_attention.query_proj.weight" in found
    assert ("output" in found) == (tied == "none")
    assert ("decoder_embedding.weight" in found) == (tied != "all")


def test_a_model_comes_back_from_its_weights(model: Transformer) -> None:
    again = weights_of(model).model()
    assert not again.training
    for name, tensor in model.state_dict().items():
        assert torch.equal(again.state_dict()[name], tensor), name
    src = torch.tensor([[5, 6, 7]])
    assert torch.equal(again(src, src, None), model(src, src, None))


def test_a_model_of_rounded_matrices_computes_with_their_numbers(model: Transformer) -> None:
    weights, names = weights_of(model), matrix_names(model.config)
    rounded = weights.rounded()
    assert rounded.is_int8
    assert not weights.is_int8
    floats = rounded.model()
    for name, tensor in floats.state_dict().items():
        exact = model.state_dict()[name]
        if name in names:
            assert np.array_equal(tensor.numpy(), to_int8(exact.numpy()).floats()), name
            assert not torch.equal(tensor, exact), name
        else:
            assert torch.equal(tensor, exact), name
    matrices = [array for array in rounded.arrays.values() if isinstance(array, Int8Matrix)]
    assert len(matrices) == len(names)
    others = sum(array.nbytes for name, array in weights.arrays.items() if name not in names)
    assert rounded.num_bytes == others + sum(m.levels.size + 4 * len(m.scales) for m in matrices)
    src = torch.tensor([[5, 6, 7]])
    torch.testing.assert_close(floats(src, src, None), model(src, src, None), atol=0.1, rtol=0.1)


def test_what_does_not_fit_is_named(model_config: ModelConfig) -> None:
    shapes = shapes_of(model_config)
    assert problem_with(model_config, shapes) == ""
    assert problem_with(model_config, shapes | {"stranger": (3,)}).startswith(
        "has weights for stranger, which"
    )
    wrong = shapes | {"encoder_norm.bias": (31,)}
    assert problem_with(model_config, wrong) == (
        "encoder_norm.bias has the shape (31,), the configuration says (32,)"
    )
    del wrong["encoder_norm.bias"]
    assert problem_with(model_config, wrong) == "lacks the weights of encoder_norm.bias"


TRANSLATES = """
import sys
from translator import Translator

with Translator.load(precision="int8") as translator:
    [answer] = translator.translate(["Der Hund schläft."], source="de", target="en")
    assert "dog" in answer.text, answer.text
    assert "torch" not in sys.modules
"""


def test_translating_on_a_cpu_needs_no_pytorch() -> None:
    """Its import takes over a second, and 120 MB of every worker."""
    run_alone(TRANSLATES)
