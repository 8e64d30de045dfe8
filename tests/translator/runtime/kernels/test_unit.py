"""Every vector unit that this CPU can run passes the kernels' tests and gives the same text."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.cpu import NEEDS_INT8
from translator import jit
from translator.errors import ConfigError
from translator.runtime.kernels import unit as module
from translator.runtime.kernels.unit import UNITS, VectorUnit, hold_to, possible_units, unit
from translator.runtime.support import kernels_are_possible

ROOT = Path(__file__).parents[4]
OTHERS = [one.name for one in UNITS]


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


def test_a_cpu_without_any_is_told_so(cpu_with: Mock) -> None:
    cpu_with.return_value = frozenset({"+sse2"})
    with pytest.raises(ConfigError, match="one of avx512-vnni, avx512, avx-vnni, avx2; take"):
        unit()
    assert not kernels_are_possible()


def test_one_that_is_not_there_cannot_be_held_to(cpu_with: Mock) -> None:
    cpu_with.return_value = frozenset({"+avx2", "+fma", "+f16c"})
    with pytest.raises(ConfigError, match="unit: sse is not known; choose one of avx512-vnni"):
        hold_to("sse")
    with pytest.raises(ConfigError, match="unit: this CPU has no avx512; it has avx2"):
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


@NEEDS_INT8
@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_the_kernels_of_each(name: str) -> None:
    """The tests of the kernels, and those of the model that look into its memory."""
    folder = "tests/translator/runtime"
    tests = [
        f"{folder}/kernels",
        f"{folder}/compiled/test_choice.py",
        f"{folder}/compiled/test_model.py",
    ]
    run(name, "-m", "pytest", *tests, f"--ignore={folder}/kernels/test_unit.py")


TRANSLATE = """
import os
from translator.runtime.kernels.unit import hold_to, unit
hold_to(os.environ["INT8_UNIT"])
assert unit().name == os.environ["INT8_UNIT"]
from translator import Translator
texts = ["Guten Morgen!", "Der Zug nach München fährt heute leider nicht.", "Zwei Hunde spielen."]
for precision in ("int8", "float32"):
    with Translator.load(precision=precision) as translator:
        for answer in translator.translate(texts, source="de", target="en", num_alternatives=2):
            print(answer.text, answer.alternatives, answer.score)
"""


@NEEDS_INT8
@pytest.mark.slow
def test_all_give_the_same_text_to_the_last_bit_of_its_score() -> None:
    texts = {run(name, "-c", TRANSLATE) for name in OTHERS}
    assert len(texts) == 1
    assert "Good morning!" in texts.pop()
