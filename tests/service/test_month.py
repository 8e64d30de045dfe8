"""A month of a server with nginx in front and a Redis behind: what it logs, and how it stops.

What else the month has is tested where it belongs: a replica that is killed in test_replicas.py,
limits and links behind nginx in test_nginx.py, keys without their store in access/, and starts that
fail in test_start.py.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import time
from pathlib import Path

import pytest
import requests

from service.access.keys import open_keys
from service.config import ServiceConfig
from tests.checkout import ROOT
from tests.cpu import NEEDS_INT8
from tests.replicas import Replica, nginx, nginx_program
from tests.service.http.test_logs import MALFORMED
from tests.service.redis_server import Redis
from tests.serving import is_healthy, serving
from tests.small_models import write_model
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

APPLICATION = """
from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app
from service.http import logs
import os

config = ServiceConfig.from_environment(os.environ)
logs.configure(config.log_format)
app = make_app(FakeTranslator(), config)
app.test_client().post("/detect", json={"q": "Hallo"})  # loads the detector
"""
CLIENT = "127.0.0.77"
SECRET = "geheim"
JSON_HEAD = "Host: x\r\nContent-Type: application/json\r\n"


def ordinary(generator: random.Random, key: str) -> bytes:
    """Return a request as clients send them, some of them wrong."""
    path = generator.choice(["/translate", "/detect", "/v2/translate", "/suggest", f"/{SECRET}"])
    fields = {"q": f"{SECRET} {generator.random()}", "source": "de", "target": "en", "api_key": key}
    if generator.random() < 0.3:
        fields["target"] = generator.choice([SECRET, "", "de"])
    if generator.random() < 0.3:
        path += f"?q={SECRET}&api_key={key}&source=de&target=en"
    body = json.dumps(fields).encode()
    head = f"POST {path} HTTP/1.1\r\n{JSON_HEAD}Content-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n\r\n".encode() + body


def hostile(generator: random.Random, key: str) -> bytes:
    """Return a request with some of its bytes changed, left out or doubled."""
    request = bytearray(generator.choice([*MALFORMED, ordinary(generator, key)])[:3000])
    for _ in range(generator.randint(1, 4)):
        at = generator.randrange(len(request))
        replacement = [b"", bytes([generator.randrange(256)]), b" ", b"\r\n", b"%"]
        request[at : at + generator.randint(0, 3)] = generator.choice(replacement)
    return bytes(request)


def send(port: int, request: bytes, is_whole: bool) -> None:
    with socket.create_connection(("127.0.0.1", port), 60, source_address=(CLIENT, 0)) as one:
        try:
            one.sendall(request)
            if not is_whole:
                one.shutdown(socket.SHUT_WR)
            while one.recv(65536):
                pass
        except OSError:  # it is closed before all has been sent
            return


@pytest.mark.skipif(nginx_program() is None, reason="apt-get install nginx")
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="apt-get install redis-server")
def test_no_log_has_anything_of_five_hundred_ordinary_and_five_hundred_hostile_requests(
    tmp_path: Path,
) -> None:
    (tmp_path / "logged_app.py").write_text(APPLICATION)
    redis = Redis(password="kennwort")
    config = {
        "TRANSLATOR_API_KEYS": "optional",
        "TRANSLATOR_DATABASE": str(tmp_path / "service.sqlite3"),
        "TRANSLATOR_KEYS_STORAGE": redis.url,
        "TRANSLATOR_LOG_FORMAT": "json",
        "TRANSLATOR_METRICS": "on",
        "TRANSLATOR_RATE_LIMIT": "300 per hour",
        "TRANSLATOR_RATE_LIMIT_STORAGE": redis.url,
        "TRANSLATOR_SUGGESTIONS_LIMIT": "10",
        "TRANSLATOR_TRUSTED_PROXIES": "1",
    }
    store = open_keys(ServiceConfig.from_environment(config))
    key = store.add("someone")
    generator = random.Random(57)
    arguments = (f"--pythonpath={ROOT},{tmp_path}", "logged_app:app")
    environment = {**os.environ, **config}
    with (
        serving(tmp_path / "service.log", *arguments, environment=environment) as port,
        nginx(tmp_path, [port]) as proxy,
    ):
        for number in range(500):
            if number == 200:
                redis.stop()
            if number == 300:
                missing = requests.get(f"http://127.0.0.1:{port}/ready", timeout=60).json()
                assert missing["missing"] == ["API keys"]
                redis.start()
            if number == 400:
                (tmp_path / "service.sqlite3").unlink()
            for make in (ordinary, hostile):
                entrance = generator.choice([port, proxy])
                send(entrance, make(generator, key), make is ordinary)
        shown = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=60).text
    redis.stop()
    said = shown + (tmp_path / "nginx.log").read_text()
    with nginx(tmp_path, [port]) as proxy:  # the service is gone
        for make in (ordinary, hostile) * 10:
            send(proxy, make(generator, key), make is ordinary)
    said += (tmp_path / "service.log").read_text() + (tmp_path / "nginx.log").read_text()
    assert said.count("/translate") > 100
    for text in (SECRET, key, key.partition(".")[2], CLIENT, "kennwort"):
        assert text not in said
    assert "Traceback" not in said


def compilers(folder: Path) -> list[int]:
    """Return the processes that compile into a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            environment, command = (path / "environ").read_bytes(), (path / "cmdline").read_bytes()
        except OSError:
            continue
        if str(folder).encode() in environment and b"translator.runtime.ahead" in command:
            found.append(int(path.name))
    return found


@NEEDS_INT8
def test_no_stop_crashes_or_waits_while_models_load_and_the_engine_compiles(tmp_path: Path) -> None:
    log, compiled = tmp_path / "log", tmp_path / "compiled"
    environment = {
        "NUMBA_CACHE_DIR": str(compiled),
        "TRANSLATOR_GRACEFUL_TIMEOUT_S": "3600",  # who waits for it does not end in time
        "TRANSLATOR_MODEL": str(write_model(tmp_path / "model", "de-en")),
    }
    generator = random.Random(12)
    try:
        for number in range(16):
            log.write_text("")
            server = Replica(log, environment)
            wait_until(lambda: "Booting worker" in log.read_text())
            if number % 2:
                wait_until(lambda server=server: is_healthy(server.port))  # type: ignore[misc]
            time.sleep(generator.uniform(0, 6))
            assert server.is_running
            server.stop()
            said = log.read_text()
            assert server.exit_code == 0, said
            for sign in ("LLVM", "SIGSEGV", "SIGABRT", "SIGKILL", "Traceback", "Fatal"):
                assert sign not in said
    finally:
        for pid in compilers(compiled):
            os.kill(pid, signal.SIGKILL)
