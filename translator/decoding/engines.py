"""Which engine decodes, and in which precision."""

from __future__ import annotations

from translator.checkpoint import LoadedModel
from translator.config import EngineName, Precision
from translator.decoding.engine import Engine
from translator.decoding.special_ids import SpecialIds
from translator.decoding.torch_engine import TorchEngine
from translator.errors import ConfigError
from translator.model.inference import InferenceModel
from translator.model.int8.model import Int8Model, is_possible


def start_engine(
    loaded: LoadedModel, threads: int, precision: Precision, engine: EngineName
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
    ranges = loaded.description.input_ranges
    is_int8 = precision == "int8" or (
        precision == "auto" and bool(ranges) and is_on_cpu and is_possible()
    )
    forbidden_ids = special_ids.forbidden_ids
    inference = (
        Int8Model(model, forbidden_ids, ranges) if is_int8 else InferenceModel(model, forbidden_ids)
    )
    return TorchEngine(model, special_ids, inference, threads=threads)
