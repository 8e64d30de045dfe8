"""What is left out is said, and processes of the tests have ports of their own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests import running
from tests.checkout import ROOT
from tests.ports import FIRST, NUM_PORTS, free_port

SKIPPED = """
import pytest

@pytest.mark.skipif(True, reason="for chromium: apt-get install chromium")
@pytest.mark.parametrize("number", range(2))
def test_skipped(number): ...

def test_other():
    pytest.skip("for npm: apt-get install npm")
"""


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a folder as those of this project are run."""
    (folder / "conftest.py").write_text('pytest_plugins = ["running"]')
    shutil.copy(running.__file__, folder)
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), str(folder)]
    command += [f"--rootdir={folder}", "-p", "no:cacheprovider"]
    kept = {name: value for name, value in os.environ.items() if name != "CI"}
    kept = {name: value for name, value in kept.items() if not name.startswith("PYTEST_")}
    environment = {**kept, "PYTHONPATH": str(folder), **environment}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240
    )


def test_one_line_says_what_was_left_out_and_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "test_skipped.py").write_text(SKIPPED)
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout
    [said] = [line for line in done.stdout.splitlines() if line.startswith("left out")]
    assert said == (
        "left out: 2 (for chromium: apt-get install chromium); 1 (for npm: apt-get install npm)"
    )
    assert "3 skipped" in done.stdout.splitlines()[-1]


def test_continuous_integration_leaves_nothing_out(tmp_path: Path) -> None:
    (tmp_path / "test_skipped.py").write_text(SKIPPED)
    assert run(tmp_path, CI="true").returncode == 1
    (tmp_path / "test_skipped.py").write_text("def test_one(): ...")
    assert run(tmp_path, CI="true").returncode == 0


def test_each_process_has_ports_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw3")
    first = FIRST + 3 * NUM_PORTS
    port = free_port()
    assert first <= port < first + NUM_PORTS
    with socket.create_server(("127.0.0.1", port)):
        assert free_port() != port
