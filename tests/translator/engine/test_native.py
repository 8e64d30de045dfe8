"""The engine's answers do not depend on company, and its failures stay with the culprit."""

from __future__ import annotations

import random
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Any

import pytest
import torch

from tests.translator.runtime.stepping import random_sources
from tests.waiting import wait_until
from translator.config import DecodingOptions, ModelConfig
from translator.engine import native
from translator.engine.native import NativeEngine, is_lost_gpu
from translator.engine.running_batch import RunningBatch, decode_batch
from translator.engine.scheduler import Scheduler, SchedulerConfig
from translator.errors import DeadlineExceededError, EngineOverloadedError
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.contract import Runtime
from translator.runtime.eager import EagerBatch, EagerRuntime
from translator.tokens.port import SpecialIds

SPECIAL = SpecialIds(bos_id=2, eos_id=3, forbidden_ids=(0, 1, 2, 4, 5))
OPTIONS = [
    DecodingOptions(beam_size=1),
    DecodingOptions(beam_size=4, num_hypotheses=3),
    DecodingOptions(beam_size=3, length_penalty="gnmt", alpha=0.6),
]


def one_at_a_time() -> Scheduler:
    return Scheduler(SchedulerConfig(max_batch_tokens=1))


class Counting(EagerRuntime):
    """A model that notes what it has read, and how many steps it has taken."""

    def __init__(self, model: Transformer) -> None:
        super().__init__(arrange(model, SPECIAL.forbidden_ids))
        self.read: list[Sequence[int]] = []
        self.num_steps = 0

    def encode(self, sources: Sequence[Sequence[int]]) -> Any:
        self.read += sources
        return super().encode(sources)

    def decode(self, *args: Any) -> Any:
        self.num_steps += 1
        return super().decode(*args)


def eager(model: Transformer) -> EagerRuntime:
    return EagerRuntime(arrange(model, SPECIAL.forbidden_ids))


@pytest.fixture
def engine(model: Transformer) -> Iterator[NativeEngine]:
    engine = NativeEngine(SPECIAL, eager(model), threads=1)
    yield engine
    engine.close()


