"""Which engine is started, and what decodes until int8 is compiled."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import torch

from tests.checkout import ROOT
from tests.cpu import NEEDS_INT8
from translator import jit
from translator.config import DecodingOptions, Precision
from translator.engine import start as engines
from translator.engine.native import NativeEngine
from translator.engine.pool import EnginePool
from translator.engine.start import start_engine
from translator.errors import ConfigError
from translator.runtime import ahead
from translator.runtime.arrange import arrange
from translator.runtime.compiled.model import CompiledRuntime
from translator.runtime.device.model import DeviceRuntime
from translator.runtime.eager import EagerRuntime
from translator.runtime.plan import Plan, step_work
from translator.search.rows import Array
from translator.store.model_directory import LoadedModel
from translator.tokens.port import SpecialIds

GREEDY = DecodingOptions(beam_size=1)


def model_of(engine: object) -> str:
    assert isinstance(engine, NativeEngine)
    return type(engine._inference).__name__


def plan_of(loaded: LoadedModel) -> Plan[Array]:
    return arrange(loaded.model, ())


def models_of(engine: object) -> list[str]:
    """Return what the engines of a pool decode with, or one alone."""
    engines = engine._engines if isinstance(engine, EnginePool) else [engine]
    return [model_of(one) for one in engines]


@pytest.fixture
def not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing have been compiled before, and no child compile anything."""
    monkeypatch.setattr(ahead, "is_done", lambda _: False)
    monkeypatch.setattr(ahead, "compile_elsewhere", lambda _: None)


