from __future__ import annotations

import gc
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from gunicorn.arbiter import Arbiter
from gunicorn.util import load_class

import service
from service.config import ServiceConfig
from service.worker.loop import BufferingWorker
from tests.waiting import wait_until

PATH = Path(service.__file__).with_name("gunicorn.conf.py")
PATIENCE_S = 60
LARGE = 8 * 1024 * 1024

APPLICATION = """
import os, time
from pathlib import Path

HERE = Path(__file__).parent
time.sleep(float(os.environ.get("LOADING_S", "0")))

def app(environ, start_response):
    path, status = environ["PATH_INFO"], "200 OK"
    if path == "/health" and (HERE / "ill").exists():
        status = "503 Service Unavailable"
    if path in ("/translate", "/hold"):
        (HERE / "started").touch()
        while not (HERE / "go").exists():
            time.sleep(0.01)
    if path == "/file":
        start_response(status, [("Content-Length", str((HERE / "file").stat().st_size))])
        return environ["wsgi.file_wrapper"]((HERE / "file").open("rb"))
    body = environ["wsgi.input"].read()
    large = (HERE / "file").read_bytes()
    answers = {"/large": large, "/echo": body, "/pid": str(os.getpid()).encode()}
    answer = answers.get(path, b"ok")
    counts = environ.get("translator.worker.counts")
    headers = [("Content-Length", str(len(answer))), ("Access-Control-Allow-Origin", "*")]
    start_response(status, [*headers, ("X-Counts", str(counts))])
    return [answer]
"""

SETTINGS = """
from service.worker.loop import BufferingWorker
from service.worker.waiting import Phase

class Worker(BufferingWorker):
    timeouts_s = {**BufferingWorker.timeouts_s, Phase.HEAD: %(head_s)s}
    loading_s = %(loading_s)s
    max_held_bytes = %(held_bytes)s
    ill_s = 1.0

worker_class = Worker
threads = 4
timeout = 2
control_socket_disable = True
worker_connections = %(connections)s
"""


class Server:
    """gunicorn with the worker and the small application."""

    def __init__(self, folder: Path, *options: str, loads_s: float = 0, **settings: object) -> None:
        (folder / "small.py").write_text(APPLICATION)
        defaults = {"head_s": 30, "loading_s": 30, "connections": 1000, "held_bytes": 2**26}
        (folder / "settings.py").write_text(SETTINGS % {**defaults, **settings})
        (folder / "file").write_bytes(bytes(LARGE))
        self.folder, self.log = folder, folder / "log"
        self.connections: list[socket.socket] = []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [sys.executable, "-m", "gunicorn", "--config", str(folder / "settings.py")]
        command += [f"--bind=127.0.0.1:{self.port}", f"--log-file={self.log}", *options]
        self.process = subprocess.Popen(
            [*command, f"--pythonpath={folder}", "small:app"],
            cwd=PATH.parents[1],
            env={
                **os.environ,
                "TRANSLATOR_CONCURRENCY_LIMIT": "2",
                "TRANSLATOR_MAX_BODY_BYTES": "100000",
                "LOADING_S": str(loads_s),
            },
        )

    def connect(self) -> socket.socket:
        """Return a new connection, which ends with the server at the latest."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)
        self.connections.append(connection)
        return connection

    def ask(self, request: bytes) -> bytes:
        """Send bytes, return all that comes until the server closes."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_all(connection)

    def get(self, path: str) -> bytes:
        return self.ask(b"GET %s HTTP/1.1\r\nConnection: close\r\n\r\n" % path.encode())

    def is_well(self) -> bool:
        try:
            return self.get("/").endswith(b"\r\n\r\nok")
        except OSError:
            return False

    def worker(self) -> int:
        return int(self.get("/pid").rpartition(b"\r\n")[2])

    def stop(self) -> None:
        (self.folder / "go").touch()
        for connection in self.connections:
            connection.close()
        self.process.terminate()
        try:
            assert self.process.wait(PATIENCE_S) == 0
        finally:
            self.process.kill()


def read_all(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


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
        runpy.run_path(str(PATH.with_name("wsgi.py")))
    assert caught.value.code == Arbiter.WORKER_BOOT_ERROR
    [line] = capsys.readouterr().err.splitlines()
    assert message in line


def test_a_worker_lets_no_thread_keep_the_engine_waiting_for_long() -> None:
    before = sys.getswitchinterval()
    try:
        with patch.dict(os.environ, {"TRANSLATOR_PRECISION": "float32"}):
            runpy.run_path(str(PATH.with_name("wsgi.py")))
        assert sys.getswitchinterval() < before
    finally:
        sys.setswitchinterval(before)
        gc.unfreeze()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def start(*options: str, is_awaited: bool = True, **settings: Any) -> Server:
        servers.append(Server(tmp_path, *options, **settings))
        if is_awaited:
            wait_until(servers[0].is_well)
        return servers[0]

    yield start
    for server in servers:
        server.stop()


def has(log: Path, text: str) -> bool:
    return text in log.read_text()


def replaced(server: Server, old: int) -> bool:
    return server.is_well() and server.worker() != old


def test_a_worker_that_hangs_is_replaced_soon(serve: Callable[..., Server]) -> None:
    server = serve()
    old = server.worker()
    os.kill(old, signal.SIGSTOP)
    wait_until(lambda: has(server.log, "WORKER TIMEOUT"))
    wait_until(lambda: replaced(server, old))


def test_a_worker_may_load_for_longer_than_it_may_hang(serve: Callable[..., Server]) -> None:
    server = serve(loads_s=4)
    assert not has(server.log, "WORKER TIMEOUT")


def test_a_worker_may_not_load_for_ever(serve: Callable[..., Server]) -> None:
    server = serve(is_awaited=False, loads_s=600, loading_s=1)
    wait_until(lambda: server.log.exists() and has(server.log, "WORKER TIMEOUT"))


def test_a_worker_whose_application_is_ill_is_replaced(serve: Callable[..., Server]) -> None:
    server = serve()
    old = server.worker()
    (server.folder / "ill").touch()
    wait_until(lambda: has(server.log, "The application has been ill"))
    (server.folder / "ill").unlink()
    wait_until(lambda: replaced(server, old))


def test_a_server_that_stops_ends_what_runs_and_begins_nothing(
    serve: Callable[..., Server],
) -> None:
    server = serve()
    idle, running = server.connect(), server.connect()
    running.sendall(b"GET /hold HTTP/1.1\r\n\r\n")
    wait_until((server.folder / "started").exists)
    server.process.terminate()
    assert idle.recv(1) == b"", "the worker has begun to stop"
    with pytest.raises(ConnectionRefusedError):
        server.connect()
    (server.folder / "go").touch()
    assert read_all(running).endswith(b"\r\n\r\nok")
    assert server.process.wait(PATIENCE_S) == 0


def test_sighup_replaces_the_worker_and_answers_everyone(serve: Callable[..., Server]) -> None:
    server = serve()
    old = server.worker()
    server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: server.worker() != old)  # raises if a connection is refused or broken
    assert not has(server.log, "WORKER TIMEOUT")


def test_with_another_protocol_the_worker_is_a_plain_gthread(serve: Callable[..., Server]) -> None:
    server = serve("--proxy-protocol=v1")
    answer = server.ask(
        b"PROXY TCP4 192.0.2.1 127.0.0.1 1 2\r\nGET /echo HTTP/1.1\r\nConnection: close\r\n\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert has(server.log, "put a reverse proxy in front")
