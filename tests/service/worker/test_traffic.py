"""Connections to a worker with a small application: rude clients, framing, hand-overs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from tests.service.server import LARGE, TIMEOUT_S, Server, read_all
from tests.waiting import wait_until

RUDE = {
    "half a head": b"POST /translate HTTP/1.1\r\nHost: x\r\nX-Slow: a",
    "slow body": b"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000000\r\n\r\na",
    "nothing": b"",
    "unread answer": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 200,
}
AMBIGUOUS = [
    b"Content-Length: 4\r\nTransfer-Encoding: chunked",
    b"Content-Length: 4\r\nContent-Length: 5",
    b"Content-Length: +4",
    b"Content-Length: 4, 4",
    b"Content-Length : 4",
    b"Content-Length: 4\r\n folded",
    b"Transfer-Encoding: identity, chunked",
    b"Transfer-Encoding: gzip",
    b"Transfer-Encoding: \x0bchunked",
    b"X: a\nContent-Length: 4",
    b"X: a\rContent-Length: 4",
    b"no colon",
]


def post(path: str, body: bytes, *fields: bytes) -> bytes:
    lines = [f"POST {path} HTTP/1.1".encode(), *fields, b"Content-Length: %d" % len(body)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    wait_until(running.is_well)
    yield running
    running.stop()


def test_rude_clients_hold_no_thread(serve: Callable[..., Server]) -> None:
    server = serve(head_s=600)  # nobody is thrown out meanwhile
    rude = [server.connect() for _ in range(25) for _ in RUDE]
    for connection, sent in zip(rude, [*RUDE.values()] * 25, strict=True):
        connection.sendall(sent)
    assert all(server.is_well() for _ in range(20))


def test_rude_clients_are_thrown_out(serve: Callable[..., Server]) -> None:
    server = serve(head_s=1, sending_s=1)
    half_head, silent, reads_nothing = [server.connect() for _ in range(3)]
    half_head.sendall(RUDE["half a head"])
    reads_nothing.sendall(b"GET /large HTTP/1.1\r\n\r\n")
    assert read_all(half_head).startswith(b"HTTP/1.1 408 ")
    assert read_all(silent) == b""
    wait_until(lambda: b"connections=1," in server.get("/"))
    with suppress(ConnectionError):
        assert len(read_all(reads_nothing)) < LARGE


def test_requests_sent_ahead_wait_until_answers_are_read(serve: Callable[..., Server]) -> None:
    server = serve(held_bytes=2 * LARGE)
    ahead = server.connect()
    ahead.sendall(b"GET /large HTTP/1.1\r\n\r\n" * 9 + b"GET / HTTP/1.0\r\n\r\n")
    for _ in range(3):
        assert b"dropped=0" in server.get("/")
    answers = read_all(ahead)
    assert (answers.count(b"HTTP/1.1 200 OK"), len(answers) // LARGE) == (9, 9)
    assert answers.endswith(b"\r\n\r\nok")


def test_a_file_that_becomes_shorter_breaks_the_answer_off(serve: Callable[..., Server]) -> None:
    server = serve()
    with server.connect() as connection:
        connection.sendall(b"GET /file HTTP/1.1\r\n\r\n")
        assert connection.recv(12) == b"HTTP/1.1 200"
        os.truncate(server.folder / "file", 1000)
        assert len(read_all(connection)) < LARGE
    assert server.is_well()


def test_a_head_that_is_too_long_is_refused(server: Server) -> None:
    fields = b"".join(b"X-%d: %s\r\n" % (number, bytes(8000)) for number in range(9))
    fields = fields.replace(b"\0", b"x")
    answer = server.ask(b"GET / HTTP/1.1\r\n" + fields)
    assert answer.startswith(b"HTTP/1.1 431 ")
    assert b"the head has more than 65536 bytes; send the text in the body" in answer
    assert b'"limit": 65536' in answer
    answer = server.ask(b"GET / HTTP/1.1\r\nX: " + b"x" * 9000 + b"\r\n\r\n")
    assert b'"error": "a header has more than 8190 bytes; ' in answer
    for line in (b"GET /?q=" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", b"GET /?q=" + b"x" * 70_000):
        answer = server.ask(line)
        assert answer.startswith(b"HTTP/1.1 414 ")
        assert b'"code": "too_large_head"' in answer
        assert re.search(rb'its query string, has more than (\d+) bytes; .*"limit": \1}', answer)


@pytest.mark.parametrize(("field", "scheme"), [("Forwarded-Proto", "https"), ("Other", "http")])
def test_a_proxy_says_that_its_clients_use_https(server: Server, field: str, scheme: str) -> None:
    lines = f"GET / HTTP/1.0\r\nX-{field}: https\r\n\r\n"
    assert f"\r\nX-Scheme: {scheme}\r\n".encode() in server.ask(lines.encode())


def test_too_many_connections_close_those_that_wait_longest(serve: Callable[..., Server]) -> None:
    server = serve(connections=50)
    rude = [server.connect() for _ in range(150)]
    assert server.is_well()
    rude[0].settimeout(TIMEOUT_S)
    assert rude[0].recv(1) == b""
    rude[-1].sendall(b"GET / HTTP/1.0\r\n\r\n")
    assert read_all(rude[-1]).endswith(b"ok")


def test_too_many_long_bodies_are_refused_and_short_ones_are_not(
    serve: Callable[..., Server],
) -> None:
    server = serve(held_bytes=200_000)
    rude = [server.connect() for _ in range(5)]
    for connection in rude:
        connection.sendall(post("/echo", bytes(90_000))[:-1])
    answer = read_all(rude[0])
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2]) == {
        **dict.fromkeys(("error", "message"), "the server is reading too many long requests"),
        "code": "busy",
    }
    assert b"\r\nRetry-After: 1\r\n" in answer
    assert b"\r\nAccess-Control-Allow-Origin: *" in answer
    assert server.ask(post("/echo", b"short", b"Connection: close")).endswith(b"short")
    rude[-1].sendall(b"\0")
    assert rude[-1].recv(12) == b"HTTP/1.1 200"


def test_requests_one_after_the_other_on_one_connection(server: Server) -> None:
    chunked = b"POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunked += b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Sum: 1\r\n\r\n"
    last = post("/echo", b"last", b"Connection: close")
    requests = post("/echo", b"first") + chunked + b"GET / HTTP/1.1\r\n\r\n" + last
    answer = server.ask(requests)
    assert re.findall(rb"\r\n\r\n(first|abcde|ok|last)", answer) == [
        b"first",
        b"abcde",
        b"ok",
        b"last",
    ]
    with server.connect() as connection:
        for byte in range(len(requests)):
            connection.sendall(requests[byte : byte + 1])
        assert read_all(connection).count(b"HTTP/1.1 200 OK") == 4


def test_100_continue_is_sent_once_and_before_the_body(server: Server) -> None:
    head, _, body = post("/echo", b"body", b"Expect: 100-continue", b"Connection: close").partition(
        b"\r\n\r\n"
    )
    with server.connect() as connection:
        connection.sendall(head + b"\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert read_all(connection).startswith(b"HTTP/1.1 200 OK")
    assert server.ask(b"GET / HTTP/1.1\r\nExpect: tea\r\n\r\n").startswith(b"HTTP/1.1 417 ")


def test_a_body_over_the_limit_is_not_read(server: Server) -> None:
    head = b"POST /echo HTTP/1.1\r\nContent-Length: 100001\r\n\r\n"
    answer = server.ask(head + b"POST /echo HTTP/1.1\r\n\r\n")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"\r\nConnection: close\r\n" in answer


def test_who_goes_on_sending_after_a_refusal_is_cut_off(serve: Callable[..., Server]) -> None:
    server, num_bytes = serve(lingering_s=TIMEOUT_S), 0
    with server.connect() as connection, suppress(ConnectionError):
        connection.sendall(b"POST /echo HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n")
        while num_bytes < 4 * LARGE:
            connection.sendall(bytes(2**16))
            num_bytes += 2**16
    assert num_bytes < 4 * LARGE


@pytest.mark.parametrize("path", ["/file", "/large"])
def test_slow_readers_get_everything_and_hold_no_thread(server: Server, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n".encode()
    readers = [server.connect() for _ in range(8 if path == "/file" else 3)]
    for connection in readers:
        connection.sendall(request)
    assert all(server.is_well() for _ in range(5))
    for connection in readers:
        with connection:
            head, _, body = read_all(connection).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 OK")
            assert len(body) == LARGE


def test_a_streamed_answer_passes_part_by_part(serve: Callable[..., Server]) -> None:
    server = serve()
    with server.connect() as connection:
        connection.sendall(b"GET /parts HTTP/1.1\r\n\r\n")
        received = b""
        while b"first" not in received:
            received += connection.recv(1000)
        assert not (server.folder / "ended").exists()
        (server.folder / "go").touch()
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        rest = read_all(connection)
    assert rest.startswith(b"6\r\nsecond\r\n0\r\n\r\nHTTP/1.0 200 OK\r\n")


def test_a_streamed_answer_ends_when_its_client_goes_away(serve: Callable[..., Server]) -> None:
    server = serve()
    with server.connect() as connection:
        connection.sendall(b"GET /parts HTTP/1.1\r\n\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 OK")
    wait_until((server.folder / "ended").exists)
    assert server.is_well()


@pytest.mark.parametrize("fields", AMBIGUOUS)
def test_an_ambiguous_request_is_refused_with_all_that_follows(
    server: Server, fields: bytes
) -> None:
    smuggled = b"0\r\n\r\nGET /echo HTTP/1.1\r\n\r\n"
    answer = server.ask(b"POST /echo HTTP/1.1\r\n" + fields + b"\r\n\r\n" + smuggled)
    assert re.match(rb"HTTP/1\.1 (400|501) ", answer)
    assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("body", [b"x\r\n", b"3\r\nabcd\r\n0\r\n\r\n", b"-1\r\n", b"1" * 2000])
def test_a_malformed_chunked_body_ends_the_connection(server: Server, body: bytes) -> None:
    head = b"POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = server.ask(head + body + b"GET / HTTP/1.1\r\n\r\n")
    assert not answer.startswith(b"HTTP/1.1 200 ")
    assert answer.count(b"HTTP/1.1 ") <= 1  # gunicorn closes in silence if the application raises
