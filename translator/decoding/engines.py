"""Which engine decodes, and in which precision."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future, wait

from translator.checkpoint import LoadedModel
from translator.config import EngineName, Precision
from translator.decoding.engine import Engine
from translator.decoding.running_batch import StepModel
from translator.decoding.scheduler import Scheduler, SchedulerConfig
from translator.decoding.special_ids import SpecialIds
from translator.decoding.torch_engine import TorchEngine
from translator.errors import ConfigError
from translator.model.inference import InferenceModel
from translator.model.int8.model import Int8Model, is_possible

USUALLY_COMPILED_S = 1.0
"""Loading what has been compiled before takes a third of this, compiling fifteen times as long."""

INT8_BOUNDS = SchedulerConfig(max_rows=32, max_encode_tokens=128, express_gap_s=0.0)
"""What int8 is fastest with: larger batches gain nothing and leave the caches, and short turns let
short requests in. PyTorch's calls, in floats, are worth it for more rows only."""


def start_engine(
    loaded: LoadedModel,
    threads: int,
    precision: Precision,
    engine: EngineName,
    serve_at_once: bool = False,
) -> Engine:
    """Start an engine; see `Translator.load` for the arguments.

    Raises:
        ConfigError: the precision or the engine is not possible.
    """
    model, special_ids = loaded.model.eval(), SpecialIds.of(loaded.tokenizer)
    is_on_cpu = model.embedding.weight.device.type == "cpu"
    if not is_on_cpu and (precision == "int8" or engine == "ctranslate2"):
        name = "precision: int8" if precision == "int8" else "engine: ctranslate2"
        raise ConfigError([f"{name} runs on the CPU only"], "engine")
    if engine == "torch" and precision == "int8" and not is_possible():
        raise ConfigError(
            ["precision: int8 needs a CPU with AVX-512 VNNI; take float32, or auto"], "engine"
        )
    if engine == "ctranslate2":
        from translator.decoding.ctranslate2_engine import CTranslate2Engine

        wanted = "float32" if precision == "float32" else "int8"
        return CTranslate2Engine(model, loaded.tokenizer, wanted, threads=threads)
    ranges, forbidden_ids = loaded.description.input_ranges, special_ids.forbidden_ids
    is_int8 = precision == "int8" or (
        precision == "auto" and bool(ranges) and is_on_cpu and is_possible()
    )
    if not is_int8:
        inference = InferenceModel(model, forbidden_ids)
        return TorchEngine(model, special_ids, inference, threads=threads)
    compiled = compile_in_background(Int8Model(model, forbidden_ids, ranges, threads))
    done, _ = wait([compiled], timeout=USUALLY_COMPILED_S)
    if done or not serve_at_once:
        if not done:
            logging.getLogger(__name__).warning("compiling for this CPU; it will be kept")
        return TorchEngine(
            model, special_ids, compiled.result(), Scheduler(INT8_BOUNDS), threads=threads
        )
    return TorchEngine(
        model,
        special_ids,
        InferenceModel(model, forbidden_ids),
        Scheduler(INT8_BOUNDS),
        threads=threads,
        successor=compiled,
    )


def compile_in_background(model: Int8Model) -> Future[StepModel]:
    """Return the model to come: compiled, or loaded if that has been done before."""
    future: Future[StepModel] = Future()

    def work() -> None:
        try:
            model.warm_up()
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(model)

    threading.Thread(target=work, name="translator-compiler", daemon=True).start()
    return future
