from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean

import pytest
import torch

from tests.benchmarks.ctranslate2_engine import CTranslate2Engine
from translator.config import DecodingOptions
from translator.engine.port import Decoding
from translator.engine.start import start_engine
from translator.errors import ConfigError
from translator.store.model_directory import LoadedModel

GREEDY, BEAM = DecodingOptions(beam_size=1), DecodingOptions(beam_size=4, num_hypotheses=2)


def sources(loaded: LoadedModel) -> list[list[int]]:
    tokenizer, generator = loaded.tokenizer, random.Random(0)
    special = {*tokenizer.forbidden_ids, tokenizer.eos_id}
    text_ids = [i for i in range(tokenizer.vocab_size) if i not in special]
    return [
        [
            *tokenizer.encode_source("", "en")[:1],
            *generator.choices(text_ids, k=length),
            tokenizer.eos_id,
        ]
        for length in range(1, 30)
    ]


@pytest.fixture
def ending(loaded: LoadedModel) -> LoadedModel:
    """A model whose sentences end at various lengths."""
    with torch.no_grad():
        loaded.model.embedding.weight[loaded.tokenizer.eos_id] *= 3
    return loaded


@pytest.fixture
def engine(ending: LoadedModel) -> Iterator[CTranslate2Engine]:
    engine = CTranslate2Engine(ending.reference, ending.tokenizer, threads=1)
    yield engine
    engine.close()


def assert_same(ours: list[Decoding], theirs: list[Decoding]) -> None:
    for first, second in zip(ours, theirs, strict=True):
        [one], [other] = first.result(timeout=60), second.result(timeout=60)
        assert (one.ids, one.finish_reason) == (other.ids, other.finish_reason)
        assert one.score == pytest.approx(other.score, rel=1e-4)
        assert one.log_prob == pytest.approx(other.log_prob, rel=1e-4)


@pytest.mark.parametrize("options", [GREEDY, replace(GREEDY, length_penalty="none")], ids=str)
def test_both_engines_give_the_same_answers(
    ending: LoadedModel, engine: CTranslate2Engine, options: DecodingOptions
) -> None:
    ours = start_engine(ending, 1, "float32")
    answers = [
        [each.submit(ids, options, group_size=20) for ids in sources(ending)]
        for each in (ours, engine)
    ]
    assert_same(*answers)
    ours.close()


def test_beams_are_about_as_good(ending: LoadedModel, engine: CTranslate2Engine) -> None:
    """They stop by another rule, so now and then another hypothesis is found."""
    ours = start_engine(ending, 1, "float32")
    differences = []
    for ids in sources(ending):
        [one, _], [other, _] = (e.submit(ids, BEAM).result(timeout=60) for e in (ours, engine))
        differences.append(abs(one.score - other.score))
    assert fmean(differences) < 0.05
    ours.close()


def test_what_it_cannot_do_is_an_error_of_that_sentence(engine: CTranslate2Engine) -> None:
    gnmt = DecodingOptions(beam_size=2, length_penalty="gnmt")
    with pytest.raises(ConfigError, match="CTranslate2 has no `gnmt`; use `average`"):
        engine.submit([4, 10, 3], gnmt).result(timeout=60)
    with pytest.raises(ConfigError, match=r"ctranslate2 starts with <s>, not </s>; take torch"):
        engine.submit([4, 10, 3], GREEDY, start_ids=(3, 7)).result(timeout=60)
    assert engine.submit([4, 10, 3], GREEDY).result(timeout=60)


@pytest.mark.parametrize("options", [GREEDY, replace(GREEDY, length_penalty="none")], ids=str)
def test_several_start_ids_are_a_prefix(
    ending: LoadedModel, engine: CTranslate2Engine, options: DecodingOptions
) -> None:
    ours = start_engine(ending, 1, "float32")
    starts = [(2, 30), (2, 31), (2,), ()]
    answers = [
        [
            each.submit(ids, options, group_size=20, start_ids=start)
            for ids in sources(ending)[::4]
            for start in starts
        ]
        for each in (ours, engine)
    ]
    assert_same(*answers)
    ours.close()
