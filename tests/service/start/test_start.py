"""How the server starts: its command, its addresses, gunicorn's settings, the application."""

from __future__ import annotations

import gc
import importlib
import json
import logging
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from flask.testing import FlaskClient
from gunicorn.arbiter import Arbiter
from gunicorn.util import load_class

import service
from service.config import ServiceConfig
from service.http.logs import JsonFormatter
from service.http.streaming import ClientGone, raise_if_gone
from service.openapi import VERSION
from service.operations.fetcher import FAILED
from service.start import checks, models
from service.start.checks import make_run_folder, require_addresses, require_room
from service.worker.loop import BufferingWorker
from tests.checkout import ROOT
from tests.disk import small_disk
from tests.ports import free_port
from tests.service.conftest import FakeTranslator, make_app
from tests.small_models import write_model
from tests.waiting import wait_until
from translator.detection.detector import Detector
from translator.errors import ConfigError


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


def test_help_and_version_are_the_services_own() -> None:
    said = run("--help")
    assert (said.returncode, said.stderr) == (0, "")
    assert "keys" in said.stdout
    assert "--check-config" in said.stdout
    assert run("--version").stdout == f"translator {VERSION}\n"


def test_a_start_that_fails_is_a_line_of_json_where_all_are() -> None:
    for variables in ({"TRANSLATOR_PORT": "many"}, {"TRANSLATOR_RUN_FOLDER": "/dev/null"}):
        done = run("--log-level", "warning", TRANSLATOR_LOG_FORMAT="json", **variables)
        [line] = [json.loads(line) for line in done.stderr.splitlines()]
        assert line["level"] == "CRITICAL"
        assert next(iter(variables)).removeprefix("TRANSLATOR_").lower() in line["message"].lower()


def test_a_server_that_stops_while_a_worker_fails_to_start_says_why_and_no_more() -> None:
    variables = {"TRANSLATOR_DEVICE": "nothing", "TRANSLATOR_PORT": str(free_port())}
    server = subprocess.Popen(
        [sys.executable, "-m", "service", "--log-level", "warning"],
        cwd=ROOT,
        env={**os.environ, **variables},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None
    first = server.stderr.readline()
    server.send_signal(signal.SIGSTOP)  # so that it learns of both at the same time
    proc = Path("/proc")
    [worker] = (proc / f"{server.pid}/task/{server.pid}/children").read_text().split()
    wait_until(lambda: (proc / worker / "stat").read_text().split()[2] == "Z")
    server.send_signal(signal.SIGTERM)
    server.send_signal(signal.SIGCONT)
    _, others = server.communicate()
    assert first.startswith("error: engine: device: 'nothing' cannot be used")
    [line] = others.splitlines()
    assert re.search(r"ERROR Worker \(pid:\d+\) exited with code 3", line)
    assert server.returncode == 0


def test_keys_are_a_command_of_their_own(tmp_path: Path) -> None:
    database = str(tmp_path / "keys")
    done = run("keys", "remove", "nobody", TRANSLATOR_DATABASE=database)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")


def listening() -> tuple[socket.socket, int]:
    held = socket.create_server(("127.0.0.1", 0))
    return held, held.getsockname()[1]


def require(host: str, port: int, master_pid: int = 0) -> None:
    """Try an address as a server does that starts."""
    cfg = SimpleNamespace(address=[(host, port), "unix.sock"], check_config=False)
    require_addresses(SimpleNamespace(master_pid=master_pid, cfg=cfg))


def test_a_port_in_use_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "STOPPING_S", 0)
    held, port = listening()
    expected = f"port {port} is in use by another program; stop that one, or set TRANSLATOR_PORT"
    with held, pytest.raises(ConfigError, match=expected):
        require("127.0.0.1", port)


def test_a_server_that_is_stopping_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "STOPPING_S", 60)
    held, port = listening()
    closing = threading.Timer(0.3, held.close)
    closing.start()
    require("127.0.0.1", port)
    closing.join()


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_a_host_that_is_not_this_machine_is_named(host: str) -> None:
    with pytest.raises(ConfigError, match=rf"cannot listen at {host}:5000 \(.+TRANSLATOR_HOST"):
        require(host, 5000)


