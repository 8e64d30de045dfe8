"""Importing the entry point loads the model, or ends the server with one line."""

from __future__ import annotations

import gc
import logging
import os
import runpy
import shutil
import signal
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from gunicorn.arbiter import Arbiter

import service
from tests.small_models import write_model
from tests.waiting import wait_until

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


def test_models_are_listed_at_the_start_and_again_at_sighup(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_model(tmp_path / "de-en", "de-en")
    settings = {"TRANSLATOR_MODELS": str(tmp_path), "TRANSLATOR_LOG_FORMAT": "plain"}
    before, interval = signal.getsignal(signal.SIGHUP), sys.getswitchinterval()
    try:
        with patch.dict(os.environ, settings):
            found = runpy.run_path(str(PATH))
        client = found["app"].test_client()
        assert [one["code"] for one in client.get("/languages").json] == ["de", "en"]
        write_model(tmp_path / "en-fr", "en-fr")
        os.kill(os.getpid(), signal.SIGHUP)
        wait_until(lambda: len(client.get("/languages").json) == 3)
        [german, *_] = client.get("/languages").json
        assert german["targets"] == ["de", "en", "fr"], "French is reached through English"
        for folder in tmp_path.iterdir():
            shutil.rmtree(folder)
        with caplog.at_level(logging.ERROR):
            os.kill(os.getpid(), signal.SIGHUP)
            wait_until(lambda: "the list of models stays as it is" in caplog.text)
        assert len(client.get("/languages").json) == 3
    finally:
        signal.signal(signal.SIGHUP, before)
        sys.setswitchinterval(interval)
        gc.unfreeze()


def test_a_folder_without_models_says_so_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with patch.dict(os.environ, {"TRANSLATOR_MODELS": str(tmp_path)}), pytest.raises(SystemExit):
        runpy.run_path(str(PATH))
    [line] = capsys.readouterr().err.splitlines()
    assert line == f"error: no model can be used: {tmp_path}: no model directory there"
