"""`python -m training` as a process of its own."""

from __future__ import annotations

import subprocess
import sys


def test_the_exit_code_is_that_of_the_command() -> None:
    command = [sys.executable, "-m", "training", "report", "/nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: /nowhere: holds no recipe.toml")
    assert done.stderr.count("\n") == 1
