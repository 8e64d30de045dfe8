"""`python -m service` is gunicorn with the service's file of settings; its options still win."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.checkout import ROOT
from tests.small_models import write_model


def run(*options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service", *options],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_settings_come_from_the_file_and_options_win(tmp_path: Path) -> None:
    # float32: a process that ends while int8 is being compiled may crash
    settings = {"TRANSLATOR_PORT": "5077", "TRANSLATOR_PRECISION": "float32"}
    settings["TRANSLATOR_MODEL"] = str(write_model(tmp_path / "model", "de-en"))
    done = run("--print-config", "--keep-alive", "77", **settings)
    assert done.returncode == 0, done.stderr
    found = dict(re.findall(r"(?m)^(\w+) += (.+)$", done.stdout))
    assert found["bind"] == "['127.0.0.1:5077']"
    assert found["keepalive"] == "77"
    assert found["wsgi_app"] == "service.wsgi:app"


def test_a_wrong_setting_is_one_line() -> None:
    done = run("--check-config", TRANSLATOR_PORT="many")
    assert done.returncode != 0
    [line] = done.stderr.splitlines()
    assert line.startswith("error: environment: TRANSLATOR_PORT: ")


def test_keys_are_a_command_of_their_own(tmp_path: Path) -> None:
    database = str(tmp_path / "keys")
    added = run("keys", "add", "someone", TRANSLATOR_DATABASE=database)
    assert added.returncode == 0, added.stderr
    listed = run("keys", "list", TRANSLATOR_DATABASE=database)
    assert listed.stdout.startswith(f"someone\t{added.stdout.partition('.')[0]}\t")
    assert run("keys", "remove", "nobody", TRANSLATOR_DATABASE=database).returncode == 1
