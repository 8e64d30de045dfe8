"""Code that is tested in a process of its own, because it looks at the whole process."""

from __future__ import annotations

import subprocess
import sys

from tests.checkout import ROOT


def run_alone(code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a new process; return what it says, or fail with its errors."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done
