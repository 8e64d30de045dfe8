"""Importing the entry point loads the model, or ends the server with one line."""

from __future__ import annotations

import gc
import os
import runpy
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from gunicorn.arbiter import Arbiter

import service

PATH = Path(service.__file__).with_name("wsgi.py")


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("TRANSLATOR_MODEL", "/nowhere", "error: /nowhere: no such model directory"),
        ("TRANSLATOR_DEVICE", "foo", "error: engine: device: 'foo' cannot be used"),
    ],
)
def test_a_worker_without_a_model_says_so_in_one_line_and_ends_the_server(
    capsys: pytest.CaptureFixture[str], variable: str, value: str, message: str
) -> None:
    with patch.dict(os.environ, {variable: value}), pytest.raises(SystemExit) as caught:
        runpy.run_path(str(PATH))
    assert caught.value.code == Arbiter.WORKER_BOOT_ERROR
    [line] = capsys.readouterr().err.splitlines()
    assert message in line


def test_a_worker_lets_no_thread_keep_the_engine_waiting_for_long() -> None:
    before = sys.getswitchinterval()
    try:
        with patch.dict(os.environ, {"TRANSLATOR_PRECISION": "float32"}):
            runpy.run_path(str(PATH))
        assert sys.getswitchinterval() < before
    finally:
        sys.setswitchinterval(before)
        gc.unfreeze()
