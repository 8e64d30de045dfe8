"""`python -m translator` as a process of its own."""

from __future__ import annotations

import subprocess
import sys


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "translator", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_help_names_every_command() -> None:
    answer = run("--help")
    assert answer.returncode == 0
    assert answer.stdout.startswith("usage: python -m translator")
    assert all(name in answer.stdout for name in ("translate", "bulk", "attention", "convert"))


def test_the_exit_code_is_that_of_the_command() -> None:
    answer = run("translate", "--model", "/nowhere", "Der Hund.")
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr == "error: /nowhere: no such model directory\n"


def test_a_wrong_use_is_one_line() -> None:
    answer = run("translate", "--source", "de")
    assert answer.returncode == 2
    assert answer.stderr.count("\n") == 1
    assert answer.stderr.startswith("error: unrecognized arguments: --source")
