"""Reading translations back: exact scores, in whatever batch, and a choice that follows them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import torch

from translator.config import DecodingOptions
from translator.engine import reranking
from translator.engine.native import NativeEngine
from translator.engine.reranking import log_probs, rerank
from translator.engine.running_batch import decode_batch
from translator.errors import InputError
from translator.model.reference import Reference
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.eager.model import EagerModel
from translator.search.hypothesis import Hypothesis
from translator.store.model_directory import LoadedModel
from translator.tokens.special_ids import SpecialIds
from translator.translate.translator import Translator

SPECIAL = SpecialIds(bos_id=2, eos_id=3, forbidden_ids=(0, 1, 2, 4, 5))
OPTIONS = DecodingOptions(beam_size=4, num_hypotheses=2, reverse_weight=0.5, alpha=1.0)


def sources(count: int) -> list[list[int]]:
    generator = random.Random(0)
    return [
        [4, *(generator.randrange(6, 300) for _ in range(generator.randint(1, 20))), 3]
        for _ in range(count)
    ]


def forced(model: Transformer, source: list[int], target: list[int]) -> float:
    with torch.no_grad():
        logits = model(torch.tensor([source]), torch.tensor([[2, *target[:-1]]]), None)
    return float(logits[0].log_softmax(-1).gather(1, torch.tensor(target)[:, None]).sum())


def test_scores_are_those_of_each_pair_alone(
    model: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reranking, "ROWS_PER_PASS", 7)
    src, tgt = sources(20), [source[1:] for source in reversed(sources(20))]
    for score, source, target in zip(log_probs(model, src, tgt, 2), src, tgt, strict=True):
        assert score == pytest.approx(forced(model, source, target), abs=1e-3)
    assert log_probs(model, [], [], 2) == []


def test_the_score_is_the_sum_of_both_directions(model: Transformer) -> None:
    source = [4, 30, 31, 32, 3]
    found = [
        Hypothesis(ids=(40, 41), score=-1.0, log_prob=-3.0, finish_reason="eos"),
        Hypothesis(ids=(42,), score=-1.1, log_prob=-2.2, finish_reason="eos"),
    ]
    [answer] = rerank(model, [source], [found], [5], [OPTIONS], 2)
    expected = {
        hypothesis.ids: hypothesis.score
        + 0.5 * forced(model, [5, *hypothesis.ids, 3], [30, 31, 32, 3]) / 4
        for hypothesis in found
    }
    assert [h.ids for h in answer] == sorted(expected, key=lambda ids: -expected[ids])
    for hypothesis in answer:
        assert hypothesis.score == pytest.approx(expected[hypothesis.ids], abs=1e-4)


def test_a_source_without_any_piece_can_be_read_back(model: Transformer) -> None:
    found = [Hypothesis(ids=(40,), score=-1.0, log_prob=-2.0, finish_reason="eos")]
    [answer] = rerank(model, [[3]], [found], [5], [OPTIONS], 2)
    assert answer[0].ids == (40,)


def test_the_engine_considers_the_whole_beam(model: Transformer) -> None:
    batch = sources(12)
    with torch.no_grad():
        model.embedding.weight[3] *= 3  # end sentences at various lengths
    engine = NativeEngine(
        Reference.of(model), SPECIAL, EagerModel(arrange(model, SPECIAL.forbidden_ids)), threads=1
    )
    answers = [f.result(timeout=60) for f in [engine.submit(s, OPTIONS, 5) for s in batch]]
    engine.close()
    whole_beam = replace(OPTIONS, num_hypotheses=4, reverse_weight=0.0)
    changed = 0
    inference = EagerModel(arrange(model, SPECIAL.forbidden_ids))
    for source, answer in zip(batch, answers, strict=True):
        [found] = decode_batch(inference, [source], whole_beam, SPECIAL)
        [alone] = rerank(model, [source], [found], [5], [OPTIONS], 2)
        assert [h.ids for h in answer] == [h.ids for h in alone]
        changed += answer[0].ids != found[0].ids
    assert changed, "reading back should change some choices"


def test_a_tag_is_needed(model: Transformer) -> None:
    engine = NativeEngine(
        Reference.of(model), SPECIAL, EagerModel(arrange(model, SPECIAL.forbidden_ids)), threads=1
    )
    with pytest.raises(ValueError, match="needs the tag of the source's language"):
        engine.submit([4, 10, 3], OPTIONS)
    engine.close()


def test_a_model_of_one_direction_cannot_read_back(loaded: LoadedModel) -> None:
    one_way = replace(loaded, description=replace(loaded.description, directions=("de-en",)))
    with Translator.from_model(one_way, threads=1) as translator:
        with pytest.raises(InputError, match="also translates en to de; set it to 0"):
            translator.translate(["Hund"], source="de", target="en", options=OPTIONS)
        plain = replace(OPTIONS, reverse_weight=0.0)
        assert translator.translate(["Hund"], source="de", target="en", options=plain)
