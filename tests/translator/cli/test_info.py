"""The command says which unit was chosen, what is kept where, and how fast the machine is."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
import torch

from tests.cpu import NEEDS_INT8
from translator import jit
from translator.cli import info
from translator.cli.info import median_seconds
from translator.cli.main import main
from translator.runtime import ahead


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(info, "median_seconds", lambda work, repeats: 0.268435456 / 12.34)
    monkeypatch.setattr(jit, "folder", lambda: tmp_path / "compiled")


def said(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Run the command; return what it says under each name."""
    assert main(["info"]) == 0
    pairs = (line.partition(":") for line in capsys.readouterr().out.splitlines())
    return {name: text.strip() for name, _, text in pairs}


@NEEDS_INT8
def test_what_has_not_been_compiled_is_not_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from translator.runtime.kernels.unit import unit

    found = said(capsys)
    assert found["vector unit"].startswith(f"{unit().name}, the best that this CPU has")
    assert found["compiled"] == f"nothing yet; {tmp_path / 'compiled'}, 0.0 MB"
    assert found["int8"] == found["float32"] == "not measured, since nothing is compiled for it yet"
    assert found["memory"] == "12.3 GB/s are read by one thread"


@NEEDS_INT8
def test_what_has_been_compiled_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from translator.cli import kernel_rate

    ahead.note_done("float32")
    monkeypatch.setattr(kernel_rate, "multiply_adds_per_s", lambda _: 41.6e9)
    found = said(capsys)
    assert found["compiled"].startswith("float32; ")
    assert found["float32"] == "42 billion multiply-adds a second by one thread"
    assert found["int8"].startswith("not measured")


@NEEDS_INT8
def test_why_no_better_unit_was_chosen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from translator.runtime.kernels import unit

    older = next(one for one in unit.UNITS if one.name == "avx2")
    monkeypatch.setattr(unit, "unit", lambda: older)
    monkeypatch.setattr(jit, "cpu_features", lambda: older.features)
    assert main(["info"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"vector unit: +avx2, the best", out)
    assert "not avx512-vnni: the CPU lacks avx512bw, avx512dq, avx512vl, avx512vnni" in out


def test_without_a_compiler_pytorch_translates(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "compiles", lambda: False)
    found = said(capsys)
    assert (
        found["vector unit"] == "none: Numba cannot compile here, so PyTorch translates in float32"
    )
    assert found["Python"].endswith("Numba not installed, or switched off")


def test_the_machine_is_described_on_one_line() -> None:
    found = info.describe()
    assert "\n" not in found
    assert found.endswith(f"cores, torch {torch.__version__}")


def test_the_median_leaves_the_first_call_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, cost_s = [0.0], iter([9.0, 1.0, 5.0, 2.0])

    def work() -> None:
        now_s[0] += next(cost_s)

    monkeypatch.setattr(time, "perf_counter", lambda: now_s[0])
    assert median_seconds(work, 3) == 2
