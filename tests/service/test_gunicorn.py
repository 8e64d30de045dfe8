from __future__ import annotations

import os
import runpy
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from gunicorn.util import load_class

import service
from service.config import ServiceConfig
from service.worker.loop import BufferingWorker

PATH = Path(service.__file__).with_name("gunicorn.conf.py")
PATIENCE_S = 60
LARGE = 8 * 1024 * 1024


def run(environment: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the settings that the file makes, and the environment it leaves behind."""
    with patch.dict(os.environ, environment, clear=True):
        return runpy.run_path(str(PATH)), dict(os.environ)


def test_openmp_is_set_up_before_anything_that_may_load_torch() -> None:
    program = PATH.read_text()
    for variable in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_NUM_THREADS"):
        assert program.index(f'"{variable}"') < program.index("\nfrom service")


def test_openmp_sleeps_and_follows_the_threads_setting() -> None:
    _, environment = run({"TRANSLATOR_THREADS": "3"})
    assert environment["OMP_WAIT_POLICY"] == "PASSIVE"
    assert environment["GOMP_SPINCOUNT"] == "0"
    assert environment["OMP_NUM_THREADS"] == "3"
    _, environment = run({})
    assert environment["OMP_NUM_THREADS"] == "1"
    _, environment = run({"OMP_NUM_THREADS": "7", "OMP_WAIT_POLICY": "ACTIVE"})
    assert (environment["OMP_NUM_THREADS"], environment["OMP_WAIT_POLICY"]) == ("7", "ACTIVE")


def test_threads_outnumber_the_translations_in_progress() -> None:
    for limit in (1, ServiceConfig().concurrency_limit, 500):
        settings, _ = run({"TRANSLATOR_CONCURRENCY_LIMIT": str(limit)})
        assert settings["threads"] > limit


def test_settings_follow_the_environment() -> None:
    settings, _ = run({"TRANSLATOR_HOST": "::1", "TRANSLATOR_PORT": "8080"})
    assert settings["bind"] == "[::1]:8080"
    settings, _ = run({"TRANSLATOR_WORKERS": "2", "TRANSLATOR_GRACEFUL_TIMEOUT_S": "9"})
    assert settings["bind"] == "127.0.0.1:5000"
    assert (settings["workers"], settings["graceful_timeout"]) == (2, 9)
    assert settings["preload_app"] is settings["reuse_port"] is False
    assert settings["timeout"] < 15
    assert load_class(settings["worker_class"]) is BufferingWorker


def test_a_wrong_environment_ends_with_its_problems_and_no_traceback() -> None:
    with pytest.raises(SystemExit) as caught:
        run({"TRANSLATOR_PROT": "8080"})
    assert caught.value.code == (
        "error: environment: TRANSLATOR_PROT: unknown variable; did you mean TRANSLATOR_PORT?"
    )


def test_workers_share_a_folder_that_goes_with_the_server() -> None:
    settings, _ = run({})
    server = SimpleNamespace(master_pid=1)
    settings["on_starting"](server)
    folder = Path(server.own_folder)
    assert folder.stat().st_mode & 0o077 == 0
    with patch.dict(os.environ, {}, clear=True):
        settings["post_fork"](server, None)
        assert ServiceConfig.from_environment(os.environ).run_folder == str(folder)
    settings["on_exit"](server)
    assert not folder.exists()


def test_a_folder_that_is_given_stays(tmp_path: Path) -> None:
    settings, _ = run({"TRANSLATOR_RUN_FOLDER": str(tmp_path)})
    server = SimpleNamespace(master_pid=1)
    settings["on_starting"](server)
    with patch.dict(os.environ, {"TRANSLATOR_RUN_FOLDER": str(tmp_path)}, clear=True):
        settings["post_fork"](server, None)
        assert os.environ["TRANSLATOR_RUN_FOLDER"] == str(tmp_path)
    settings["on_exit"](server)
    assert tmp_path.exists()


def test_gunicorn_logs_as_the_service_does_and_requests_once() -> None:
    settings, _ = run({"TRANSLATOR_LOG_FORMAT": "json"})
    assert settings["accesslog"] is None
    assert "Json" in settings["logconfig_dict"]["formatters"]["generic"]["()"]


def test_a_folder_of_models_that_is_not_there_ends_the_start(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        run({"TRANSLATOR_MODELS": f"{tmp_path}:{tmp_path}/nowhere"})
    assert caught.value.code == f"error: {tmp_path}/nowhere: no such folder of models"


@pytest.mark.parametrize("has_models", [True, False])
def test_sighup_reaches_the_workers_only_if_there_are_models(
    tmp_path: Path, has_models: bool
) -> None:
    settings, _ = run({"TRANSLATOR_MODELS": str(tmp_path)} if has_models else {})
    sent, before = list[int](), signal.getsignal(signal.SIGHUP)
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        settings["when_ready"](SimpleNamespace(kill_workers=sent.append))
        os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert sent == ([signal.SIGHUP] if has_models else [])
