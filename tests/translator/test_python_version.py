"""A Python that is too old ends with one line, before it meets anything that it does not know."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from translator.python_version import require_python

ROOT = Path(__file__).parents[2]
READ_FIRST = [
    *("translator/__init__.py", "translator/python_version.py"),
    *("service/__init__.py", "training/__init__.py"),
]


@pytest.mark.parametrize("path", READ_FIRST)
def test_an_old_python_can_read_the_files_that_come_first(path: str) -> None:
    ast.parse((ROOT / path).read_text(encoding="utf-8"), feature_version=(3, 7))


@pytest.mark.parametrize("version", [(3, 7), (3, 10)])
def test_an_old_python_is_refused_in_one_line(version: tuple[int, int]) -> None:
    with pytest.raises(SystemExit) as caught:
        require_python(version)
    found = ".".join(map(str, version))
    assert caught.value.code == (
        f"error: Python 3.11 or newer is needed, and {sys.executable} is Python {found}; "
        "name a newer one, as in `make serve PYTHON=python3.11`"
    )


@pytest.mark.parametrize("version", [(3, 11), (3, 14), (4, 0)])
def test_newer_ones_are_not(version: tuple[int, int]) -> None:
    require_python(version)


@pytest.mark.parametrize("package", ["translator", "service", "training"])
def test_nothing_is_imported_before_the_check(package: str) -> None:
    code = (
        "import runpy, sys\n"
        "for name in ('dataclasses', 'flask', 'gunicorn', 'numpy', 'tomllib', 'torch'):\n"
        "    sys.modules[name] = None\n"
        "sys.version_info = (3, 9, 18)\n"
        f"runpy.run_module({package!r}, run_name='__main__')\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    [line] = done.stderr.splitlines()
    assert (done.returncode, line[:37]) == (1, "error: Python 3.11 or newer is needed")
