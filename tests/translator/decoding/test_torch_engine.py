"""The engine's answers do not depend on company, and its failures stay with the culprit."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import torch

from translator.config import DecodingOptions
from translator.decoding.scheduler import Scheduler
from translator.decoding.torch_engine import SpecialIds, TorchEngine, decode_batch
from translator.errors import EngineClosedError
from translator.model.transformer import Transformer

SPECIAL = SpecialIds(bos_id=2, eos_id=3, forbidden_ids=(0, 1, 2, 4, 5))
OPTIONS = [
    DecodingOptions(beam_size=1),
    DecodingOptions(beam_size=4, num_hypotheses=3),
    DecodingOptions(beam_size=3, length_penalty="gnmt", alpha=0.6),
]


def sources(count: int, seed: int = 0) -> list[list[int]]:
    generator = random.Random(seed)
    return [
        [4, *(generator.randrange(6, 300) for _ in range(generator.randint(0, 25))), 3]
        for _ in range(count)
    ]


@pytest.fixture
def engine(model: Transformer) -> Iterator[TorchEngine]:
    engine = TorchEngine(model, SPECIAL, threads=1)
    yield engine
    engine.close()


@pytest.mark.parametrize("options", OPTIONS, ids=["greedy", "beam", "gnmt"])
def test_a_batched_sentence_equals_a_lone_one(model: Transformer, options: DecodingOptions) -> None:
    with torch.no_grad():
        model.embedding.weight[3] *= 3  # end sentences at various lengths
    batch = sources(40)
    together = decode_batch(model, batch, options, SPECIAL)
    lengths = {len(found[0].ids) for found in together}
    assert len(lengths) > 5, "sentences should leave the batch at different times"
    for source, found in zip(batch, together, strict=True):
        [alone] = decode_batch(model, [source], options, SPECIAL)
        assert [(h.ids, h.finish_reason) for h in found] == [
            (h.ids, h.finish_reason) for h in alone
        ]
        for one, other in zip(found, alone, strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-4)


@pytest.mark.parametrize("options", OPTIONS, ids=["greedy", "beam", "gnmt"])
def test_scores_equal_forced_rescoring(model: Transformer, options: DecodingOptions) -> None:
    for source in sources(5, seed=1):
        [found] = decode_batch(model, [source], options, SPECIAL)
        for hypothesis in found:
            ids = [*hypothesis.ids, *([3] if hypothesis.finish_reason == "eos" else [])]
            with torch.no_grad():
                logits = model(torch.tensor([source]), torch.tensor([[2, *ids[:-1]]]), None)
            log_probs = logits[0].log_softmax(-1).gather(1, torch.tensor(ids)[:, None])
            assert hypothesis.log_prob == pytest.approx(log_probs.sum().item(), abs=1e-3)


def test_forbidden_ids_are_never_produced(model: Transformer) -> None:
    for found in decode_batch(model, sources(20), OPTIONS[1], SPECIAL):
        for hypothesis in found:
            assert not set(hypothesis.ids) & {*SPECIAL.forbidden_ids, SPECIAL.eos_id}


def test_limits_are_each_sentences_own(model: Transformer) -> None:
    options = DecodingOptions(beam_size=1, max_length_factor=1.0, max_length_offset=1)
    batch = sources(10)
    for source, [found] in zip(batch, decode_batch(model, batch, options, SPECIAL), strict=True):
        assert len(found.ids) <= len(source) + 1
        assert found.finish_reason == "eos" or len(found.ids) == len(source) + 1


def test_submitted_sentences_are_answered(engine: TorchEngine, model: Transformer) -> None:
    batch = sources(30)
    futures = [engine.submit(source, OPTIONS[0]) for source in batch]
    for source, future in zip(batch, futures, strict=True):
        [alone] = decode_batch(model, [source], OPTIONS[0], SPECIAL)
        assert future.result(timeout=60)[0].ids == alone[0].ids


def test_only_the_culprit_fails(model: Transformer) -> None:
    engine = TorchEngine(model, SPECIAL, threads=1)
    good, poison = [4, 10, 3], [4, 10_000, 3]
    futures = [engine.submit(source, OPTIONS[0]) for source in (good, poison, good)]
    assert futures[0].result(timeout=60)[0].ids == futures[2].result(timeout=60)[0].ids
    with pytest.raises(IndexError):
        futures[1].result(timeout=60)
    assert engine.is_alive
    engine.close()


def test_closing_fails_what_waits(model: Transformer) -> None:
    scheduler = Scheduler(max_batch_tokens=1)  # one at a time
    engine = TorchEngine(model, SPECIAL, scheduler, threads=1)
    futures = [engine.submit(source, OPTIONS[1]) for source in sources(50)]
    engine.close()
    outcomes = [future.exception(timeout=60) for future in futures]
    assert any(isinstance(outcome, EngineClosedError) for outcome in outcomes)
    assert not engine.is_alive
    with pytest.raises(EngineClosedError, match="load the translator again"):
        engine.submit([4, 3], OPTIONS[0])


def test_a_cancelled_sentence_is_not_decoded(model: Transformer) -> None:
    engine = TorchEngine(model, SPECIAL, Scheduler(max_batch_tokens=1), threads=1)
    futures = [engine.submit(source, OPTIONS[1]) for source in sources(20)]
    assert futures[-1].cancel()
    for future in futures[:-1]:
        assert future.result(timeout=60)
    engine.close()
