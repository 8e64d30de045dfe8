"""The model arranged for translation computes what the readable model computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from translator.config import Activation, ModelConfig, NormPlacement
from translator.model.transformer import Transformer, make_model
from translator.runtime.int8.model import Int8Model
from translator.runtime.torchscript.inference import InferenceModel
from translator.runtime.torchscript.kv_cache import FloatSlots

SOURCES = [[4, 9, 8, 7, 3], [4, 11, 3], [4, 20, 21, 22, 23, 24, 25, 3]]


def take_step(
    inference: InferenceModel | Int8Model,
    ids: Sequence[int],
    slots: Any,
    count: int = 1,
    beam_log_probs: Sequence[Sequence[float]] | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Feed one id to each of N rows; see `InferenceModel.step`."""
    rows = np.array(ids).reshape(-1, slots.beam_size)
    so_far = None if beam_log_probs is None else np.array(beam_log_probs)
    best, found, beams = map(torch.from_numpy, inference.step(rows, slots, count, so_far))
    return best, found, beams


def log_probs(
    inference: InferenceModel | Int8Model, ids: Sequence[int], slots: Any, beam_size: int = 1
) -> Tensor:
    """Take a step and return all log-probabilities (N, V)."""
    vocab_size, batch = inference.config.vocab_size, len(ids) // beam_size
    nothing_yet = [[0.0] * beam_size] * batch
    values, found, beams = take_step(inference, ids, slots, beam_size * vocab_size, nothing_yet)
    totals = torch.zeros(batch, beam_size * vocab_size)
    return totals.scatter_(1, beams * vocab_size + found, values).view(-1, vocab_size)


def full(model: Transformer, source: list[int], target: list[int]) -> Tensor:
    """Return all log-probabilities (V,) after a target, without any cache."""
    logits = model(torch.tensor([source]), torch.tensor([target]), None)
    found: Tensor = logits[0, -1].log_softmax(-1)
    return found


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu", "silu"])
@pytest.mark.parametrize("freeze", [False, True])
@torch.inference_mode()
def test_steps_equal_the_full_forward(
    model_config: ModelConfig, norm: NormPlacement, activation: Activation, freeze: bool
) -> None:
    torch.manual_seed(0)
    model = make_model(replace(model_config, norm=norm, activation=activation)).eval()
    inference = InferenceModel(model, freeze=freeze)
    slots = FloatSlots(inference.encode(SOURCES), beam_size=1)
    tgt_in = torch.randint(4, 60, (3, 40))
    for t in range(40):
        step = log_probs(inference, tgt_in[:, t].tolist(), slots)
        for row, source in enumerate(SOURCES):
            expected = full(model, source, tgt_in[row, : t + 1].tolist())
            torch.testing.assert_close(step[row], expected, atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("lengths", [[5, 5, 5], [5, 5, 4], [30, 2, 3], [1]])
@torch.inference_mode()
def test_padding_and_its_removal_change_no_source(model: Transformer, lengths: list[int]) -> None:
    inference = InferenceModel(model)
    sources = [list(range(6, 6 + length)) for length in lengths]
    together = inference.encode(sources)
    for place, source in enumerate(sources):
        alone = inference.encode([source])
        for (keys, values), (key, value) in zip(
            together.keys_values, alone.keys_values, strict=True
        ):
            width = len(source)
            for one, other in (
                (keys[place, ..., :width], key[0, ..., :width]),
                (values[place, :, :width], value[0, :, :width]),
            ):
                torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)


@torch.inference_mode()
def test_steps_beyond_the_table_of_positions() -> None:
    torch.manual_seed(0)
    config = ModelConfig(
        vocab_size=50, d_model=16, d_ff=16, num_heads=2, num_encoder_layers=1, num_decoder_layers=1
    )
    model = make_model(config).eval()
    inference = InferenceModel(model)
    source, target = [4, *([5] * 600), 3], torch.randint(4, 50, (520,))
    slots = FloatSlots(inference.encode([source]), beam_size=1)
    for t in range(519):
        take_step(inference, target[t : t + 1].tolist(), slots)
    last = log_probs(inference, target[519:].tolist(), slots)[0]
    torch.testing.assert_close(last, full(model, source, target.tolist()), atol=1e-4, rtol=1e-4)


@torch.inference_mode()
def test_forbidden_ids_have_no_probability(model: Transformer) -> None:
    inference = InferenceModel(model, forbidden_ids=(0, 7))
    slots = FloatSlots(inference.encode([[4, 9, 3]]), beam_size=1)
    probabilities = log_probs(inference, [2], slots)[0].exp()
    assert probabilities[[0, 7]].tolist() == [0, 0]
    assert probabilities.sum().item() == pytest.approx(1.0, abs=1e-5)
