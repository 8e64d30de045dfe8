"""The best continuations, found in logits without sorting, are those that sorting finds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import at, layer_of, level_type, levels_meant
from translator.config import ModelConfig
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled import choice
from translator.runtime.compiled.decoder import SENTENCE
from translator.runtime.compiled.layout import Layout
from translator.runtime.compiled.sublayers import read_states
from translator.runtime.compiled.workspace import make_workspace
from translator.runtime.kernels.powers import NATS_PER_BIT
from translator.runtime.kernels.records import Int8Weights

pytestmark = NEEDS_INT8

FORBIDDEN_IDS = (0, 3)
VOCAB_SIZE, ROWS = 200, 6


class Logits:
    """A model whose decoder has just been through some rows of random states."""

    def __init__(self, keeps: bool) -> None:
        torch.manual_seed(0)
        config = ModelConfig(vocab_size=VOCAB_SIZE, d_model=32, d_ff=16, num_heads=2)
        transformer = make_model(config).eval()
        transformer.embedding.weight.data *= 5
        self.layout = Layout(arrange(transformer, FORBIDDEN_IDS), Int8Weights())
        array, self._memory = make_workspace(self.layout, ROWS, 1, ROWS)
        self.model, self.workspace = self.layout.model[0], array[0]
        x = at(self.workspace["x"], np.float32, ROWS, 64)
        x[:, :32] = np.random.default_rng(1).normal(size=(ROWS, 32))
        read_states(self.model, self.workspace, ROWS)
        choice.compute_logits(
            self.model, self.model["logits"], VOCAB_SIZE, self.workspace, 0, ROWS, keeps
        )
        weight, bias = layer_of(self.model["logits"])
        levels = levels_meant(at(self.workspace["inputs"], level_type(), ROWS, 64))
        units = at(self.workspace["units"], np.float32, ROWS, 2)
        states = levels * units[:, :1].astype(float) + units[:, 1:]
        self.rounded = (states @ weight.T + bias)[:, :VOCAB_SIZE]  # in bits
        exact = x[:, :32].astype(float) @ transformer.embedding.weight.detach().numpy().T
        self.exact = exact / NATS_PER_BIT

    def kept(self, name: str, dtype: Any = np.float32) -> Any:
        return at(self.workspace[name], dtype, ROWS)


def test_a_list_stays_in_order_and_as_long_as_it_is() -> None:
    values, numbers = np.array([9.0, 5, 5, 1], np.float32), np.array([1, 2, 3, 4])
    choice.insert(values, numbers, 5.0, 7)
    assert (values.tolist(), numbers.tolist()) == ([9, 5, 5, 5], [1, 2, 3, 7])
    choice.insert(values, numbers, 10.0, 8)
    assert (values.tolist(), numbers.tolist()) == ([10, 9, 5, 5], [8, 1, 2, 3])


def test_maxima_and_places_of_panels() -> None:
    logits, maxima = np.zeros(192, np.float32), np.zeros(4, np.float32)
    logits[[3, 70, 191]] = 2, 9, 4
    assert choice.note_maxima(logits.ctypes.data, maxima.ctypes.data, 3) == 9
    assert maxima.tolist() == [2, 9, 4, 0]
    places = [choice.find(logits.ctypes.data, 3, np.float32(value)) for value in (2, 9, 4, 5)]
    assert places == [3, 70, 191, 0]


@pytest.mark.parametrize("keeps", [False, True])
def test_the_highest_logit_and_the_total_of_each_row(keeps: bool) -> None:
    found = Logits(keeps)
    highest = found.rounded.max(axis=1)
    np.testing.assert_allclose(found.kept("highest"), highest, atol=1e-3)
    totals = (2 ** (found.rounded - highest[:, None])).sum(axis=1)
    np.testing.assert_allclose(found.kept("totals"), totals, rtol=1e-3)
    if not keeps:
        best = found.rounded.argmax(axis=1)
        assert found.kept("best_ids", np.int64).tolist() == best.tolist()


def test_what_is_to_be_added_makes_log_probabilities() -> None:
    found = Logits(keeps=True)
    added = choice.offset(found.workspace, 2, -1.5)
    log_probs = found.rounded[2] * NATS_PER_BIT + added
    assert np.exp(log_probs).sum() == pytest.approx(math.exp(-1.5), rel=1e-3)


@pytest.mark.parametrize("count", [1, 4, 30])
def test_the_best_of_all_beams_are_chosen_and_scored_exactly(count: int) -> None:
    found = Logits(keeps=True)
    sentence, log_probs = np.zeros(1, SENTENCE), np.array([-0.1, -0.5, -np.inf, -0.3])
    sentence["row"], sentence["alive"] = 1, 4
    best, ids, beams = np.empty(count, np.float32), *np.empty((2, count), np.int64)
    rounded = found.rounded[1:5] * NATS_PER_BIT
    normalised = rounded - np.log(np.exp(rounded).sum(axis=1, keepdims=True))
    choice.choose(
        found.model,
        found.model["logits"],
        found.workspace,
        sentence[0],
        log_probs,
        best,
        ids,
        beams,
    )
    totals = normalised + log_probs[:, None]
    expected = set(np.argsort(-totals, axis=None)[:count].tolist())
    assert set((beams * VOCAB_SIZE + ids).tolist()) == expected
    assert 2 not in beams, "it is dead"
    assert not set(FORBIDDEN_IDS) & set(ids.tolist())
    assert best.tolist() == sorted(best.tolist(), reverse=True)
    for beam in set(beams.tolist()):
        own = beams == beam
        differences = best[own] - found.exact[1 + beam, ids[own]] * NATS_PER_BIT
        np.testing.assert_allclose(differences, differences[0], atol=1e-3)


def test_greedy_search_takes_the_highest() -> None:
    found, sentence = Logits(keeps=False), np.zeros(1, SENTENCE)
    sentence["row"], sentence["alive"] = 2, 1
    best, ids, beams = np.empty(1, np.float32), *np.empty((2, 1), np.int64)
    choice.choose_one(found.workspace, sentence[0], np.zeros(1), best, ids, beams)
    logits = found.rounded[2] * NATS_PER_BIT
    assert (ids[0], beams[0]) == (logits.argmax(), 0)
    assert best[0] == pytest.approx(logits.max() - np.log(np.exp(logits).sum()), abs=1e-3)
