"""Whatever decodes behind the port has its methods, with the same arguments."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from tests.benchmarks.ctranslate2_engine import CTranslate2Engine
from tests.engines import CopyEngine
from translator.engine.loop import EngineLoop
from translator.engine.native import NativeEngine
from translator.engine.pool import EnginePool
from translator.engine.port import Engine, Statistics, Times

PUBLIC = sorted(name for name in vars(Engine) if not name.startswith("_"))
ENGINES = [EngineLoop, NativeEngine, CTranslate2Engine, EnginePool, CopyEngine]


def test_times_around_several_sentences() -> None:
    both = Times.around([Times(1.0, 3.0, 4.0), None, Times(2.0, 2.5, 6.0)])
    assert both == Times(1.0, 2.5, 6.0)
    assert (both.queue_ms, both.compute_ms) == (1500.0, 3500.0)
    assert Times.around([None]) is None


def test_the_port_is_small() -> None:
    assert PUBLIC == [
        "close",
        "is_alive",
        "num_bytes",
        "second_pass",
        "share_threads",
        "statistics",
        "submit",
    ]


@pytest.mark.parametrize("name", ["close", "second_pass", "share_threads", "statistics", "submit"])
@pytest.mark.parametrize("engine", ENGINES)
def test_engines_take_what_the_port_takes(engine: type, name: str) -> None:
    expected, found = (inspect.signature(getattr(one, name)) for one in (Engine, engine))
    assert list(found.parameters.values()) == list(expected.parameters.values())
    assert found.return_annotation == expected.return_annotation


def test_every_way_to_fail_is_said_where_callers_read_it() -> None:
    said = inspect.getdoc(Engine.submit) or ""
    for error in ("ValueError", "EngineOverloadedError", "EngineClosedError"):
        assert f"{error}: " in said
    for argument in list(inspect.signature(Engine.submit).parameters)[1:]:
        assert f"{argument}: " in said


def test_statistics_of_engines_add_up() -> None:
    names = [field.name for field in dataclasses.fields(Statistics)]
    ones = Statistics(**dict.fromkeys(names, 1))
    assert ones + ones == Statistics(**dict.fromkeys(names, 2))
