"""A worker's connections: read in its loop, handed over by the request, answered, closed."""

from __future__ import annotations

import errno
import json
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from functools import partial
from http import HTTPStatus
from typing import Protocol

from pydantic import BaseModel

from service.http.errors import ErrorAnswer, code_of_status
from service.http.logs import HEADER, new_id
from service.worker.incoming import Stage
from service.worker.waiting import Address, Connection, Phase, Waiting

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


def error_answer(
    status: HTTPStatus, message: str, headers: Mapping[str, str], shape: type[BaseModel]
) -> bytes:
    """Return a whole answer of JSON, after which the connection is closed.

    Args:
        status: of HTTP.
        message: what is wrong.
        headers: further ones; the ID of the request is new if it is not among them.
        shape: of an error at this address.
    """
    every = {"error": message, "message": message, "code": code_of_status(status.value)}
    fields = {name: value for name, value in every.items() if name in shape.model_fields}
    body = (json.dumps(fields) + "\n").encode()
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        f"Date: {formatdate(usegmt=True)}",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in {HEADER: new_id(), **headers}.items()),
    ]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


class Listener(Protocol):
    """A listening socket, as gunicorn wraps it."""

    def accept(self) -> tuple[socket.socket, Address]:
        """Return a new connection and its client."""
        ...

    def getsockname(self) -> Address:
        """Return where it listens."""
        ...


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What clients may take of a worker.

    Attributes:
        max_connections: open at once; for one more, that which has waited longest is closed.
        max_body_bytes: of one request.
        max_held_bytes: read or unsent, of all connections; beyond, the one with most is closed.
        max_translations: in threads; the next one is refused as soon as its head is there.
        guarded: addresses a POST to which is a translation, each with what an error there says.
        timeouts_s: in each phase.
    """

    max_connections: int
    max_body_bytes: int
    max_held_bytes: int
    max_translations: int
    guarded: Mapping[str, type[BaseModel]]
    timeouts_s: Mapping[Phase, float]


@dataclass
class Counts:
    """What a worker has now and has had; the application finds it under `COUNTS` in its environ.

    Attributes:
        connections: open now.
        translations: in threads now.
        refused: translations for which there was no place.
        timed_out: requests that took too long to come.
        dropped: connections that had to make room for others.
    """

    connections: int = 0
    translations: int = 0
    refused: int = 0
    timed_out: int = 0
    dropped: int = 0


READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
ACCEPTS_AT_ONCE = 64
READ_BYTES = 64 * 1024
UNDER_WAY_S = 1.0
MAX_DISCARDED_BYTES = 4 * 1024 * 1024
RETRY_AFTER_S = 1
NO_DESCRIPTORS = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Traffic:
    """All connections; every method is for the loop's thread alone."""

    def __init__(
        self,
        limits: Limits,
        selector: selectors.BaseSelector,
        hand_over: Callable[[Connection], None],
        headers: Callable[[], dict[str, str]],
    ) -> None:
        """Begin without connections.

        Args:
            limits: of what clients may take.
            selector: tells what connections are ready; its data is called with the connection.
            hand_over: has the request of a connection answered and calls `answered` after it.
            headers: that the worker's own answers carry.
        """
        self.counts = Counts()
        self.is_draining = False
        self._limits = limits
        self._selector = selector
        self._hand_over = hand_over
        self._headers = headers
        self._waiting = Waiting(limits.timeouts_s)
        self._bytes_in_threads = 0

    def accept(self, listener: Listener) -> None:
        """Accept the connections that have come.

        Raises:
            OSError: the listening socket itself is broken.
        """
        for _ in range(ACCEPTS_AT_ONCE):
            try:
                accepted, client = listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno in NO_DESCRIPTORS and self._drop_oldest():
                    continue
                raise
            accepted.setblocking(False)
            server = listener.getsockname()
            connection = Connection(accepted, client, server, self._limits.max_body_bytes)
            self._await(connection, Phase.HEAD, READ)
            self.counts.connections += 1
            if self.counts.connections >= self._limits.max_connections:
                self._drop_oldest()

    def answered(self, connection: Connection, keeps: bool) -> None:
        """Go on with a connection whose request a thread has answered."""
        assert connection.request is not None
        self._bytes_in_threads -= connection.request.num_bytes
        self.counts.translations -= connection.takes_slot
        connection.closes = not (keeps and connection.is_read_alike()) or self.is_draining
        with self._closing_if_broken(connection):
            self._send(connection)

    def close_overdue(self) -> None:
        """Close what has waited for too long; who has sent a part of a request is told why."""
        for connection in self._waiting.overdue(time.monotonic()):
            if connection.phase in (Phase.HEAD, Phase.BODY) and len(connection.incoming):
                self.counts.timed_out += 1
                with self._closing_if_broken(connection):
                    self._refuse(connection, HTTPStatus.REQUEST_TIMEOUT, "the request is too slow")
            else:
                self._close(connection)

    def drain(self) -> None:
        """Close what waits for a request that has not begun, and each other after its answer.

        A request may be under way on a connection that has not waited long.
        """
        self.is_draining = True
        begun_s = time.monotonic() - UNDER_WAY_S
        for connection in self._waiting.in_phase(Phase.IDLE) + self._waiting.in_phase(Phase.HEAD):
            if connection.since_s < begun_s and not len(connection.incoming):
                self._close(connection)

    @contextmanager
    def _closing_if_broken(self, connection: Connection) -> Iterator[None]:
        try:
            yield
        except OSError:
            self._close(connection)

    def _ready(self, connection: Connection, _: object) -> None:
        """Go on with a connection that can be read or written."""
        with self._closing_if_broken(connection):
            if connection.phase is Phase.SENDING:
                self._waiting.remove(connection)  # it waits anew: some of the answer will go out
                self._send(connection)
            elif connection.phase is not None:  # else one that was ready before it had it closed
                self._read(connection)

    def _read(self, connection: Connection) -> None:
        try:
            received = connection.connection.recv(READ_BYTES)
        except BlockingIOError:
            return
        if not received:
            self._close(connection)
        elif connection.phase is Phase.LINGERING:
            connection.discarded_bytes += len(received)
            if connection.discarded_bytes > MAX_DISCARDED_BYTES:
                self._close(connection)
        else:
            connection.incoming.feed(received)
            self._advance(connection)

    def _advance(self, connection: Connection) -> None:
        """Do what the bytes allow that have come of a request."""
        stage = connection.incoming.stage()
        if stage is Stage.HEAD_TOO_LONG:
            status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            self._refuse(connection, status, "the head of the request is too long")
        elif stage is Stage.HEAD:
            self._await(connection, Phase.HEAD, READ)
        elif stage is Stage.BODY and connection.phase is Phase.BODY:
            self._await(connection, Phase.BODY, READ)
        elif self._has_no_place(connection):
            self.counts.refused += 1
            self._refuse(
                connection,
                HTTPStatus.SERVICE_UNAVAILABLE,
                f"the server is already busy with {self._limits.max_translations} translations; "
                "try again in a moment",
            )
        elif stage is Stage.BODY:
            self._tell_to_continue(connection)
            self._await(connection, Phase.BODY, READ)
        else:
            self._pass_on(connection)
        self._free_memory()

    def _has_no_place(self, connection: Connection) -> bool:
        head = connection.incoming.head
        assert head is not None
        connection.takes_slot = head.method == "POST" and head.address in self._limits.guarded
        is_full = self.counts.translations >= self._limits.max_translations
        return connection.takes_slot and is_full

    def _tell_to_continue(self, connection: Connection) -> None:
        head = connection.incoming.head
        if head is not None and head.awaits_continue:
            connection.sock.sendall(CONTINUE)

    def _pass_on(self, connection: Connection) -> None:
        """Hand a complete request over."""
        self._waiting.remove(connection)
        self._watch(connection, 0)
        self.counts.translations += connection.takes_slot
        request = connection.take_request()
        self._bytes_in_threads += request.num_bytes
        self._hand_over(connection)

    def _refuse(self, connection: Connection, status: HTTPStatus, message: str) -> None:
        """Answer with an error, and close."""
        headers, head = self._headers(), connection.incoming.head
        if status is HTTPStatus.SERVICE_UNAVAILABLE:
            headers["Retry-After"] = str(RETRY_AFTER_S)
        shape = self._limits.guarded.get(head.address if head else "", ErrorAnswer)
        connection.closes = True
        connection.sock.sendall(error_answer(status, message, headers, shape))
        self._send(connection)

    def _send(self, connection: Connection) -> None:
        """Send what is unsent, then read the next request or close."""
        if not connection.sock.flush():
            self._await(connection, Phase.SENDING, WRITE)
            self._free_memory()
        elif connection.closes:
            self._linger(connection)
        elif len(connection.incoming):
            self._advance(connection)
        else:
            self._await(connection, Phase.IDLE, READ)

    def _linger(self, connection: Connection) -> None:
        """Close the sending half, and the other when the client has done so.

        Who closes while the client still sends takes from it what it has not yet read.
        """
        connection.incoming.clear()
        connection.connection.shutdown(socket.SHUT_WR)
        self._await(connection, Phase.LINGERING, READ)

    def _await(self, connection: Connection, phase: Phase, events: int) -> None:
        self._waiting.put(connection, phase, time.monotonic())
        self._watch(connection, events)

    def _watch(self, connection: Connection, events: int) -> None:
        if events == connection.events:
            return
        if not events:
            self._selector.unregister(connection.connection)
        elif connection.events:
            self._selector.modify(connection.connection, events, partial(self._ready, connection))
        else:
            self._selector.register(connection.connection, events, partial(self._ready, connection))
        connection.events = events

    def _free_memory(self) -> None:
        """Close the connection that holds most if all together hold too much."""
        held = self._waiting.held_bytes + self._bytes_in_threads
        largest = self._waiting.largest() if held > self._limits.max_held_bytes else None
        if largest is None or largest.held_bytes <= READ_BYTES:
            return
        self.counts.dropped += 1
        if largest.phase is Phase.BODY:
            with self._closing_if_broken(largest):
                status = HTTPStatus.SERVICE_UNAVAILABLE
                self._refuse(largest, status, "the server is reading too many long requests")
        else:
            self._close(largest)

    def _drop_oldest(self) -> bool:
        """Close the connection that has waited longest; return whether there was one."""
        oldest = self._waiting.oldest()
        if oldest is None:
            return False
        self.counts.dropped += oldest.phase is not Phase.LINGERING
        self._close(oldest)
        return True

    def _close(self, connection: Connection) -> None:
        if connection.is_closed:
            return
        self._waiting.remove(connection)
        self._watch(connection, 0)
        connection.close()
        self.counts.connections -= 1
