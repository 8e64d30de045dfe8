"""Steps in PyTorch's own operations compute what the readable model computes."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from tests.launches import launches
from tests.translator.runtime.stepping import SOURCES, begun, full, log_probs, take_step
from translator.config import DecodingOptions
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.eager import EagerRuntime
from translator.runtime.layers import Layers, on_device

GREEDY, BEAM = DecodingOptions(beam_size=1), DecodingOptions(beam_size=2)


@torch.inference_mode()
def test_steps_beyond_the_first_positions(model: Transformer) -> None:
    eager = EagerRuntime(arrange(model, ()))
    source, target = [4, *([5] * 600), 3], torch.randint(4, 50, (520,))
    batch = begun(eager, [source])
    for t in range(519):
        take_step(batch, target[t : t + 1].tolist())
    last = log_probs(batch, target[519:].tolist())[0]
    torch.testing.assert_close(last, full(model, source, target.tolist()), atol=1e-4, rtol=1e-4)


@torch.inference_mode()
def test_keys_and_values_may_be_kept_in_fewer_bits(model: Transformer) -> None:
    """As on a GPU: the text is the same, and probabilities to two digits."""
    exact, short = (EagerRuntime(arrange(model, ())) for _ in range(2))
    short.kept_as = torch.bfloat16
    memory = short.encode(SOURCES)
    assert {one.dtype for one in memory.keys_values} == {torch.bfloat16}
    found, expected = (log_probs(begun(one, SOURCES), [2, 2, 2]) for one in (short, exact))
    assert 0 < (found - expected).abs().max() < 0.05


@torch.inference_mode()
@pytest.mark.parametrize("seed", range(2))
def test_joining_leaving_and_reordering_together(model: Transformer, seed: int) -> None:
    generator = random.Random(seed)
    eager = EagerRuntime(arrange(model, ()))
    batch = begun(eager, SOURCES, 2)
    sources, histories = list(SOURCES), [[2] for _ in range(6)]
    for step in range(40):
        found = log_probs(batch, [h[-1] for h in histories])
        for row, history in enumerate(histories):
            expected = full(model, sources[row // 2], history)
            torch.testing.assert_close(found[row], expected, atol=1e-4, rtol=1e-4)
        rows = [2 * (row // 2) + generator.randrange(2) for row in range(len(histories))]
        batch.reorder(np.array(rows).reshape(-1, 2) % 2)
        histories = [[*histories[row], generator.randrange(4, 300)] for row in rows]
        if step % 4 == 3:
            keep = [place for place in range(len(sources)) if generator.random() < 0.8] or [0]
            if len(keep) > 2:  # the last one fills a gap
                keep[1:2], keep[-1:] = keep[-1:], []
            newcomers = [[4, *range(10, 10 + generator.randrange(12)), 3] for _ in range(step % 3)]
            batch.retire_all_but(keep)
            if newcomers:
                count = len(newcomers)
                batch.admit(newcomers, [1] * count, [BEAM] * count, [()] * count)
            histories = [histories[2 * place + beam] for place in keep for beam in range(2)]
            histories += [[2] for _ in range(2 * len(newcomers))]
            sources = [sources[place] for place in keep] + newcomers


@torch.inference_mode()
def test_attention_is_one_launch(model: Transformer) -> None:
    """Neither heads nor what is kept of them are copied first."""
    layers, config = Layers(on_device(arrange(model, ()), "cpu")), model.config
    projected = torch.randn(2, 7, 3 * config.d_model)
    mask = torch.zeros(2, 1, 1, 7)
    names = launches(lambda: layers.attend(*layers.parts(projected), mask))
    assert names == ["scaled_dot_product_attention"]


@torch.inference_mode()
def test_sentences_join_leave_and_are_found(model: Transformer) -> None:
    batch = EagerRuntime(arrange(model, (0, 1, 2)), compiles_search=False).batch(1, 2, 3)
    assert batch.step(1, waits=False) == []
    batch.admit([[4, 9, 8, 3], [4, 3]], [1, 5], [GREEDY] * 2, [(), ()])
    assert batch.step(1, waits=False) == [0]
    [found] = batch.results(0)
    assert (len(found.ids), found.finish_reason) == (1, "length")
    batch.retire_all_but([1])
    batch.admit([[4, 7, 3]], [1], [GREEDY], [()])
    assert batch.step(1, waits=False) == [1], "behind those that were there"
    batch.retire_all_but([])
    assert batch.step(1, waits=False) == []