def test_sockets_that_are_taken_over_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    held, port = listening()
    with held:
        require("127.0.0.1", port, master_pid=7)
        monkeypatch.setenv("LISTEN_FDS", "1")
        require("127.0.0.1", port)


START, CHECK = ("--log-level", "warning"), ("--check-config",)
FOLDER, NOWHERE = (
    "error: environment: TRANSLATOR_RUN_FOLDER: /dev/null",
    {"TRANSLATOR_MODEL": "/nowhere"},
)
AWAY, TEMPORARY = {"TRANSLATOR_HOST": "192.0.2.1"}, "--worker-tmp-dir /nowhere"


@pytest.mark.parametrize(
    ("options", "variables", "message"),
    [
        (START, AWAY, "error: address: cannot listen at 192.0.2.1:5000"),
        (CHECK, AWAY, "error: address: cannot listen at 192.0.2.1:5000"),
        (START, NOWHERE, "error: /nowhere: no such model directory"),
        (CHECK, NOWHERE, "error: /nowhere: no such model directory"),
        (START, {"TRANSLATOR_RUN_FOLDER": "/dev/null"}, f"{FOLDER}: File exists; name a folder"),
        (CHECK, {"TRANSLATOR_RUN_FOLDER": "/dev/null/x"}, f"{FOLDER}/x: Not a directory; name a"),
        (
            START,
            {"GUNICORN_CMD_ARGS": TEMPORARY},
            "error: service: /nowhere: No such file or directory; let TMPDIR name one",
        ),
        (
            CHECK,
            {"TRANSLATOR_LANGUAGES": "pt", "TRANSLATOR_REGISTRY": "/nowhere"},
            "error: TRANSLATOR_REGISTRY: /nowhere: no such folder",
        ),
    ],
)
def test_a_server_that_cannot_start_says_so_last_and_once_and_so_does_a_check(
    options: tuple[str, ...], variables: dict[str, str], message: str
) -> None:
    done = run(*options, **variables)
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith(message)


