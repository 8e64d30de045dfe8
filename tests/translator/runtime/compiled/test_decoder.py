"""Which rows take part in a step, and what a step does to the sentences it belongs to."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import at
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.compiled import decoder
from translator.runtime.compiled.decoder import ROWS_AT_ONCE, SENTENCE
from translator.runtime.compiled.layout import Layout
from translator.runtime.compiled.model import CompiledModel
from translator.runtime.compiled.workspace import make_workspace
from translator.runtime.kernels.records import Int8Weights

pytestmark = NEEDS_INT8

DEAD = -math.inf


def test_beams_take_over_the_pasts_of_others() -> None:
    sentences = np.zeros(2, SENTENCE)
    beams = np.arange(2 * 3 * 16, dtype=np.int32).reshape(2, 3, 16)
    before = beams.copy()
    for i, steps in enumerate((4, 2)):
        sentences[i]["beams"], sentences[i]["room"] = beams[i].ctypes.data, 16
        sentences[i]["steps"] = steps
    decoder.continue_all(sentences, np.array([[0, 0, 1], [2, 1, 2]]))
    assert (beams[0, :, :4] == before[0, [0, 0, 1], :4]).all()
    assert (beams[1, :, :2] == before[1, [2, 1, 2], :2]).all()
    assert (beams[0, :, 4:] == before[0, :, 4:]).all(), "only what has been written"


def test_only_the_first_beams_that_live_have_rows() -> None:
    sentences = np.zeros(3, SENTENCE)
    log_probs = np.array([[0.0, DEAD, DEAD], [-1.0, -2.0, -3.0], [DEAD, DEAD, DEAD]])
    assert decoder.count_sentences(sentences, log_probs) == 3
    assert sentences["alive"].tolist() == [1, 3, 0]


@pytest.mark.parametrize(("beam_size", "expected"), [(1, 64), (5, 12), (64, 1), (100, 1)])
def test_no_more_sentences_go_together_than_caches_hold(beam_size: int, expected: int) -> None:
    sentences = np.zeros(100, SENTENCE)
    found = decoder.count_sentences(sentences, np.zeros((100, beam_size)))
    assert found == expected
    assert found * beam_size <= max(ROWS_AT_ONCE, beam_size)


def test_rows_begin_with_the_last_ids_at_the_positions_of_their_sentences(
    model: Transformer,
) -> None:
    layout = Layout(arrange(model, ()), Int8Weights())
    array, _memory = make_workspace(layout, 8, 16, 8)
    sentences = np.zeros(3, SENTENCE)
    sentences["alive"], sentences["steps"] = [2, 0, 1], [3, 7, 0]
    positions = np.random.default_rng(0).normal(size=(9, 32)).astype(np.float32)
    ids = np.array([[5, 6], [7, 8], [9, 10]])
    rows = decoder.begin_rows(layout.model[0], array[0], sentences, ids, positions.ctypes.data)
    assert (rows, sentences["row"].tolist()) == (3, [0, 2, 2])
    x = at(array[0]["x"], np.float32, 3, 64)[:, :32]
    embedding = model.embedding.weight.detach().numpy() * np.sqrt(np.float32(32))
    np.testing.assert_allclose(x, embedding[[5, 6, 9]] + positions[[3, 3, 0]], rtol=1e-5, atol=1e-6)


@torch.inference_mode()
def test_a_step_notes_that_it_was_taken_unless_an_id_is_unknown(model: Transformer) -> None:
    int8 = CompiledModel(arrange(model, ()))
    slots = int8.slots(int8.encode([[4, 5, 3], [4, 3]]), 2)
    _, places, positions = int8.room_for_steps(slots, 1)
    given = *int8.step_arguments(2, places, positions), slots.sentences, slots.lists
    best, ids, beams = np.empty((2, 3), np.float32), *np.empty((2, 2, 3), np.int64)
    log_probs, answers = np.array([[0.0, DEAD], [-1.0, -2.0]]), (best, ids, beams)
    wrong = np.array([[2, 2], [2, model.config.vocab_size]])
    assert not decoder.step(*given, wrong, log_probs, *answers)
    assert slots.sentences["steps"].tolist() == [0, 0]
    assert decoder.step(*given, np.full((2, 2), 2), log_probs, *answers)
    assert slots.sentences["steps"].tolist() == [1, 1]
    assert slots.sentences["alive"].tolist() == [1, 2]
    assert beams[0].tolist() == [0, 0, 0]