def test_only_the_culprit_fails(
    model: Transformer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    inference = eager(model)
    encode = inference.encode

    def fragile(sources: Sequence[Sequence[int]]) -> Any:
        if [4, 66, 3] in sources:
            raise RuntimeError("poisoned")
        return encode(sources)

    monkeypatch.setattr(inference, "encode", fragile)
    engine = NativeEngine(SPECIAL, inference, threads=1)
    good, poison = [4, 10, 3], [4, 66, 3]
    futures = [engine.submit(source, OPTIONS[0]) for source in (good, poison, good)]
    assert futures[0].result(timeout=60)[0].ids == futures[2].result(timeout=60)[0].ids
    with pytest.raises(RuntimeError, match="poisoned"):
        futures[1].result(timeout=60)
    assert engine.is_alive
    assert "a batch failed; its sentences are decoded one at a time" in caplog.text
    engine.close()


def test_an_error_between_two_steps_ends_the_batch_alone(
    model: Transformer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(RunningBatch, "drop", fail)
    engine = NativeEngine(SPECIAL, eager(model), threads=1)
    endless = DecodingOptions(beam_size=1, max_length_offset=1000, max_length_factor=20)
    given_up = engine.submit([4, *range(10, 60), 3], endless)
    wait_until(lambda: engine.statistics().turns > 0)
    given_up.cancel()
    assert engine.submit([4, 10, 3], OPTIONS[0]).result(timeout=60)
    assert engine.is_alive
    engine.close()


def failing_engine(
    model: Transformer, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> NativeEngine:
    """Return an engine whose runtime can read nothing."""

    def fail(_: Sequence[Sequence[int]]) -> None:
        raise error

    inference = eager(model)
    monkeypatch.setattr(inference, "encode", fail)
    return NativeEngine(SPECIAL, inference, threads=1)


def test_without_memory_for_all_each_is_decoded_alone(
    model: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the batch has had in memory is free again by then."""
    held: list[weakref.ref[EagerBatch]] = []
    inference = eager(model)
    decode, encode = inference.decode, inference.encode

    def fails_later(ids: Any, batch: EagerBatch) -> Any:
        if len(batch.memory) > 1:
            held.append(weakref.ref(batch))
            raise torch.OutOfMemoryError("CUDA out of memory")
        return decode(ids, batch)

    def alone(sources: Sequence[Sequence[int]]) -> Any:
        assert not any(one() for one in held), "the batch is still in memory"
        return encode(sources)

    monkeypatch.setattr(inference, "decode", fails_later)
    monkeypatch.setattr(inference, "encode", alone)
    monkeypatch.setattr(native.log, "disabled", True)  # pytest would keep what is logged
    engine = NativeEngine(SPECIAL, inference, threads=1)
    with engine._condition:  # so that all are there when it begins
        futures = [engine.submit(source, OPTIONS[0]) for source in ([4, 10, 3], [4, 11, 3])]
    assert all(future.result(timeout=60) for future in futures)
    assert len(held) == 1
    engine.close()


def test_a_sentence_without_memory_may_be_sent_again(
    model: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = torch.OutOfMemoryError("CUDA out of memory")
    engine = failing_engine(model, monkeypatch, error)
    future = engine.submit([4, 10, 3], OPTIONS[0])
    with pytest.raises(EngineOverloadedError, match="no memory is left for a sentence of 3 pieces"):
        future.result(timeout=60)
    assert engine.is_alive
    engine.close()


def test_an_engine_whose_gpu_has_failed_ends(
    model: Transformer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    error = torch.AcceleratorError("CUDA error: an illegal memory access was encountered")
    engine = failing_engine(model, monkeypatch, error)
    future = engine.submit([4, 10, 3], OPTIONS[0])
    with pytest.raises(RuntimeError, match="illegal memory access"):
        future.result(timeout=60)
    wait_until(lambda: not engine.is_alive)
    assert "the GPU has failed, and computes nothing more here" in caplog.text


def test_a_cancelled_sentence_is_not_decoded(model: Transformer) -> None:
    inference = Counting(model)
    engine = NativeEngine(SPECIAL, inference, one_at_a_time(), threads=1)
    batch = random_sources(20)
    futures = [engine.submit(source, OPTIONS[1]) for source in batch]
    assert futures[10].cancel()
    for future in futures[:10] + futures[11:]:
        assert future.result(timeout=60)
    engine.close()
    assert inference.read == batch[:10] + batch[11:]


def test_a_late_sentence_is_told_so(model: Transformer) -> None:
    engine = NativeEngine(SPECIAL, eager(model), scheduler=one_at_a_time(), threads=1)
    futures = [engine.submit(source, OPTIONS[1]) for source in random_sources(30)]
    late = engine.submit([4, 10, 3], OPTIONS[1], timeout_s=0.0)
    with pytest.raises(DeadlineExceededError, match="waited longer than its time limit"):
        late.result(timeout=60)
    for future in futures:
        assert future.result(timeout=60)
    engine.close()


def test_a_sentence_given_up_while_it_runs_leaves_the_batch(model: Transformer) -> None:
    endless = DecodingOptions(beam_size=1, max_length_offset=1000, max_length_factor=20)
    with torch.no_grad():
        model.embedding.weight[3] = 0  # EOS is never the best id of a vocabulary this large
    inference = Counting(model)
    engine = NativeEngine(SPECIAL, inference, threads=1)
    given_up = engine.submit([4, *range(10, 60), 3], endless)
    kept = engine.submit([4, 10, 3], OPTIONS[0])
    assert kept.result(timeout=60)
    assert given_up.cancel()
    assert engine.submit([4, 11, 3], OPTIONS[0]).result(timeout=60)
    engine.close()
    assert inference.num_steps < endless.max_length(52), "of the sentence, were it decoded"


@pytest.mark.parametrize("options", OPTIONS, ids=["greedy", "beam", "gnmt"])
def test_company_that_comes_and_goes_changes_nothing(
    model: Transformer, options: DecodingOptions
) -> None:
    with torch.no_grad():
        model.embedding.weight[3] *= 3
    batch, generator = random_sources(24, 3), random.Random(0)
    inference = eager(model)
    engine = NativeEngine(SPECIAL, inference, threads=1)
    futures = []
    for source in batch:
        group_size = generator.choice((1, 100))  # both lanes
        futures.append(engine.submit(source, options, group_size=group_size))
        time.sleep(generator.choice((0.0, 0.002)))
    for source, future in zip(batch, futures, strict=True):
        [alone] = decode_batch(inference, [source], options, SPECIAL)
        assert [h.ids for h in future.result(timeout=60)] == [h.ids for h in alone]
    engine.close()


class Halting(EagerRuntime):
    """A model that stops before a step until it is told to go on."""

    def __init__(self, model: Transformer) -> None:
        super().__init__(arrange(model, SPECIAL.forbidden_ids))
        self.is_waiting, self.go_on = threading.Event(), threading.Event()

    def decode(self, *args: Any) -> Any:
        self.is_waiting.set()
        assert self.go_on.wait(60)
        return super().decode(*args)


def test_a_successor_takes_over_what_is_in_hand(
    model: Transformer, model_config: ModelConfig
) -> None:
    first = Halting(model)
    torch.manual_seed(1)
    second = EagerRuntime(arrange(make_model(model_config).eval(), SPECIAL.forbidden_ids))
    successor: Future[Runtime] = Future()
    engine = NativeEngine(SPECIAL, first, threads=1, successor=successor)
    batch = random_sources(20)
    futures = [engine.submit(source, OPTIONS[1]) for source in batch]
    assert first.is_waiting.wait(60)
    successor.set_result(second)
    first.go_on.set()
    for source, future in zip(batch, futures, strict=True):
        [alone] = decode_batch(second, [source], OPTIONS[1], SPECIAL)
        assert [found.ids for found in future.result(timeout=60)] == [found.ids for found in alone]
    engine.close()


def test_a_successor_that_fails_takes_no_one_with_it(model: Transformer) -> None:
    first = Halting(model)
    broken = eager(model)
    encode, failures = broken.encode, [MemoryError()]

    def fragile(sources: Sequence[Sequence[int]]) -> Any:
        if failures:
            raise failures.pop()
        return encode(sources)

    broken.encode = fragile  # type: ignore[method-assign]
    successor: Future[Runtime] = Future()
    engine = NativeEngine(SPECIAL, first, threads=1, successor=successor)
    running = engine.submit([4, 10, 3], OPTIONS[1])
    assert first.is_waiting.wait(60)
    successor.set_result(broken)
    newcomer = engine.submit([4, 11, 3], OPTIONS[1], timeout_s=0.5)
    first.go_on.set()
    assert running.result(timeout=60)
    assert newcomer.result(timeout=60)
    ends_s = time.monotonic() + 0.7
    while time.monotonic() < ends_s:
        assert engine.submit([4, 12, 3], OPTIONS[1]).result(timeout=60)
    assert engine.is_alive
    engine.close()


def test_without_the_successor_the_engine_goes_on_and_says_so(
    model: Transformer, caplog: pytest.LogCaptureFixture
) -> None:
    successor: Future[Runtime] = Future()
    successor.set_exception(RuntimeError("no such instruction"))
    engine = NativeEngine(SPECIAL, eager(model), threads=1, successor=successor)
    assert engine.submit([4, 10, 3], OPTIONS[0]).result(timeout=60)
    assert "translating on without a compiler: no such instruction" in caplog.text
    engine.close()


def test_the_memory_of_the_weights_is_told(engine: NativeEngine, model: Transformer) -> None:
    num_weights = sum(weight.numel() for weight in model.parameters())
    num_biases = model.config.vocab_size  # of the output layer
    assert engine.num_bytes == 4 * (num_weights + num_biases)


def test_a_gpu_is_lost_when_it_fails_and_not_when_it_is_full() -> None:
    assert is_lost_gpu(torch.AcceleratorError("CUDA error: unspecified launch failure"))
    assert not is_lost_gpu(torch.OutOfMemoryError("CUDA out of memory"))
    assert not is_lost_gpu(RuntimeError("shapes do not fit"))
