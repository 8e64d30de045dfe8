"""How probable a given piece is, and translations that are known: each position as if alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.compiled.test_choice import FORBIDDEN_IDS, ROWS, VOCAB_SIZE, Logits
from translator.config import ModelConfig
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled import choice, known
from translator.runtime.compiled.decoder import SENTENCE
from translator.runtime.compiled.model import CompiledModel
from translator.runtime.kernels.powers import NATS_PER_BIT

pytestmark = NEEDS_INT8


@pytest.mark.parametrize("piece_id", [1, 100, VOCAB_SIZE - 1])
def test_a_piece_has_an_exact_logit_among_rounded_ones(piece_id: int) -> None:
    logits = Logits(keeps=True)
    for row in range(ROWS):
        found = known.log_prob_of(logits.model, logits.workspace, row, piece_id)
        others = np.delete(logits.rounded[row], [*FORBIDDEN_IDS, piece_id])
        exact = logits.exact[row, piece_id]
        total = np.exp2(others).sum() + 2**exact
        assert_allclose(found, (exact - np.log2(total)) * NATS_PER_BIT, rtol=1e-3, atol=1e-4)


def test_it_is_what_a_search_says_of_what_it_chooses() -> None:
    logits = Logits(keeps=True)
    best, ids, beams = np.empty(1, np.float32), np.empty(1, np.int64), np.empty(1, np.int64)
    [sentence] = np.zeros(1, SENTENCE)
    choice.choose(
        logits.model,
        logits.model["logits"],
        logits.workspace,
        sentence,
        np.zeros(1),
        best,
        ids,
        beams,
    )
    fresh = Logits(keeps=True)
    found = known.log_prob_of(fresh.model, fresh.workspace, 0, ids[0])
    assert_allclose(found, best[0], rtol=1e-5)


@pytest.mark.parametrize("wrong", [-1, 40])
@pytest.mark.parametrize("place", ["ids", "next_ids"])
def test_an_id_that_is_no_piece_is_noted_and_nothing_is_done(wrong: int, place: str) -> None:
    config = ModelConfig(vocab_size=40, d_model=16, d_ff=16, num_heads=2)
    model = CompiledModel(arrange(make_model(config).eval(), ()))
    slots = model.slots(model.encode([[4, 3]]), 1)
    _, places, positions = model.room_for_steps(slots, 1)
    given = {"ids": np.array([[5]]), "next_ids": np.array([6])}
    given[place] = given[place] * 0 + wrong
    log_probs = np.full(1, 7, np.float32)
    arguments = *model.step_arguments(1, places, positions), slots.sentences
    assert not known.read_known(*arguments, given["ids"], given["next_ids"], log_probs)
    assert log_probs[0] == 7
    assert known.read_known(*arguments, np.array([[5]]), np.array([6]), log_probs)
    assert log_probs[0] < 0
