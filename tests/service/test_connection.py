"""Who is gone, and who is only silent or ahead."""

from __future__ import annotations

import socket

import pytest

from service.connection import ClientGone, raise_if_gone


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
