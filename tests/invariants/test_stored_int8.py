"""A model that is stored in int8: the engine takes its matrices as they are, or floats of them."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.cpu import NEEDS_INT8
from translator import jit
from translator.config import DecodingOptions
from translator.engine.native import NativeEngine
from translator.engine.port import Engine
from translator.engine.start import start_engine
from translator.errors import ConfigError
from translator.model.int8 import Int8Matrix
from translator.model.reference import Reference
from translator.model.weights import Weights, weights_of
from translator.runtime import ahead
from translator.runtime.compiled.model import CompiledRuntime
from translator.search.hypothesis import Hypothesis
from translator.store.model_directory import LoadedModel, load_model_directory, save_model_directory

OPTIONS = DecodingOptions(beam_size=3)
SOURCES = [[4, *range(10, 10 + length), 3] for length in range(1, 30)]


@pytest.fixture
def stored(tmp_path: Path, loaded: LoadedModel) -> LoadedModel:
    """Return the model as it is loaded from a model directory in int8."""
    description = dataclasses.replace(loaded.description, weights="int8")
    weights = loaded.model.state_dict()
    save_model_directory(tmp_path / "int8", description, loaded.tokenizer, weights, {})
    return load_model_directory(tmp_path / "int8")


def answers(engine: Engine, sources: Sequence[Sequence[int]] = SOURCES) -> list[list[Hypothesis]]:
    futures = [engine.submit(ids, OPTIONS) for ids in sources]
    found = [future.result(timeout=60) for future in futures]
    engine.close()
    return found


def as_floats(stored: LoadedModel) -> LoadedModel:
    """Return the same numbers as a model of floats."""
    floats = stored.reference.weights.floats()
    return LoadedModel(stored.description, stored.tokenizer, Reference(lambda: floats), {})


@NEEDS_INT8
def test_no_floats_are_made_for_int8(stored: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = stored.reference.weights
    in_memory = LoadedModel(stored.description, stored.tokenizer, Reference(lambda: weights), {})
    floats = answers(start_engine(as_floats(stored), 1, "int8"))

    def never(_: object) -> Weights:
        raise AssertionError("floats were asked for")

    monkeypatch.setattr(Weights, "floats", never)
    found = answers(start_engine(stored, 1, "int8"))
    assert stored.reference.num_bytes == 0, "it has been let go"
    assert found == answers(start_engine(in_memory, 1, "int8"))
    for one, other in zip(found, floats, strict=True):  # whose last bits differ
        assert one[0].log_prob == pytest.approx(other[0].log_prob, rel=2e-3)


@NEEDS_INT8
def test_float32_takes_floats_of_it(stored: LoadedModel) -> None:
    expected = answers(start_engine(as_floats(stored), 1, "float32"))
    assert answers(start_engine(stored, 1, "float32")) == expected
    assert stored.reference.num_bytes == 0, "it has been let go"


def test_without_a_compiler_floats_translate(
    stored: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "compiles", lambda: False)
    expected = answers(start_engine(as_floats(stored), 1, "auto"))
    assert answers(start_engine(stored, 1, "auto")) == expected
    with pytest.raises(ConfigError, match="int8 needs Numba"):
        start_engine(stored, 1, "int8")


@NEEDS_INT8
def test_floats_serve_until_int8_is_compiled(
    stored: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "is_done", lambda _: False)
    monkeypatch.setattr(ahead, "compile_elsewhere", lambda _: None)
    is_compiled = threading.Event()
    monkeypatch.setattr(CompiledRuntime, "warm_up", lambda _: is_compiled.wait(60))
    engine = start_engine(stored, 1, "auto", serve_at_once=True)
    assert isinstance(engine, NativeEngine)
    assert type(engine._inference).__name__ == "EagerRuntime"
    assert engine.submit(SOURCES[0], OPTIONS).result(timeout=60)
    is_compiled.set()
    ends_s = time.monotonic() + 60
    while type(engine._inference).__name__ == "EagerRuntime" and time.monotonic() < ends_s:
        assert engine.submit(SOURCES[0], OPTIONS).result(timeout=60)
    assert type(engine._inference).__name__ == "CompiledRuntime"
    engine.close()


def test_a_model_in_memory_is_what_it_would_be_from_a_directory(
    stored: LoadedModel, loaded: LoadedModel
) -> None:
    rounded = weights_of(loaded.model).rounded()
    for name, array in stored.reference.weights.arrays.items():
        expected = rounded.arrays[name]
        assert isinstance(array, Int8Matrix) == isinstance(expected, Int8Matrix), name
        if isinstance(array, Int8Matrix) and isinstance(expected, Int8Matrix):
            assert np.array_equal(array.levels, expected.levels), name
            assert np.array_equal(array.scales, expected.scales), name
