"""The worker under gunicorn is replaced when it hangs or is ill, and breaks nothing off."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.service.server import TIMEOUT_S, Server, read_all
from tests.waiting import wait_until


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


def test_a_worker_that_loads_ends_at_once(serve: Callable[..., Server]) -> None:
    server = serve("--graceful-timeout=3600", is_awaited=False, loads_s=600)
    wait_until(lambda: server.log.exists() and has(server.log, "Booting worker"))
    time.sleep(1)  # the worker is about to load
    server.process.terminate()
    assert server.process.wait(TIMEOUT_S) == 0
    assert not has(server.log, "SIGKILL")


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
    assert server.process.wait(TIMEOUT_S) == 0


def test_sighup_replaces_the_worker_and_answers_everyone(serve: Callable[..., Server]) -> None:
    server = serve()
    old = server.worker()
    server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: server.worker() != old)  # raises if a connection is refused or broken
    assert not has(server.log, "WORKER TIMEOUT")


def test_a_worker_is_replaced_after_so_many_requests(serve: Callable[..., Server]) -> None:
    server = serve("--max-requests=5")
    old = server.worker()
    wait_until(lambda: server.worker() != old)


def test_a_server_may_listen_at_a_unix_socket_as_well(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve(f"--bind=unix:{tmp_path}/socket")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"{tmp_path}/socket")
        connection.sendall(b"GET / HTTP/1.0\r\nX-Forwarded-Proto: https\r\n\r\n")
        answer = read_all(connection)
    assert answer.endswith(b"\r\n\r\nok")
    assert b"X-Scheme: https" in answer
    assert server.is_well()


def test_a_worker_alone_does_not_end_at_sighup(serve: Callable[..., Server]) -> None:
    server = serve()
    worker = server.worker()
    os.kill(worker, signal.SIGHUP)
    for _ in range(3):
        assert server.worker() == worker


def test_with_another_protocol_the_worker_is_a_plain_gthread(serve: Callable[..., Server]) -> None:
    server = serve("--proxy-protocol=v1")
    answer = server.ask(
        b"PROXY TCP4 192.0.2.1 127.0.0.1 1 2\r\nGET /echo HTTP/1.1\r\nConnection: close\r\n\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert has(server.log, "put a reverse proxy in front")
