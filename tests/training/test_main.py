"""`python -m training` as a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from training.__main__ import main


def test_the_exit_code_is_that_of_the_command() -> None:
    command = [sys.executable, "-m", "training", "report", "/nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: /nowhere: holds no recipe.toml")
    assert done.stderr.count("\n") == 1


def test_an_interruption_while_pytorch_loads_is_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "training.cli", raising=False)
    monkeypatch.setattr("builtins.__import__", interrupted)
    assert main() == 130
