"""What a layer knows of the target so far, by attention or by a recurrent unit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import at
from translator.config import ModelConfig
from translator.model import recurrence
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled import past
from translator.runtime.compiled.decoder import SENTENCE
from translator.runtime.compiled.layout import Layout
from translator.runtime.compiled.workspace import make_workspace
from translator.runtime.kernels.records import PANEL, Int8Weights, aligned
from translator.search.rows import round_up

pytestmark = NEEDS_INT8

BEAM, ROOM, ROW = 2, 16, 1


@contextmanager
def decoding(
    config: ModelConfig, decoder: Literal["self_attention", "ssru"], past_bytes: int
) -> Iterator[tuple[Any, Any, Any]]:
    """Give model, workspace and a sentence of two beams whose rows begin at the second one."""
    layout = Layout(arrange(make_model(replace(config, decoder=decoder)), ()), Int8Weights())
    workspace, _memory = make_workspace(layout, 8, ROOM, 8)
    kept, beams = aligned(past_bytes, np.uint8), np.zeros((BEAM, ROOM), np.int32)
    sentences = np.zeros(1, SENTENCE)
    sentences["past"], sentences["beams"] = kept.ctypes.data, beams.ctypes.data
    sentences["room"], sentences["row"], sentences["alive"] = ROOM, ROW, BEAM
    yield layout.model[0], workspace[0], sentences


def rows(workspace: Any, name: str, stride: int) -> Any:
    return at(workspace[name], np.float32, 8, stride // 4)[ROW : ROW + BEAM]


def test_a_state_moves_on_from_that_of_its_parent(model_config: ModelConfig) -> None:
    width, size = round_up(model_config.d_model, PANEL), model_config.d_model
    numbers = np.random.default_rng(0).normal(size=(2, 2, BEAM, size)).astype(np.float32)
    with decoding(model_config, "ssru", 2 * BEAM * 4 * width) as (model, workspace, sentences):
        wide = rows(workspace, "wide", int(model["wide_stride"]))
        x = rows(workspace, "x", int(model["x_stride"]))
        state = torch.zeros(BEAM, size)
        for steps, parents in enumerate(([0, 1], [1, 1])):
            wide[:], x[:] = 0, 1
            wide[:, :size], wide[:, width : width + size] = numbers[steps]
            beams = at(int(sentences[0]["beams"]), np.int32, BEAM, ROOM)
            if steps:
                beams[:, steps - 1] = parents
            sentences["steps"] = steps
            past.recur(model, workspace, sentences[0], BEAM, 0)
            candidates, gates = map(torch.from_numpy, numbers[steps])
            state = recurrence.recur(candidates, gates, state[parents])
            np.testing.assert_allclose(x[:, :size], 1 + state.relu(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("steps", [0, 1])
def test_a_query_that_prefers_nothing_finds_the_mean_of_the_past(
    model_config: ModelConfig, steps: int
) -> None:
    most_bytes = 2 * ROOM * BEAM * 4 * model_config.num_heads * PANEL
    with decoding(model_config, "self_attention", most_bytes) as (model, workspace, sentences):
        width = int(model["num_heads"] * model["d_k"])
        values = np.random.default_rng(0).normal(size=(2, BEAM, width)).astype(np.float32)
        wide = rows(workspace, "wide", int(model["wide_stride"]))
        context = rows(workspace, "context", int(model["context_stride"]))
        wide[:] = 0
        for step in range(steps + 1):
            wide[:, 2 * width : 3 * width] = values[step]
            sentences["steps"] = step
            past.attend_to_past(model, workspace, sentences[0], BEAM, 0)
        expected = values[: steps + 1].mean(axis=0)  # each beam wrote its own past
        np.testing.assert_allclose(context[:, :width], expected, rtol=1e-2, atol=1e-2)
