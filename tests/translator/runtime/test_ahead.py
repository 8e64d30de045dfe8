"""A child compiles once, keeps what it makes, and outlives who has started it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cpu import NEEDS_INT8
from translator import jit
from translator.runtime import ahead

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(jit, "folder", lambda: tmp_path / "compiled")
    return tmp_path / "compiled"


def test_what_is_done_is_noted_for_each_precision(folder: Path) -> None:
    assert not ahead.is_done("int8")
    ahead.note_done("int8")
    assert ahead.is_done("int8")
    assert not ahead.is_done("float32")
    assert len(list(folder.iterdir())) == 1


def test_it_is_done_for_one_cpu_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead.note_done("int8")
    monkeypatch.setattr(jit, "cpu_features", lambda: frozenset({"+made-up"}))
    assert not ahead.is_done("int8")


def test_it_is_done_for_one_copy_of_the_sources_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead.note_done("int8")
    monkeypatch.setattr(jit, "__file__", "/elsewhere/translator/jit.py")
    assert not ahead.is_done("int8")


def test_without_a_folder_nothing_is_noted_and_no_child_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jit, "folder", lambda: None)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("started"))
    ahead.note_done("int8")
    assert not ahead.is_done("int8")
    ahead.compile_elsewhere("int8")


def test_the_child_is_told_where_the_package_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def run(command: list[str], env: dict[str, str], **how: object) -> None:
        seen.append((command, how["start_new_session"]))
        assert str(ROOT) in env["PYTHONPATH"].split(os.pathsep)

    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.setattr(subprocess, "run", run)
    ahead.compile_elsewhere("float32")
    assert seen == [([sys.executable, "-m", "translator.runtime.ahead", "float32"], True)]


def test_who_comes_second_compiles_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def compile_here(precision: str) -> None:
        calls.append(precision)
        ahead.note_done(precision)

    monkeypatch.setattr(ahead, "compile_here", compile_here)
    monkeypatch.setattr(os, "nice", lambda _: 0)
    assert ahead.main(["int8"]) == ahead.main(["int8"]) == 0
    assert calls == ["int8"]


@NEEDS_INT8
@pytest.mark.slow
def test_a_first_translation_does_not_wait_and_a_second_process_finds_all_compiled(
    tmp_path: Path,
) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "translator", "translate", "Guten Morgen!"]

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert not done.stderr
        return done.stdout

    assert "Good morning" in run(*command)
    found = list(tmp_path.rglob("int8-*"))
    assert not found, "the child should still be at work"
    run(sys.executable, "-m", "translator.runtime.ahead", "int8")
    assert len(list(tmp_path.rglob("int8-*"))) == 1
    assert "Good morning" in run(*command)
