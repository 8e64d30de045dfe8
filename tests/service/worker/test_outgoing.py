"""Answers go out as far as the client reads; the rest waits, and comes whole and in order."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.worker import outgoing as module
from service.worker.outgoing import MAX_UNSENT_BYTES, Outgoing

LARGE = bytes(range(256)) * 4000  # more than a socket takes at once, less than may be unsent


@pytest.fixture
def ends() -> Iterator[tuple[Outgoing, socket.socket]]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.settimeout(10)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    outgoing = Outgoing(ours)
    yield outgoing, theirs
    outgoing.close()
    theirs.close()


def read(outgoing: Outgoing, theirs: socket.socket, num_bytes: int) -> bytes:
    received = b""
    while len(received) < num_bytes:
        received += theirs.recv(65536)
        outgoing.flush()
    return received


def test_what_the_client_does_not_take_waits_in_order(
    ends: tuple[Outgoing, socket.socket], tmp_path: Path
) -> None:
    outgoing, theirs = ends
    assert len(LARGE) < MAX_UNSENT_BYTES
    (tmp_path / "file").write_bytes(LARGE[::-1])
    outgoing.sendall(b"")
    assert outgoing.is_empty
    outgoing.sendall(LARGE)
    assert 0 < outgoing.unsent_bytes < len(LARGE)
    with (tmp_path / "file").open("rb") as file:
        assert outgoing.sendfile(file, 1000, 5000) == 5000
        assert outgoing.sendfile(file, 10) == len(LARGE) - 10
    outgoing.sendall(b"end")
    expected = LARGE + LARGE[::-1][1000:6000] + LARGE[::-1][10:] + b"end"
    assert read(outgoing, theirs, len(expected)) == expected
    assert (outgoing.is_empty, outgoing.unsent_bytes) == (True, 0)


def test_a_client_that_reads_nothing_of_much_is_given_up(
    ends: tuple[Outgoing, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 0.01)
    with pytest.raises(BrokenPipeError, match="the client reads its answer too slowly"):
        ends[0].sendall(bytes(3 * MAX_UNSENT_BYTES))


def test_a_file_that_becomes_shorter_breaks_the_answer_off(
    ends: tuple[Outgoing, socket.socket], tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    with (
        (tmp_path / "file").open("rb") as file,
        pytest.raises(BrokenPipeError, match="a file became shorter"),
    ):
        ends[0].sendfile(file, 0, 4)


def test_closing_forgets_what_is_unsent_and_100_continue_of_gunicorn_is_dropped(
    ends: tuple[Outgoing, socket.socket], tmp_path: Path
) -> None:
    outgoing, theirs = ends
    assert outgoing.send(b"HTTP/1.1 100 Continue\r\n\r\n") == 25
    assert (outgoing.is_empty, outgoing.gettimeout()) == (True, 0.0)
    (tmp_path / "file").write_bytes(LARGE)
    outgoing.sendall(LARGE)
    with (tmp_path / "file").open("rb") as file:
        outgoing.sendfile(file)
    outgoing.close()
    assert (outgoing.is_empty, outgoing.unsent_bytes, outgoing.fileno()) == (True, 0, -1)
    theirs.close()
