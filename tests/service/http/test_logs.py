"""What the log of a real server holds of malformed requests; test_month.py has all others."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.replicas import Replica, replicas
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