@pytest.mark.parametrize("child_s", [0, 900])
def test_a_process_ends_when_llvm_is_done_but_does_not_wait_for_a_child(
    child_s: float, tmp_path: Path
) -> None:
    program = f"""
import sys, time
from pathlib import Path
from types import SimpleNamespace
from translator.engine import start
from translator.runtime import ahead
ahead.is_done = lambda _: False
ahead.note_done = lambda _: None
ahead.compile_elsewhere = lambda _: time.sleep({child_s})
def warm_up():
    Path("begun").touch()
    time.sleep(1)
    Path("compiled").touch()
start.compile_in_background(SimpleNamespace(warm_up=warm_up), "int8")
while not {child_s} and not Path("begun").exists():
    time.sleep(0.01)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True, timeout=300
    )
    assert (tmp_path / "compiled").exists() == (not child_s)


@NEEDS_INT8
@pytest.mark.parametrize("serve_at_once", [False, True])
def test_what_has_been_compiled_before_is_used_at_once(
    loaded: LoadedModel, serve_at_once: bool
) -> None:
    for precision in ("int8", "float32"):
        CompiledRuntime(plan_of(loaded), precision).warm_up()
        ahead.note_done(precision)
    engine = start_engine(loaded, 1, "auto", serve_at_once)
    assert model_of(engine) == "CompiledRuntime"
    assert isinstance(engine, NativeEngine)
    work = step_work(plan_of(loaded))
    assert engine._scheduler.config == engines.compiled_scheduler(work).config
    engine.close()
    engine = start_engine(loaded, 1, "float32", serve_at_once)
    assert model_of(engine) == "CompiledRuntime"
    engine.close()


def test_turns_for_short_requests_are_as_long_as_their_work() -> None:
    schedulers = map(engines.compiled_scheduler, (10**6, 5 * 10**6, 10**8))
    assert [one.config.express_turn_rows for one in schedulers] == [128, 70, 32]


@NEEDS_INT8
def test_each_thread_has_an_engine_and_all_share_the_weights(loaded: LoadedModel) -> None:
    one, three = (start_engine(loaded, threads, "int8") for threads in (1, 3))
    assert isinstance(three, EnginePool)
    assert models_of(three) == ["CompiledRuntime"] * 3
    models = [engine._inference for engine in three._engines]  # type: ignore[attr-defined]
    assert len({id(model.layout) for model in models}) == 1
    assert len({id(own) for model in models for own in (model.pool, model._workspace)}) == 6
    sources = [[4, *range(10, 10 + length), 3] for length in range(1, 40)]
    answers = [
        [future.result(timeout=60) for future in [engine.submit(ids, GREEDY) for ids in sources]]
        for engine in (one, three)
    ]
    assert answers[0] == answers[1]
    one.close()
    three.close()


def test_without_a_thread_nothing_starts(loaded: LoadedModel) -> None:
    with pytest.raises(ConfigError, match="threads: must be 1 or more, got 0"):
        start_engine(loaded, 0, "auto")


@pytest.mark.usefixtures("not_compiled")
@NEEDS_INT8
@pytest.mark.parametrize("threads", [1, 2])
def test_float32_serves_until_int8_is_compiled(
    loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    is_compiled = threading.Event()
    monkeypatch.setattr(CompiledRuntime, "warm_up", lambda _: is_compiled.wait(60))
    engine = start_engine(loaded, threads, "auto", serve_at_once=True)
    assert models_of(engine) == ["EagerRuntime"]
    assert engine.submit([4, 10, 3], GREEDY).result(timeout=60)
    is_compiled.set()
    ends_s, wanted = time.monotonic() + 60, ["CompiledRuntime"] * threads
    while models_of(engine) != wanted and time.monotonic() < ends_s:
        futures = [engine.submit([4, 10, 3], GREEDY) for _ in range(threads)]
        assert all(future.result(timeout=60) for future in futures)
    assert models_of(engine) == wanted
    engine.close()


@pytest.mark.usefixtures("not_compiled")
@NEEDS_INT8
def test_others_wait_and_are_told_why(
    loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(CompiledRuntime, "warm_up", lambda _: time.sleep(0.1))
    engine = start_engine(loaded, 1, "auto")
    assert model_of(engine) == "CompiledRuntime"
    assert "compiling for this CPU" in caplog.text
    engine.close()


@pytest.mark.usefixtures("not_compiled")
@NEEDS_INT8
def test_what_fails_is_tried_once_more_without_what_was_kept(
    loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def damaged(_: CompiledRuntime) -> None:
        calls.append("compile")
        if len(calls) == 1:
            raise EOFError("Ran out of input")

    monkeypatch.setattr(CompiledRuntime, "warm_up", damaged)
    monkeypatch.setattr(jit, "forget", lambda: calls.append("forget"))
    engine = start_engine(loaded, 1, "int8", serve_at_once=True)
    assert model_of(engine) == "CompiledRuntime"
    assert calls == ["compile", "forget", "compile"]
    engine.close()


@pytest.mark.usefixtures("not_compiled")
@NEEDS_INT8
@pytest.mark.parametrize("serve_at_once", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_cannot_be_compiled_is_not_used(
    loaded: LoadedModel,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    serve_at_once: bool,
    threads: int,
) -> None:
    def impossible(_: CompiledRuntime) -> None:
        raise OSError("no such instruction")

    monkeypatch.setattr(CompiledRuntime, "warm_up", impossible)
    monkeypatch.setattr(jit, "forget", lambda: None)
    with pytest.raises(ConfigError, match="int8 cannot be compiled: no such instruction"):
        start_engine(loaded, threads, "int8", serve_at_once)
    engine = start_engine(loaded, threads, "auto", serve_at_once)
    assert models_of(engine) == ["EagerRuntime"] * (1 if serve_at_once else threads)
    assert engine.submit([4, 10, 3], GREEDY).result(timeout=60)
    assert "without a compiler: no such instruction" in caplog.text
    engine.close()


@pytest.mark.usefixtures("not_compiled")
@NEEDS_INT8
@pytest.mark.parametrize("threads", [1, 2])
def test_float32_serves_on_if_int8_fails_later(
    loaded: LoadedModel,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    threads: int,
) -> None:
    is_tried = threading.Event()

    def impossible(_: CompiledRuntime) -> None:
        is_tried.wait(60)
        raise OSError("no such instruction")

    monkeypatch.setattr(CompiledRuntime, "warm_up", impossible)
    monkeypatch.setattr(jit, "forget", lambda: None)
    engine = start_engine(loaded, threads, "auto", serve_at_once=True)
    is_tried.set()
    ends_s = time.monotonic() + 60
    while "translating on without a compiler" not in caplog.text and time.monotonic() < ends_s:
        assert engine.submit([4, 10, 3], GREEDY).result(timeout=60)
    assert "translating on without a compiler: no such instruction" in caplog.text
    assert models_of(engine) == ["EagerRuntime"]
    engine.close()


@NEEDS_INT8
def test_sentences_that_block_ngrams_change_no_bit_of_others(loaded: LoadedModel) -> None:
    """They want more candidates, of which int8 computes the scores more exactly."""
    options = DecodingOptions(beam_size=4, num_hypotheses=4)
    blocking = dataclasses.replace(options, no_repeat_ngram_size=2)
    engine = start_engine(loaded, 1, "int8")
    sources = [[4, *range(10, 10 + length), 3] for length in range(1, 30)]
    alone = [engine.submit(ids, options).result(timeout=60) for ids in sources]
    futures = [engine.submit(ids, own) for ids in sources for own in (blocking, options)]
    beside = [future.result(timeout=60) for future in futures][1::2]
    assert beside == alone
    engine.close()


def test_int8_needs_a_cpu_that_can(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "compiles", lambda: False)
    with pytest.raises(
        ConfigError, match="int8 needs Numba, which compiles for the CPU; take float32"
    ):
        start_engine(loaded, 1, "int8")
    engine = start_engine(loaded, 1, "auto")
    assert model_of(engine) == "EagerRuntime"
    assert isinstance(engine, NativeEngine)
    assert isinstance(engine._inference, EagerRuntime)
    engine.close()


def test_on_a_device_the_engine_searches_there(loaded: LoadedModel) -> None:
    """The same code as on a GPU, with tensors of the CPU."""
    special_ids, options = SpecialIds.of(loaded.tokenizer), DecodingOptions(beam_size=3)
    plan = arrange(loaded.model, special_ids.forbidden_ids)
    device = engines.device_engine(special_ids, plan, "cpu", threads=1)
    assert model_of(device) == "DeviceRuntime"
    eager = NativeEngine(special_ids, EagerRuntime(plan, compiles_search=False), threads=1)
    sources = [[4, *range(10, 10 + length), 3] for length in range(1, 40)]
    answers = [
        [future.result(timeout=60)[0].ids for future in futures]
        for futures in (
            [
                engine.submit(ids, options, group_size=size)
                for ids, size in zip(sources, sizes, strict=False)
            ]
            for engine, sizes in ((device, [1, 30] * 20), (eager, [1] * 40))
        )
    ]
    assert answers[0] == answers[1]
    assert device.statistics().turn_sentences > 3 * device.statistics().turns
    device.close()
    eager.close()


@pytest.mark.parametrize(("precision", "dtype"), [("auto", None), ("float32", torch.float32)])
def test_a_gpu_gets_an_engine_of_its_own(
    loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch, precision: Precision, dtype: object
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(engines, "device_engine", lambda *given: asked.append(given[-1]))
    monkeypatch.setattr(loaded.reference, "device", "cuda")
    start_engine(loaded, 1, precision)
    assert asked == [dtype]
    assert loaded.reference.num_bytes == 0, "no second copy stays on the CPU"
    with pytest.raises(ConfigError, match="int8 runs on the CPU only"):
        start_engine(loaded, 1, "int8")


def test_batches_of_a_device_are_as_large_as_its_memory(loaded: LoadedModel) -> None:
    model = DeviceRuntime(plan_of(loaded))
    config = engines.device_scheduler(model).config
    assert (config.max_rows, config.max_batch_tokens) == (engines.DEVICE_ROWS, model.most_tokens)
    model.cache_bytes //= 1000
    less = engines.device_scheduler(model).config
    assert less.max_rows == model.most_rows < engines.DEVICE_ROWS
    assert less.max_batch_tokens == pytest.approx(config.max_batch_tokens / 1000, rel=0.01)
