"""Clients of the service in one event loop, so that they take little from what is measured."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Reply:
    """How a request ended.

    Attributes:
        status: 0 if no answer came.
        seconds: from when it was due.
        body: of the answer.
        is_whole: as much came as the head of the answer has promised.
        num_bytes: of all that came.
    """

    status: int
    seconds: float
    body: bytes
    is_whole: bool
    num_bytes: int

    @property
    def is_good(self) -> bool:
        """Whether all of a good answer came."""
        return self.status == 200 and self.is_whole


def request_bytes(texts: str | Sequence[str], *headers: str, **fields: object) -> bytes:
    """Return a request for a translation from German to English, which closes its connection."""
    body = json.dumps({"q": texts, "source": "de", "target": "en", **fields}).encode()
    head = [
        "POST /translate HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *headers,
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


async def send(port: int, request: bytes, due_s: float | None = None) -> Reply:
    """Send a request on a connection of its own, and read all of the answer.

    Args:
        port: of the server, on this machine.
        request: whole.
        due_s: when it should have been sent, on the clock of `perf_counter`; now if None.
    """
    due_s = time.perf_counter() if due_s is None else due_s
    answer, writer = b"", None
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request)
            while part := await reader.read(1 << 16):
                answer += part
    seconds = time.perf_counter() - due_s
    if writer is not None:
        writer.transport.abort()
    return _read(answer, seconds)


def _read(answer: bytes, seconds: float) -> Reply:
    head, end, body = answer.partition(b"\r\n\r\n")
    if not end:
        return Reply(0, seconds, b"", is_whole=False, num_bytes=len(answer))
    lower = head.lower()
    if b"transfer-encoding: chunked" in lower:
        is_whole = body.endswith(b"0\r\n\r\n")
    else:
        length = lower.partition(b"content-length:")[2].partition(b"\r\n")[0]
        is_whole = len(body) == int(length or -1)
    return Reply(int(head.split(b" ", 2)[1]), seconds, body, is_whole, len(answer))


async def open_loop(
    port: int, requests: Iterable[tuple[float, bytes]], at: Callable[[float], None] = lambda _: None
) -> list[Reply]:
    """Send each request when it is due, whether or not earlier ones are answered.

    Args:
        port: of the server.
        requests: seconds from now and what to send then, in order.
        at: called with the seconds of each request before it is sent.
    """
    begin_s, tasks = time.perf_counter(), []
    for due_s, request in requests:
        await asyncio.sleep(max(0.0, begin_s + due_s - time.perf_counter()))
        at(due_s)
        tasks.append(asyncio.create_task(send(port, request, begin_s + due_s)))
    return [await task for task in tasks]


async def closed_loop(
    port: int, requests: Iterable[bytes], num_clients: int, seconds: float
) -> list[Reply]:
    """Have clients send one request after the other for so long; return what was answered then."""
    begin_s, left = time.perf_counter(), iter(requests)
    replies: list[Reply] = []

    async def client() -> None:
        while time.perf_counter() < begin_s + seconds:
            reply = await send(port, next(left))
            if time.perf_counter() < begin_s + seconds:
                replies.append(reply)

    await asyncio.gather(*(client() for _ in range(num_clients)))
    return replies
