"""Which engine decodes, and in which precision."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from translator import jit
from translator.config import Precision
from translator.engine.native import NativeEngine
from translator.engine.pool import EnginePool
from translator.engine.port import Engine
from translator.engine.scheduler import Scheduler, SchedulerConfig
from translator.errors import ConfigError
from translator.model.reference import Reference
from translator.runtime import ahead
from translator.runtime.arrange import arrange
from translator.runtime.contract import Runtime
from translator.runtime.plan import Plan, step_work
from translator.search.rows import Array
from translator.store.model_directory import LoadedModel
from translator.tokens.port import SpecialIds

if TYPE_CHECKING:
    import torch

    from translator.runtime.compiled.model import CompiledRuntime
    from translator.runtime.device.model import DeviceRuntime
    from translator.runtime.eager import EagerRuntime

log = logging.getLogger(__name__)

EXPRESS_WORK = 350_000_000
"""Multiply-adds of a turn for short requests, one or two milliseconds': the fewer turns, the less
often the engine's thread has to wait for those of the callers."""

FEWEST_ROWS, MOST_ROWS = 32, 128
"""Of such a turn."""

DEVICE_ROWS = 2048
"""Of a batch on a GPU, at most: 512 sentences of four beams, which one step costs hardly more than
it costs a few."""


def compiled_scheduler(work: int) -> Scheduler:
    """Return a scheduler with the bounds that compiled models are fastest with.

    Larger batches gain nothing and leave the caches, and short turns let short requests in. (With
    PyTorch's operations calls are worth it for more rows only.)

    `work` is the multiply-adds of a row's step.
    """
    express_rows = EXPRESS_WORK // work
    return Scheduler(
        SchedulerConfig(
            max_rows=32,
            express_turn_rows=max(FEWEST_ROWS, min(express_rows, MOST_ROWS)),
            max_encode_tokens=128,
            express_gap_s=0.0,
            quiet_factor=2,
        )
    )


def device_scheduler(model: DeviceRuntime) -> Scheduler:
    """Return a scheduler with batches as large as a GPU is fast with, and has memory for.

    A turn is a few steps, however many rows they have.
    """
    return Scheduler(
        SchedulerConfig(
            max_rows=min(DEVICE_ROWS, model.most_rows),
            max_batch_tokens=model.most_tokens,
            max_encode_tokens=32_768,
            express_gap_s=0.002,
        )
    )


def device_engine(
    special_ids: SpecialIds,
    plan: Plan[Array],
    device: str,
    threads: int,
    dtype: torch.dtype | None = None,
) -> NativeEngine:
    """Start an engine that decodes and searches on a device such as `cuda`; see `DeviceRuntime`.

    Its CPU threads are for what is left to do there.
    """
    from translator.runtime.device.model import DeviceRuntime

    model = DeviceRuntime(plan, device, dtype)
    model.warm_up()
    return NativeEngine(special_ids, model, device_scheduler(model), threads=threads)


def compiled_engine(
    special_ids: SpecialIds, runtime: CompiledRuntime, work: int, threads: int
) -> Engine:
    """Start an engine for each thread; all of them share the weights. See `compiled_scheduler`."""
    make = partial(compiled_scheduler, work)
    return _pooled(_engines(special_ids, runtime.replicas(threads), make))


def _engines(
    special_ids: SpecialIds, runtimes: Sequence[Runtime], scheduler: Callable[[], Scheduler]
) -> list[NativeEngine]:
    return [NativeEngine(special_ids, runtime, scheduler(), threads=1) for runtime in runtimes]


def _pooled(engines: list[NativeEngine]) -> Engine:
    return engines[0] if len(engines) == 1 else EnginePool(engines)


@dataclass(frozen=True, slots=True)
class PreparedModel:
    """A model whose kernels have been compiled, before anything runs it.

    A process that is forked now shares the memory of weights, kernels and tables.
    """

    loaded: LoadedModel  # the model; its weights have been let go
    runtime: CompiledRuntime  # has them in its own order
    work: int  # see `compiled_scheduler`
    precision: Precision  # that it was asked for

    def is_of(self, checksum: str, precision: Precision) -> bool:
        """Return whether this is a model of that checksum, in that precision."""
        return (self.loaded.checksum, self.precision) == (checksum, precision)


def _kernels(precision: Precision) -> str:
    """Return the precision that models are compiled in on a CPU."""
    return "float32" if precision == "float32" else "int8"


def is_compiled(precision: Precision) -> bool:
    """Return whether the kernels of a precision have been compiled for this CPU before."""
    return jit.compiles() and ahead.is_done(_kernels(precision))


def prepare(loaded: LoadedModel, precision: Precision) -> PreparedModel:
    """Return a model on the CPU made ready; see `Translator.prepare`."""
    runtime, work = _compiled(loaded, _kernels(precision))
    jit.compile_now(runtime.warm_up)
    loaded.reference.let_go()
    return PreparedModel(loaded, runtime, work, precision)


def start_prepared(prepared: PreparedModel, threads: int) -> Engine:
    """Start an engine for a model that was prepared."""
    special_ids = SpecialIds.of(prepared.loaded.tokenizer)
    return compiled_engine(special_ids, prepared.runtime, prepared.work, threads)


