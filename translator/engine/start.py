"""Which engine decodes, and in which precision."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from functools import partial
from typing import TYPE_CHECKING

from translator import jit
from translator.config import EngineName, Precision
from translator.engine.native import NativeEngine
from translator.engine.pool import EnginePool
from translator.engine.port import Engine
from translator.engine.running_batch import StepModel
from translator.engine.scheduler import Scheduler, SchedulerConfig
from translator.errors import ConfigError
from translator.model.transformer import Transformer
from translator.runtime.int8_support import int8_is_possible
from translator.runtime.thread_count import multiply_adds
from translator.runtime.torchscript.inference import InferenceModel
from translator.search.beam import use_search
from translator.store.model_directory import LoadedModel
from translator.tokens.special_ids import SpecialIds

if TYPE_CHECKING:
    from translator.runtime.int8.steps import Int8Steps

USUALLY_COMPILED_S = 1.0
"""Loading what has been compiled before takes a third of this, compiling fifteen times as long."""

EXPRESS_WORK = 350_000_000
"""Multiply-adds of a turn for short requests, one or two milliseconds': the fewer turns, the less
often the engine's thread has to wait for those of the callers."""

FEWEST_ROWS, MOST_ROWS = 32, 128
"""Of such a turn."""


def int8_scheduler(model: Transformer) -> Scheduler:
    """Return a scheduler with the bounds that int8 is fastest with.

    Larger batches gain nothing and leave the caches, and short turns let short requests in. (In
    floats PyTorch's calls are worth it for more rows only.)
    """
    express_rows = EXPRESS_WORK // multiply_adds(model, 0, 1)
    return Scheduler(
        SchedulerConfig(
            max_rows=32,
            express_turn_rows=max(FEWEST_ROWS, min(express_rows, MOST_ROWS)),
            max_encode_tokens=128,
            express_gap_s=0.0,
            quiet_factor=2,
        )
    )


def int8_engine(
    model: Transformer, special_ids: SpecialIds, int8: Int8Steps, threads: int
) -> Engine:
    """Start an engine for each thread; all of them share the weights.

    Args:
        model: reads translations back for reranking.
        special_ids: of the vocabulary.
        int8: the same model, compiled.
        threads: how many engines.
    """
    engines = _int8_engines(model, special_ids, int8.twins(threads))
    return engines[0] if threads == 1 else EnginePool(engines)


def _int8_engines(
    model: Transformer, special_ids: SpecialIds, models: Sequence[Int8Steps]
) -> list[NativeEngine]:
    return [
        NativeEngine(model, special_ids, int8, int8_scheduler(model), threads=1) for int8 in models
    ]


def _growing(
    first: NativeEngine, compiled: Future[StepModel], others: Callable[[], list[NativeEngine]]
) -> EnginePool:
    """Return a pool of an engine in floats, which gets others when int8 is compiled."""
    pool = EnginePool([first])

    def add_others(done: Future[StepModel]) -> None:
        if done.exception() is None:
            pool.add(*others())

    compiled.add_done_callback(add_others)
    return pool


def start_engine(
    loaded: LoadedModel,
    threads: int,
    precision: Precision,
    engine: EngineName,
    serve_at_once: bool = False,
) -> Engine:
    """Start an engine; see `Translator.load` for the arguments.

    Raises:
        ConfigError: the precision or the engine is not possible, or there is to be no thread.
    """
    if threads < 1:
        raise ConfigError([f"threads: must be 1 or more, got {threads}"], "engine")
    model, special_ids = loaded.model.eval(), SpecialIds.of(loaded.tokenizer)
    is_on_cpu = model.embedding.weight.device.type == "cpu"
    if not is_on_cpu and (precision == "int8" or engine == "ctranslate2"):
        name = "precision: int8" if precision == "int8" else "engine: ctranslate2"
        raise ConfigError([f"{name} runs on the CPU only"], "engine")
    if engine == "ctranslate2":
        from translator.engine.ctranslate2 import CTranslate2Engine

        wanted = "float32" if precision == "float32" else "int8"
        return CTranslate2Engine(model, loaded.tokenizer, wanted, threads=threads)
    jit.compile_now(use_search)  # nothing else can be compiled while int8 is
    start = partial(NativeEngine, model, special_ids, threads=threads)
    in_floats = partial(InferenceModel, model, special_ids.forbidden_ids)
    if precision == "float32" or not is_on_cpu:
        return start(in_floats())
    if not int8_is_possible():
        if precision == "auto":
            return start(in_floats())
        message = "precision: int8 needs Numba and a CPU with AVX2 or better; take float32 or auto"
        raise ConfigError([message], "engine")
    from translator.runtime.int8.steps import Int8Steps

    int8 = Int8Steps(model, special_ids.forbidden_ids)
    compiled = compile_in_background(int8)
    is_done = bool(wait([compiled], timeout=USUALLY_COMPILED_S).done)
    if serve_at_once and precision == "auto" and not is_done:
        first = start(in_floats(), int8_scheduler(model), successor=compiled)
        if threads == 1:
            return first
        return _growing(
            first, compiled, lambda: _int8_engines(model, special_ids, int8.twins(threads)[1:])
        )
    if not is_done:
        until = "it will be kept" if jit.folder() else "there is no folder to keep it in"
        logging.getLogger(__name__).warning("compiling for this CPU; %s", until)
    error = compiled.exception()
    if error is None:
        return int8_engine(model, special_ids, int8, threads)
    if precision == "int8":
        raise ConfigError([f"precision: int8 cannot be compiled: {error}"], "engine") from error
    logging.getLogger(__name__).error("translating in float32: %s", error)
    return start(in_floats())


def compile_in_background(model: Int8Steps) -> Future[StepModel]:
    """Return the model to come: compiled, or loaded if that has been done before."""
    future: Future[StepModel] = Future()

    def work() -> None:
        try:
            jit.compile_now(model.warm_up)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(model)

    threading.Thread(target=work, name="translator-compiler", daemon=True).start()
    return future
