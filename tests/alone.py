"""Code that is tested in a process of its own, because it looks at the whole process."""

from __future__ import annotations

import subprocess
import sys

from tests.checkout import ROOT


def run_alone(code: str) -> None:
    """Run Python code in a new process; fail with what it says."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