def start_engine(
    loaded: LoadedModel, threads: int, precision: Precision, serve_at_once: bool = False
) -> Engine:
    """Start an engine; see `Translator.load` for the arguments.

    Raises:
        ConfigError: the precision is not possible, or there is to be no thread.
    """
    if threads < 1:
        raise ConfigError([f"threads: must be 1 or more, got {threads}"], "engine")
    device = loaded.reference.device
    kind = device.partition(":")[0]
    if kind != "cpu" and precision == "int8":
        raise ConfigError(["precision: int8 runs on the CPU only"], "engine")
    if kind == "cpu" and jit.compiles():
        return _start_compiled(loaded, threads, precision, serve_at_once)
    if precision == "int8":
        message = "precision: int8 needs Numba, which compiles for the CPU; take float32 or auto"
        raise ConfigError([message], "engine")
    import torch

    from translator.runtime.eager import EagerRuntime

    plan, special_ids = _plan(loaded), SpecialIds.of(loaded.tokenizer)
    if kind != "cpu":
        loaded.reference.let_go()  # the device has weights of its own
    if kind == "cuda":
        dtype = torch.float32 if precision == "float32" else None
        return device_engine(special_ids, plan, device, threads, dtype)
    eager = EagerRuntime(plan, device)
    eager.warm_up()
    if kind != "cpu":
        return NativeEngine(special_ids, eager, threads=threads)
    return _pooled(_engines(special_ids, eager.replicas(threads), Scheduler))


def _plan(loaded: LoadedModel, precision: str = "float32") -> Plan[Array]:
    """Return the plan of a model, for int8 with matrices as they are stored."""
    weights, vocabulary = loaded.reference.weights, loaded.tokenizer
    weights = weights if precision == "int8" else weights.floats()
    return arrange(weights, vocabulary.forbidden_ids, vocabulary.shortlist)


def _start_compiled(
    loaded: LoadedModel, threads: int, precision: Precision, serve_at_once: bool
) -> Engine:
    name, special_ids = _kernels(precision), SpecialIds.of(loaded.tokenizer)
    runtime, work = _compiled(loaded, name)
    was_done = ahead.is_done(name)
    serves_floats = serve_at_once and precision != "int8" and not was_done
    first = _in_floats(loaded) if serves_floats else None
    compiled = compile_in_background(runtime, name)
    compiled.add_done_callback(partial(_let_go, loaded.reference))
    if first is not None:
        engine = NativeEngine(
            special_ids, first, compiled_scheduler(work), threads=threads, successor=compiled
        )
        if threads == 1:
            return engine
        pool, make = EnginePool([engine]), partial(compiled_scheduler, work)

        def add_others(done: Future[Runtime]) -> None:
            if done.exception() is None:
                pool.add(*_engines(special_ids, runtime.replicas(threads)[1:], make))

        compiled.add_done_callback(add_others)
        return pool
    if not was_done:
        until = "it will be kept" if jit.folder() else "there is no folder to keep it in"
        log.warning("compiling for this CPU; %s", until)
    error = compiled.exception()
    if error is None:
        return compiled_engine(special_ids, runtime, work, threads)
    if precision == "int8":
        raise ConfigError([f"precision: int8 cannot be compiled: {error}"], "engine") from error
    log.error("translating without a compiler: %s", error)
    eager = _in_floats(loaded)
    return _pooled(_engines(special_ids, eager.replicas(threads), Scheduler))


def _compiled(loaded: LoadedModel, precision: str) -> tuple[CompiledRuntime, int]:
    """Return the model to be compiled, and the multiply-adds of a row's step.

    It has the weights in an order of its own, so that nobody need keep the plan.
    """
    from translator.runtime.compiled.model import CompiledRuntime

    plan = _plan(loaded, precision)
    return CompiledRuntime(plan, precision), step_work(plan)


def _in_floats(loaded: LoadedModel) -> EagerRuntime:
    from translator.runtime.eager import EagerRuntime

    return EagerRuntime(_plan(loaded), compiles_search=False)


def _let_go(reference: Reference, compiled: Future[Runtime]) -> None:
    """Let the model go once it has been compiled; whoever translates with it meanwhile keeps it."""
    if compiled.exception() is None:
        reference.let_go()


def compile_in_background(runtime: Runtime, precision: str) -> Future[Runtime]:
    """Return the model to come: compiled, or loaded if that has been done before."""
    future: Future[Runtime] = Future()
    # A process that ends while LLVM works in one of its threads may crash. So its end waits for
    # this lock, and keeps it. What a child compiles is not waited for.
    llvm = threading.Lock()
    atexit.register(llvm.acquire)

    def work() -> None:
        try:
            if not ahead.is_done(precision):
                ahead.compile_elsewhere(precision)
            with llvm:
                jit.compile_now(runtime.warm_up)
            ahead.note_done(precision)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(runtime)
        atexit.unregister(llvm.acquire)

    threading.Thread(target=work, name="translator-compiler", daemon=True).start()
    return future
