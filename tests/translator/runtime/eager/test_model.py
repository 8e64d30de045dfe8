"""Steps in PyTorch's own operations compute what the readable model computes."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.translator.runtime.stepping import SOURCES, full, log_probs, take_step
from translator.config import ModelConfig, NormPlacement
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.eager.model import EagerModel


@pytest.mark.parametrize("norm", ["pre", "post"])
@torch.inference_mode()
def test_steps_equal_the_full_forward(model_config: ModelConfig, norm: NormPlacement) -> None:
    torch.manual_seed(0)
    model = make_model(replace(model_config, norm=norm)).eval()
    eager = EagerModel(arrange(model, ()))
    slots = eager.slots(eager.encode(SOURCES), 1)
    tgt_in = torch.randint(4, 60, (3, 40))
    for t in range(40):
        step = log_probs(eager, tgt_in[:, t].tolist(), slots)
        for row, source in enumerate(SOURCES):
            expected = full(model, source, tgt_in[row, : t + 1].tolist())
            torch.testing.assert_close(step[row], expected, atol=1e-4, rtol=1e-5)


@torch.inference_mode()
def test_steps_beyond_the_first_positions(model: Transformer) -> None:
    eager = EagerModel(arrange(model, ()))
    source, target = [4, *([5] * 600), 3], torch.randint(4, 50, (520,))
    slots = eager.slots(eager.encode([source]), 1)
    for t in range(519):
        take_step(eager, target[t : t + 1].tolist(), slots)
    last = log_probs(eager, target[519:].tolist(), slots)[0]
    torch.testing.assert_close(last, full(model, source, target.tolist()), atol=1e-4, rtol=1e-4)


@torch.inference_mode()
def test_keys_and_values_may_be_kept_in_fewer_bits(model: Transformer) -> None:
    """As on a GPU: the text is the same, and probabilities to two digits."""
    exact, short = (EagerModel(arrange(model, ()), kind) for kind in (None, torch.bfloat16))
    memory = short.encode(SOURCES)
    assert {one.dtype for one in memory.keys_values} == {torch.bfloat16}
    found, expected = (
        log_probs(one, [2, 2, 2], one.slots(one.encode(SOURCES), 1)) for one in (short, exact)
    )
    assert 0 < (found - expected).abs().max() < 0.05


@torch.inference_mode()
@pytest.mark.parametrize("seed", range(4))
def test_joining_leaving_and_reordering_together(model: Transformer, seed: int) -> None:
    generator = random.Random(seed)
    eager = EagerModel(arrange(model, ()))
    slots = eager.slots(eager.encode(SOURCES), 2)
    sources, histories = list(SOURCES), [[2] for _ in range(6)]
    for step in range(40):
        found = log_probs(eager, [h[-1] for h in histories], slots, 2)
        for row, history in enumerate(histories):
            expected = full(model, sources[row // 2], history)
            torch.testing.assert_close(found[row], expected, atol=1e-4, rtol=1e-4)
        rows = [2 * (row // 2) + generator.randrange(2) for row in range(len(histories))]
        slots.reorder(np.array(rows).reshape(-1, 2) % 2)
        histories = [[*histories[row], generator.randrange(4, 300)] for row in rows]
        if step % 4 == 3:
            keep = [place for place in range(len(sources)) if generator.random() < 0.8] or [0]
            if len(keep) > 2:  # the last one fills a gap
                keep[1:2], keep[-1:] = keep[-1:], []
            newcomers = [[4, *range(10, 10 + generator.randrange(12)), 3] for _ in range(step % 3)]
            slots.keep(keep)
            if newcomers:
                slots.join(eager.encode(newcomers))
            histories = [histories[2 * place + beam] for place in keep for beam in range(2)]
            histories += [[2] for _ in range(2 * len(newcomers))]
            sources = [sources[place] for place in keep] + newcomers