def test_a_server_that_shall_be_replaced_does_not_fail_a_check(tmp_path: Path) -> None:
    held, port = listening()
    settings = {"TRANSLATOR_PORT": str(port), "TRANSLATOR_PRECISION": "float32"}
    settings["TRANSLATOR_MODEL"] = str(write_model(tmp_path / "model", "de-en"))
    with held:
        done = run("--check-config", **settings, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    [line] = done.stderr.splitlines()
    assert f" WARNING address: port {port} is in use by another program; stop that" in line
    assert [path.name for path in tmp_path.iterdir()] == ["model"], "nothing is left behind"


def test_a_check_warns_of_what_a_start_would_do_without_and_says_that_it_can(
    tmp_path: Path,
) -> None:
    away = f"redis://127.0.0.1:{free_port()}"
    done = run(
        "--check-config",
        TRANSLATOR_PORT=str(free_port()),
        TRANSLATOR_PRECISION="float32",
        TRANSLATOR_MODELS=str(write_model(tmp_path / "model", "de-en")),
        TRANSLATOR_HOME=str(tmp_path),
        TRANSLATOR_LANGUAGES="de all deutsch zt xx",
        TRANSLATOR_REGISTRY="http://127.0.0.1:9",
        TRANSLATOR_PIVOT="english",
        TRANSLATOR_API_KEYS="optional",
        TRANSLATOR_KEYS_STORAGE=away,
        TRANSLATOR_RATE_LIMIT="5 per day",
        TRANSLATOR_RATE_LIMIT_STORAGE=away,
        LT_CHAR_LIMIT="5",
    )
    assert (done.returncode, done.stdout) == (0, "the server can start\n"), done.stderr
    lines = [line.partition(" WARNING ")[2] for line in done.stderr.splitlines()]
    warnings = [line for line in lines if line and not line.startswith(FAILED)]
    for line, start in zip(
        warnings,
        (
            "not read: LT_CHAR_LIMIT (here TRANSLATOR_CHAR_LIMIT); docs/coming",
            "TRANSLATOR_LANGUAGES: no language has the code 'deutsch'",
            "TRANSLATOR_LANGUAGES: no language has the code 'xx'",
            "TRANSLATOR_PIVOT: no language has the code 'english'",
            "only keys seen before are good while the storage is away: ",
            "rate_limit_storage does not answer; each worker counts by itself",
        ),
        strict=True,
    ):
        assert line.startswith(start)


def check_at_home(home: Path) -> subprocess.CompletedProcess[str]:
    """Check the settings of a server that is to download models into `home`."""
    return run(
        "--check-config",
        TRANSLATOR_PORT=str(free_port()),
        TRANSLATOR_PRECISION="float32",
        TRANSLATOR_HOME=str(home),
        TRANSLATOR_LANGUAGES="fr",
        TRANSLATOR_REGISTRY="http://127.0.0.1:9",
    )


def test_a_check_writes_nothing_where_models_are_kept(tmp_path: Path) -> None:
    done = check_at_home(tmp_path / "home")
    assert (done.returncode, done.stdout) == (0, "the server can start\n"), done.stderr
    assert not (tmp_path / "home").exists()
    (tmp_path / "home" / "models").mkdir(parents=True)
    assert check_at_home(tmp_path / "home").returncode == 0
    assert [*(tmp_path / "home" / "models").iterdir()] == []


def test_a_check_says_once_that_no_models_can_be_downloaded(tmp_path: Path) -> None:
    (tmp_path / "models").touch()  # root may write into any folder
    done = check_at_home(tmp_path)
    assert (done.returncode, done.stdout) == (0, "the server can start\n"), done.stderr
    [line] = [line for line in done.stderr.splitlines() if " INFO " not in line]
    expected = f" ERROR {tmp_path}/models: Not a directory; no models can be downloaded"
    assert line.endswith(expected)


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


CONFIG_FILE = Path(service.__file__).with_name("gunicorn.conf.py")


def run_gunicorn(environment: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the settings that the file makes, and the environment it leaves behind."""
    with patch.dict(os.environ, environment, clear=True):
        return runpy.run_path(str(CONFIG_FILE)), dict(os.environ)


def test_openmp_is_set_up_before_anything_that_may_load_torch() -> None:
    program = CONFIG_FILE.read_text()
    for variable in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_NUM_THREADS"):
        assert program.index(f'"{variable}"') < program.index("\nfrom service")


def test_openmp_sleeps_and_follows_the_threads_setting() -> None:
    _, environment = run_gunicorn({"TRANSLATOR_THREADS": "3"})
    assert environment["OMP_WAIT_POLICY"] == "PASSIVE"
    assert environment["GOMP_SPINCOUNT"] == "0"
    assert environment["OMP_NUM_THREADS"] == "3"
    _, environment = run_gunicorn({})
    assert environment["OMP_NUM_THREADS"] == "1"
    _, environment = run_gunicorn({"OMP_NUM_THREADS": "7", "OMP_WAIT_POLICY": "ACTIVE"})
    assert (environment["OMP_NUM_THREADS"], environment["OMP_WAIT_POLICY"]) == ("7", "ACTIVE")


@pytest.mark.parametrize("threads", ["0", "many"])
def test_a_wrong_number_of_threads_is_one_line(
    monkeypatch: pytest.MonkeyPatch, threads: str
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    [line] = run("--check-config", TRANSLATOR_THREADS=threads).stderr.splitlines()
    assert line.startswith("error: environment: TRANSLATOR_THREADS: must be")


def test_threads_outnumber_the_translations_in_progress() -> None:
    for limit in (1, ServiceConfig().concurrency_limit, 500):
        settings, _ = run_gunicorn({"TRANSLATOR_CONCURRENCY_LIMIT": str(limit)})
        assert settings["threads"] > limit


def test_settings_follow_the_environment() -> None:
    settings, _ = run_gunicorn({"TRANSLATOR_HOST": "::1", "TRANSLATOR_PORT": "8080"})
    assert settings["bind"] == "[::1]:8080"
    assert run_gunicorn({"TRANSLATOR_HOST": "[::1]"})[0]["bind"] == "[::1]:5000"
    settings, _ = run_gunicorn({"TRANSLATOR_WORKERS": "2", "TRANSLATOR_GRACEFUL_TIMEOUT_S": "9"})
    assert settings["bind"] == "127.0.0.1:5000"
    assert (settings["workers"], settings["graceful_timeout"]) == (2, 9)
    assert settings["preload_app"] is settings["reuse_port"] is False
    assert settings["timeout"] < 15
    assert load_class(settings["worker_class"]) is BufferingWorker


def test_a_wrong_environment_ends_with_its_problems_and_no_traceback() -> None:
    with pytest.raises(SystemExit) as caught:
        run_gunicorn({"TRANSLATOR_PROT": "8080"})
    assert caught.value.code == (
        "error: environment: TRANSLATOR_PROT: unknown variable; did you mean TRANSLATOR_PORT?"
    )


OTHER = SimpleNamespace(app_uri="other:app")


def test_workers_share_a_folder_that_goes_with_the_server() -> None:
    settings, _ = run_gunicorn({})
    server = SimpleNamespace(master_pid=1, cfg=SimpleNamespace(worker_tmp_dir=None), app=OTHER)
    settings["on_starting"](server)
    folder = Path(server.own_folder)
    assert folder.stat().st_mode & 0o077 == 0
    with patch.dict(os.environ, {}, clear=True):
        settings["post_fork"](server, None)
        assert ServiceConfig.from_environment(os.environ).run_folder == str(folder)
    settings["on_exit"](server)
    assert not folder.exists()


def test_a_folder_that_is_given_stays(tmp_path: Path) -> None:
    settings, _ = run_gunicorn({"TRANSLATOR_RUN_FOLDER": str(tmp_path)})
    server = SimpleNamespace(master_pid=1, cfg=SimpleNamespace(worker_tmp_dir=None), app=OTHER)
    settings["on_starting"](server)
    with patch.dict(os.environ, {"TRANSLATOR_RUN_FOLDER": str(tmp_path)}, clear=True):
        settings["post_fork"](server, None)
        assert os.environ["TRANSLATOR_RUN_FOLDER"] == str(tmp_path)
    settings["on_exit"](server)
    assert tmp_path.exists()


def test_a_full_disk_is_told_before_the_start(tmp_path: Path) -> None:
    with small_disk(1000), pytest.raises(ConfigError, match=r"RUN_FOLDER: .*: File too large; "):
        require_room(tmp_path)


def test_a_machine_without_room_for_temporary_files_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    with (
        small_disk(0),
        pytest.raises(ConfigError, match=r"TRANSLATOR_RUN_FOLDER: no temporary folder \(No us"),
    ):
        make_run_folder()


def test_a_server_that_was_killed_leaves_its_folder_to_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    program = (
        "from service.start.checks import make_run_folder as m; print(m(), flush=True); input()"
    )

    def server() -> tuple[subprocess.Popen[str], Path]:
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        return process, Path(process.stdout.readline().strip())

    (killed, left), (living, kept) = server(), server()
    (left / "letter.txt").write_text("of someone")
    killed.kill()
    killed.communicate()
    own = make_run_folder()
    assert {*tmp_path.iterdir()} == {kept, own}
    living.communicate("\n")


def test_gunicorn_logs_as_the_service_does_and_requests_once() -> None:
    settings, _ = run_gunicorn({"TRANSLATOR_LOG_FORMAT": "json"})
    assert settings["accesslog"] is None
    assert settings["logconfig_dict"]["formatters"]["generic"]["()"] is JsonFormatter


def test_a_folder_of_models_that_is_not_there_ends_the_start(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        run_gunicorn({"TRANSLATOR_MODELS": f"{tmp_path}:{tmp_path}/nowhere"})
    assert caught.value.code == f"error: {tmp_path}/nowhere: no such folder of models"


def test_a_model_that_must_not_be_read_ends_the_start_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may read all
    with pytest.raises(SystemExit) as caught:
        run_gunicorn({"TRANSLATOR_MODEL": str(tmp_path)})
    assert caught.value.code == (
        f"error: {tmp_path}: the user that runs the server may not read it"
    )
    error = PermissionError(13, "Permission denied", "config.json")
    with (
        patch("service.start.models.load_translator", side_effect=error),
        pytest.raises(SystemExit),
    ):
        runpy.run_path(str(PATH))
    [line] = capsys.readouterr().err.splitlines()
    assert line == "error: [Errno 13] Permission denied: 'config.json'"


@pytest.mark.parametrize("has_models", [True, False])
def test_sighup_reaches_the_workers_only_if_there_are_models(
    tmp_path: Path, has_models: bool
) -> None:
    settings, _ = run_gunicorn({f"TRANSLATOR_MODEL{'S' * has_models}": str(tmp_path)})
    sent, before = list[int](), signal.getsignal(signal.SIGHUP)
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        other = SimpleNamespace(app_uri="other:app")
        settings["when_ready"](SimpleNamespace(kill_workers=sent.append, app=other))
        os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert sent == ([signal.SIGHUP] if has_models else [])


@pytest.mark.parametrize("application", ["service.wsgi:app", "other:app"])
def test_the_parent_loads_what_its_workers_share(
    application: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, _ = run_gunicorn({})
    imported, prepared = list[str](), list[ServiceConfig]()

    def import_module(name: str) -> object:
        imported.append(name)
        return SimpleNamespace(prepare=prepared.append)

    monkeypatch.setattr(importlib, "import_module", import_module)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    server = SimpleNamespace(app=SimpleNamespace(app_uri=application))
    is_ours = application == "service.wsgi:app"
    settings["when_ready"](server)
    assert ("service.start.app" in imported) == is_ours
    assert "service.wsgi" not in imported, "a worker makes the application"
    assert len(prepared) == is_ours
    settings["on_reload"](server)
    assert len(prepared) == 2 * is_ours, "the model may be another one now"


def test_a_model_that_cannot_be_loaded_is_left_to_the_workers_to_say(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Detector, "load", lambda _: None)
    models.prepare(ServiceConfig(model=str(tmp_path)))
    assert models._prepared is None


def test_limits_reach_flask(translator: FakeTranslator) -> None:
    app = make_app(translator, ServiceConfig(max_body_bytes=77, max_form_bytes=55))
    assert app.config["MAX_CONTENT_LENGTH"] == 77
    assert app.config["MAX_FORM_MEMORY_SIZE"] == 55


def test_two_applications_are_independent() -> None:
    first, second = FakeTranslator(), FakeTranslator()
    apps = [make_app(first), make_app(second)]
    first.is_alive = False
    assert [app.test_client().get("/health").status_code for app in apps] == [503, 200]


def test_json_escapes_what_utf8_cannot_carry(translator: FakeTranslator) -> None:
    app = make_app(translator)
    assert app.json.dumps({"b": "ü\ud800", "a": 1}) == '{"a": 1, "b": "ü\\ud800"}'


@pytest.mark.parametrize(
    "path", ["/", "/languages", "/nowhere", "/static/css/base.css", "/translate"]
)
def test_every_answer_says_what_browsers_may_do_with_it(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        headers = answer.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; ")
    assert headers["X-Request-ID"]


@pytest.mark.parametrize("sent", [b"", b"GET /health HTTP/1.1\r\n"])
def test_an_open_connection_and_a_closed_one(sent: bytes) -> None:
    server_end, client_end = socket.socketpair()
    with server_end, client_end:
        client_end.sendall(sent)
        raise_if_gone(server_end)
        client_end.close()
        with pytest.raises(ClientGone):
            raise_if_gone(server_end)
        assert server_end.recv(100) == sent, "nothing has been read"


def test_a_client_that_has_finished_sending_is_taken_for_gone() -> None:
    server_end, client_end = socket.socketpair()
    with server_end, client_end:
        client_end.shutdown(socket.SHUT_WR)
        with pytest.raises(ClientGone):
            raise_if_gone(server_end)


def test_a_server_that_does_not_tell_the_connection() -> None:
    raise_if_gone(None)
