"""The command says which unit was chosen, and what is kept where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

from tests.cpu import NEEDS_INT8
from translator import jit
from translator.cli import info
from translator.cli.main import main
from translator.runtime import ahead

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit, "folder", lambda: tmp_path / "compiled")


def said(capsys: Capture) -> dict[str, str]:
    """Run the command; return what it says under each name."""
    assert main(["info"]) == 0
    pairs = (line.partition(":") for line in capsys.readouterr().out.splitlines())
    return {name: text.strip() for name, _, text in pairs}


@NEEDS_INT8
def test_the_unit_and_what_has_been_compiled_are_said(capsys: Capture, tmp_path: Path) -> None:
    from translator.runtime.kernels.unit import unit

    ahead.note_done("float32")
    found = said(capsys)
    assert found["vector unit"].startswith(f"{unit().name}, the best that this CPU has")
    assert found["compiled"] == f"float32; {tmp_path / 'compiled'}, 0.0 MB"


@NEEDS_INT8
def test_why_no_better_unit_was_chosen(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from translator.runtime.kernels import unit

    older = next(one for one in unit.UNITS if one.name == "avx2")
    monkeypatch.setattr(unit, "unit", lambda: older)
    monkeypatch.setattr(jit, "cpu_features", lambda: older.features)
    assert main(["info"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"vector unit: +avx2, the best", out)
    assert "not avx512-vnni: the CPU lacks avx512bw, avx512dq, avx512vl, avx512vnni" in out


def test_without_a_compiler_pytorch_translates(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
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
