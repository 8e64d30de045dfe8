"""Every vector unit that this CPU can run computes the same, and gives the same text."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.cpu import NEEDS_INT8
from tests.units import hold_to, units_to_hold_to
from translator import jit
from translator.errors import ConfigError
from translator.runtime.kernels import unit as module
from translator.runtime.kernels.unit import UNITS, VectorUnit, possible_units, unit

ROOT = Path(__file__).parents[4]
HERE = [one.name for one in units_to_hold_to()]


@pytest.fixture
def cpu_with(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mock]:
    """Yield a mock that takes the features of a CPU to stand in for the one at hand."""
    monkeypatch.setattr(module, "_held", [])
    found = Mock()
    monkeypatch.setattr(jit, "cpu_features", found)
    unit.cache_clear()
    yield found
    unit.cache_clear()


@pytest.mark.parametrize("one", UNITS, ids=lambda one: one.name)
def test_each_is_chosen_where_there_is_no_better_one(one: VectorUnit, cpu_with: Mock) -> None:
    cpu_with.return_value = one.features | {"+sse2"}
    assert unit() is one
    for feature in one.features:
        unit.cache_clear()
        cpu_with.return_value = one.features - {feature}
        assert one not in possible_units()


def test_a_cpu_that_is_not_known_takes_what_llvm_chooses(cpu_with: Mock) -> None:
    cpu_with.return_value = frozenset({"+sse2"})
    assert [one.name for one in possible_units()] == ["generic"]
    assert unit().name == "generic"


@pytest.mark.parametrize(
    ("features", "expected"),
    [
        ({"+avx2", "+fma", "+f16c"}, ["avx2", "generic"]),
        ({"+avx512f", "+avx512dq", "+avx512bw", "+avx512vl"}, ["avx512", "generic"]),
        ({"+neon", "+dotprod"}, ["neon-dotprod", "neon", "generic"]),
        ({"+neon", "+sve"}, ["neon", "generic"]),
    ],
)
def test_a_cpu_is_held_to_what_it_has(
    features: set[str], expected: list[str], cpu_with: Mock
) -> None:
    cpu_with.return_value = frozenset(features)
    assert [one.name for one in units_to_hold_to()] == expected


def test_what_is_compiled_for_a_unit_uses_nothing_else(
    cpu_with: Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Mock()
    monkeypatch.setattr(jit, "hold_to", held)
    vnni = {"+avx512vnni", "+avx512f", "+avx512dq", "+avx512bw", "+avx512vl"}
    cpu_with.return_value = frozenset({"+avx2", "+fma", "+f16c", "+sse4.2", *vnni})
    hold_to("avx-vnni")
    stand_in = {"+avx512f", "+avx512vl", "+avx512vnni"}
    held.assert_called_once_with({"+avx2", "+fma", "+f16c", "+sse4.2", *stand_in})
    hold_to("generic")
    held.assert_called_with({"+sse4.2"})
    assert unit().name == "generic"


def test_one_that_is_not_there_cannot_be_held_to(cpu_with: Mock) -> None:
    cpu_with.return_value = frozenset({"+avx2", "+fma", "+f16c"})
    with pytest.raises(ConfigError, match="unit: sse is not known; choose one of avx512-vnni"):
        hold_to("sse")
    with pytest.raises(ConfigError, match="unit: this CPU has no avx512; it has avx2, generic"):
        hold_to("avx512")


def run(name: str, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "INT8_UNIT": name},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


TRANSLATE = """
import os
from tests.units import hold_to
from translator.runtime.kernels.unit import unit
if name := os.environ["INT8_UNIT"]:
    hold_to(name)
    assert unit().name == name
from translator import Translator
texts = ["Guten Morgen!", "Der Zug nach München fährt heute leider nicht.", "Zwei Hunde spielen."]
for precision in ("int8", "float32"):
    with Translator.load(precision=precision) as translator:
        for answer in translator.translate(texts, source="de", target="en", num_alternatives=2):
            print(answer.text, answer.alternatives, answer.score)
"""


@NEEDS_INT8
@pytest.mark.slow
@pytest.mark.parametrize("name", HERE)
def test_each_passes_the_tests_and_gives_the_same_text_to_the_last_bit_of_its_score(
    name: str,
) -> None:
    """Layers of odd sizes are tested by themselves; a translation takes everything else."""
    if name != unit().name:  # which runs these tests already, wherever they run
        run(name, "-m", "pytest", "tests/translator/runtime/kernels/test_products.py")
    held, own = run(name, "-c", TRANSLATE), run("", "-c", TRANSLATE)
    assert held == own
    assert "Good morning!" in own
