"""gunicorn with the worker and a small application, as a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.checkout import ROOT
from tests.ports import free_port
from tests.serving import serving

TIMEOUT_S = 60
LARGE = 8 * 1024 * 1024

APPLICATION = """
import os, time
from pathlib import Path
from service.http.streaming import raise_if_gone

HERE = Path(__file__).parent
time.sleep(float(os.environ.get("LOADING_S", "0")))

def parts(environ):
    try:
        yield b"first"
        while not (HERE / "go").exists():
            raise_if_gone(environ["gunicorn.socket"])
            time.sleep(0.01)
        yield b"second"
    finally:
        (HERE / "ended").touch()

def answer(environ, start_response):
    path, status = environ["PATH_INFO"], "200 OK"
    if path == "/health" and (HERE / "ill").exists():
        status = "503 Service Unavailable"
    if path == "/hold":
        (HERE / "started").touch()
        while not (HERE / "go").exists():
            time.sleep(0.01)
    if path == "/parts":
        start_response(status, [("Content-Type", "text/plain")])
        return parts(environ)
    if path == "/file":
        start_response(status, [("Content-Length", str((HERE / "file").stat().st_size))])
        return environ["wsgi.file_wrapper"]((HERE / "file").open("rb"))
    body = environ["wsgi.input"].read()
    large = (HERE / "file").read_bytes()
    answers = {"/large": large, "/echo": body, "/pid": str(os.getpid()).encode()}
    answer = answers.get(path, b"ok")
    counts = environ.get("translator.worker.counts")
    headers = [("Content-Length", str(len(answer))), ("Access-Control-Allow-Origin", "*")]
    headers.append(("X-Scheme", environ["wsgi.url_scheme"]))
    start_response(status, [*headers, ("X-Counts", str(counts))])
    return [answer]

app = answer
"""

SETTINGS = """
from service.worker.loop import BufferingWorker, Phase

class Worker(BufferingWorker):
    timeouts_s = {
        **BufferingWorker.timeouts_s,
        Phase.HEAD: %(head_s)s,
        Phase.SENDING: %(sending_s)s,
        Phase.LINGERING: %(lingering_s)s,
    }
    loading_s = %(loading_s)s
    max_held_bytes = %(held_bytes)s
    ill_s = 1.0

worker_class = Worker
threads = 4
timeout = 2
control_socket_disable = True
worker_connections = %(connections)s
"""


FAKED = """
from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app
{program}
app.test_client().post("/detect", json={{"q": "Hallo"}})  # loads the detector
"""


@contextmanager
def serving_app(folder: Path, program: str) -> Iterator[str]:
    """Serve the `app` that a program makes, with the service's own worker; yield its address."""
    (folder / "served_app.py").write_text(FAKED.format(program=program))
    with serving(folder / "log", f"--pythonpath={ROOT},{folder}", "served_app:app") as port:
        yield f"http://127.0.0.1:{port}"


class Server:
    """gunicorn with the worker and the small application."""

    def __init__(self, folder: Path, *options: str, loads_s: float = 0, **settings: object) -> None:
        (folder / "small.py").write_text(APPLICATION)
        defaults = {"head_s": 30, "sending_s": 30, "lingering_s": 2, "loading_s": 30}
        defaults |= {"connections": 1000, "held_bytes": 2**26}
        (folder / "settings.py").write_text(SETTINGS % {**defaults, **settings})
        (folder / "file").write_bytes(bytes(LARGE))
        self.folder, self.log = folder, folder / "log"
        self.connections: list[socket.socket] = []
        self.port = free_port()
        command = [sys.executable, "-m", "gunicorn", "--config", str(folder / "settings.py")]
        command += [f"--bind=127.0.0.1:{self.port}", f"--log-file={self.log}", *options]
        self.process = subprocess.Popen(
            [*command, f"--pythonpath={folder}", "small:app"],
            cwd=ROOT,
            env={**os.environ, "TRANSLATOR_MAX_BODY_BYTES": "100000", "LOADING_S": str(loads_s)},
        )

    def connect(self) -> socket.socket:
        """Return a new connection, which ends with the server at the latest."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT_S)
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
            assert self.process.wait(TIMEOUT_S) == 0
        finally:
            self.process.kill()


def read_all(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)
