"""What a model says of a pair is that of its model, alone or in a batch, in both directions."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.toy import toy_pairs
from training.data.cleaning import PairJudge
from training.data.corpus import SentencePair
from translator.store.model_directory import LoadedModel, save_model_directory

PAIRS = [SentencePair(*pair) for pair in dict.fromkeys(toy_pairs(6, random.Random(5)))]


@pytest.fixture
def judge(tmp_path: Path, loaded: LoadedModel) -> PairJudge:
    path = tmp_path / "model"
    weights = loaded.model.state_dict()
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, {})
    return PairJudge(path)


def by_hand(loaded: LoadedModel, source: str, target: str, language: str) -> float:
    """Return the nats a piece of a target, found piece by piece."""
    tokenizer, model = loaded.tokenizer, loaded.model.eval()
    src = torch.tensor([tokenizer.encode_source(source, language)])
    ids = [tokenizer.bos_id, *tokenizer.encode(target), tokenizer.eos_id]
    nats = 0.0
    with torch.inference_mode():
        for end in range(1, len(ids)):
            logits = model(src, torch.tensor([ids[:end]]), None)[0, -1]
            nats -= math.log(float(logits.softmax(0)[ids[end]]))
    return nats / (len(ids) - 1)


def test_cross_entropy_is_that_of_each_pair_alone(judge: PairJudge, loaded: LoadedModel) -> None:
    found = judge.cross_entropy([pair.sides for pair in PAIRS], "en")
    wanted = [by_hand(loaded, *pair.sides, "en") for pair in PAIRS]
    np.testing.assert_allclose(found, wanted, rtol=0.02)  # the directory has 16-bit weights


def test_both_directions_count_and_so_does_their_difference(
    judge: PairJudge, loaded: LoadedModel
) -> None:
    for pair, found in zip(PAIRS, judge.improbability(PAIRS, ("de", "en")), strict=True):
        there = by_hand(loaded, pair.source, pair.target, "en")
        back = by_hand(loaded, pair.target, pair.source, "de")
        assert found == pytest.approx(abs(there - back) + (there + back) / 2, rel=0.05)


def test_the_order_of_pairs_does_not_matter(judge: PairJudge) -> None:
    first = judge.improbability(PAIRS, ("de", "en"))
    again = judge.improbability(PAIRS[::-1], ("de", "en"))
    np.testing.assert_allclose(first, again[::-1], rtol=1e-4)


def test_no_pairs_are_no_work(judge: PairJudge) -> None:
    assert judge.improbability([], ("de", "en")).shape == (0,)
