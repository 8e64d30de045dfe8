"""How probable texts are for a subword model."""

from __future__ import annotations

import io
import random

import pytest
import sentencepiece

from tests.toy import toy_pairs
from translator.tokens.likelihood import Likelihood


@pytest.fixture(scope="module", params=["unigram", "bpe"])
def likelihood(request: pytest.FixtureRequest) -> Likelihood:
    lines = [line for pair in toy_pairs(300, random.Random(0)) for line in pair]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        vocab_size=150,
        model_type=request.param,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return Likelihood(sentencepiece.SentencePieceProcessor(model_proto=model.getvalue()))


def test_the_usual_spelling_is_the_most_probable(likelihood: Likelihood) -> None:
    usual = likelihood.log_prob("Hund")
    assert usual < 0
    assert usual > likelihood.log_prob("hund")
    assert usual > likelihood.log_prob("HUND")


def test_what_is_not_known_is_least_probable(likelihood: Likelihood) -> None:
    assert likelihood.log_prob("鼠") < min(likelihood.log_prob(one) for one in ("Hund", "z", "der"))
    assert likelihood.log_prob("") == 0
