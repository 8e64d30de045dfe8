"""`python -m service` is gunicorn with the service's file of settings; its options still win."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from tests.checkout import ROOT


def run(*options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service", *options],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_settings_come_from_the_file_and_options_win() -> None:
    done = run("--print-config", "--keep-alive", "77", TRANSLATOR_PORT="5077")
    assert done.returncode == 0, done.stderr
    settings = dict(re.findall(r"(?m)^(\w+) += (.+)$", done.stdout))
    assert settings["bind"] == "['127.0.0.1:5077']"
    assert settings["keepalive"] == "77"
    assert settings["wsgi_app"] == "service.wsgi:app"


def test_a_wrong_setting_is_one_line() -> None:
    done = run("--check-config", TRANSLATOR_PORT="many")
    assert done.returncode != 0
    [line] = done.stderr.splitlines()
    assert line.startswith("error: environment: TRANSLATOR_PORT: ")
