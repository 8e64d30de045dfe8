"""The tests run side by side, but for those that want to be alone."""

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

BEGIN = """
import time
from pathlib import Path

import pytest

ME = Path(__file__).with_suffix(".runs")

def num_running(seconds, enough=99):
    ME.touch()
    end_s, count = time.monotonic() + seconds, 1
    while time.monotonic() < end_s and count < enough:
        count = len([*ME.parent.glob("*.runs")])
        time.sleep(0.01)
    ME.unlink()
    return count
"""
TOGETHER = (
    BEGIN
    + """
def test_together():
    assert num_running(60, enough=2) == 2
"""
)
COMPANY = (
    BEGIN
    + """
@pytest.mark.parametrize("number", range(4))
def test_company(number):
    num_running(0.2)
"""
)
ALONE = (
    BEGIN
    + """
@pytest.mark.alone
@pytest.mark.parametrize("number", range(2))
def test_alone(number):
    assert num_running(0.2) == 1
"""
)
SKIPPED = """
import pytest

@pytest.mark.skipif(True, reason="for chromium: apt-get install chromium")
@pytest.mark.parametrize("number", range(2))
def test_skipped(number): ...

def test_other():
    pytest.skip("for npm: apt-get install npm")
"""


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a folder as those of this project are run, but with locks of their own."""
    (folder / "conftest.py").write_text('pytest_plugins = ["running"]')
    shutil.copy(running.__file__, folder)
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), str(folder)]
    command += [f"--rootdir={folder}", "-p", "no:cacheprovider", *arguments]
    kept = {name: value for name, value in os.environ.items() if name != "CI"}
    kept = {name: value for name, value in kept.items() if not name.startswith("PYTEST_")}
    environment = {**kept, "PYTHONPATH": str(folder), **environment}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240
    )


def test_tests_run_side_by_side(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"test_{name}.py").write_text(TOGETHER)
    done = run(tmp_path, "-n", "2", "--dist", "loadfile")
    assert done.returncode == 0, done.stdout


def test_a_test_that_is_alone_waits_for_all_others_and_they_for_it(tmp_path: Path) -> None:
    for name, code in {"a": COMPANY, "b": COMPANY, "c": ALONE}.items():
        (tmp_path / f"test_{name}.py").write_text(code)
    done = run(tmp_path, "-n", "3", "--dist", "loadfile")
    assert done.returncode == 0, done.stdout


def test_a_test_that_runs_tests_does_not_wait_for_itself(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "test_alone.py").write_text(ALONE)
    command = f'[sys.executable, "-m", "pytest", "-c", {str(ROOT / "pyproject.toml")!r}, '
    command += f'"-p", "no:cacheprovider", {str(inner)!r}]'
    (tmp_path / "test_outer.py").write_text(
        "import subprocess, sys\n"
        f"def test_outer():\n    subprocess.run({command}, check=True, timeout=200)\n"
    )
    done = run(tmp_path, "--ignore", str(inner))
    assert done.returncode == 0, done.stdout


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
