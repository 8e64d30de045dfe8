"""What the logs of a real server, and of nginx in front of it, hold of requests."""

from __future__ import annotations

import json
import os
import random
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.access.keys import KeyStore
from tests.checkout import ROOT
from tests.replicas import Replica, nginx, nginx_program, replicas
from tests.serving import serving
from tests.small_models import write_model

CHUNKED = b"POST /translate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
MALFORMED = [
    b"GET /translate?q=geheim mit Leerzeichen HTTP/1.1\r\nHost: x\r\n\r\n",
    b"n&x=geheim HTTP/1.1\r\nHost: x\r\n\r\n",
    b"geheim\r\n\r\n",
    b"GET /?api_key=geheim HTTP/geheim\r\n\r\n",
    b"GET / HTTP/9.9\r\nX: geheim\r\n\r\n",
    b"G(T /?q=geheim HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nge(heim: geheim\r\n\r\n",
    b"GET / HTTP/1.1\r\ngeheim\r\n\r\n",
    b"GET / HTTP/1.1\r\nX: geheim\0\r\n\r\n",
    b"GET / HTTP/1.1\r\nX: a\r\n geheim\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: geheim\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\ngeheim",
    b"POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 6\r\n\r\ngeheim",
    b"POST / HTTP/1.1\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\ngeheim",
    b"POST / HTTP/1.1\r\nTransfer-Encoding: geheim\r\n\r\n",
    b"POST / HTTP/1.1\r\nExpect: geheim\r\n\r\n",
    b"GET /" + b"geheim" * 2000 + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nX: " + b"geheim" * 2000 + b"\r\n\r\n",
    CHUNKED + b"\r\ngeheim\r\ngeheim\r\n0\r\n\r\n",
    CHUNKED + b"Content-Type: application/json\r\n\r\n3\r\ngeheim\r\n0\r\n\r\n",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """Return the port of a server, and the file that has its whole output."""
    folder = tmp_path_factory.mktemp("logs")
    settings = {
        "TRANSLATOR_MODEL": str(write_model(folder / "model", "de-en")),
        "TRANSLATOR_PRECISION": "float32",
    }
    with replicas(folder, 1, settings) as [running]:
        assert isinstance(running, Replica)
        yield running.port, folder / "replica-0.log"


def answer(port: int, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_malformed_requests_leave_their_kind_in_the_log_and_nothing_else(
    server: tuple[int, Path],
) -> None:
    port, log = server
    assert len(MALFORMED) == 20
    answers = [answer(port, request) for request in MALFORMED]
    said = log.read_text()
    assert "Malformed request: invalid" in said
    assert "geheim" not in said.lower()
    assert "127.0.0.1" not in said.replace(f"http://127.0.0.1:{port}", "")
    assert "Traceback" not in said
    wrong = [one[:60] for one in answers if not one.startswith((b"HTTP/1.1 4", b"HTTP/1.1 501"))]
    assert wrong == []
    assert not any(b"geheim" in one for one in answers)
    ids = re.findall(rb"(?i)\r\nX-Request-ID: ([0-9a-f]{32})\r\n", b"".join(answers))
    assert len({*ids}) == len(MALFORMED)
    assert any(f"Malformed request: invalid header, id {name.decode()}" in said for name in ids)


APPLICATION = """
from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app
from service.observe import logs
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
@pytest.mark.slow
def test_no_log_has_anything_of_five_hundred_ordinary_and_five_hundred_hostile_requests(
    tmp_path: Path,
) -> None:
    (tmp_path / "logged_app.py").write_text(APPLICATION)
    store = KeyStore(tmp_path / "keys")
    key = store.add("someone")
    environment = {
        **os.environ,
        "TRANSLATOR_LOG_FORMAT": "json",
        "TRANSLATOR_DATABASE": str(tmp_path / "keys"),
        "TRANSLATOR_API_KEYS": "optional",
        "TRANSLATOR_SUGGESTIONS_LIMIT": "10",
        "TRANSLATOR_RATE_LIMIT": "300 per hour",
        "TRANSLATOR_TRUSTED_PROXIES": "1",
    }
    generator = random.Random(57)
    arguments = (f"--pythonpath={ROOT},{tmp_path}", "logged_app:app")
    with (
        serving(tmp_path / "service.log", *arguments, environment=environment) as port,
        nginx(tmp_path, [port]) as proxy,
    ):
        for number in range(500):
            if number == 400:
                (tmp_path / "keys").unlink()
            for make in (ordinary, hostile):
                entrance = generator.choice([port, proxy])
                send(entrance, make(generator, key), make is ordinary)
    said = (tmp_path / "nginx.log").read_text()
    with nginx(tmp_path, [port]) as proxy:  # the service is gone
        for make in (ordinary, hostile) * 10:
            send(proxy, make(generator, key), make is ordinary)
    said += (tmp_path / "service.log").read_text() + (tmp_path / "nginx.log").read_text()
    assert said.count("/translate") > 100
    for text in (SECRET, key, key.partition(".")[2], CLIENT):
        assert text not in said
    assert "Traceback" not in said
