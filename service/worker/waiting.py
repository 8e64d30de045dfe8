"""Connections that wait for their clients: for how long, and which has to go when room is short."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from enum import Enum, auto

from gunicorn.config import Config
from gunicorn.http.parser import RequestParser

from service.worker.incoming import Incoming, RequestBytes
from service.worker.outgoing import Outgoing

Address = tuple[str | int, ...] | str | bytes
"""As a socket gives it."""


class Phase(Enum):
    """What a connection waits for."""

    IDLE = auto()  # the next request of a connection that has had one
    HEAD = auto()
    BODY = auto()
    SENDING = auto()  # the client is to read its answer
    LINGERING = auto()  # the client is to close, or what it still sends would undo the answer


class Connection:
    """A client's connection; gunicorn's `ThreadWorker.handle` takes it for one of its own.

    Attributes:
        phase: what it waits for; None while a thread answers it, and once it is closed.
        since_s: when it began to wait, on the monotonic clock.
        events: that the selector watches for it.
        closes: it ends after what is being sent.
        takes_slot: the request counts as a translation.
        discarded_bytes: that came while it was lingering.
    """

    initialized = data_ready = True  # gunicorn: nothing to wait for
    is_http2 = False

    def __init__(
        self, connection: socket.socket, client: Address, server: Address, limit: int
    ) -> None:
        """Own an accepted connection that does not block, with bodies of at most `limit` bytes."""
        self.connection = connection
        self.client = client
        self.server = server
        self.incoming = Incoming(limit)
        self.sock = Outgoing(connection)
        self.request: RequestBytes | None = None
        self.parser: RequestParser | None = None
        self.phase: Phase | None = None
        self.since_s = 0.0
        self.events = 0
        self.closes = False
        self.takes_slot = False
        self.discarded_bytes = 0
        self.is_closed = False

    def init(self) -> None:
        """Do nothing: gunicorn would prepare its own parser here."""

    @property
    def held_bytes(self) -> int:
        """Return how much memory it holds, in both directions."""
        return len(self.incoming) + self.sock.unsent_bytes

    def take_request(self) -> RequestBytes:
        """Cut off the request that is complete, as the one that is answered now."""
        self.request = self.incoming.take()
        return self.request

    def begin_parsing(self, settings: Config) -> None:
        """Let gunicorn's parser read the request from memory."""
        # A parser for each: what one leaves behind must not become part of the next request.
        self.parser = RequestParser(settings, self.request, self.client)

    @property
    def is_sure(self) -> bool:
        """Return whether the head of the request can be read in one way only."""
        return self.request is not None and self.request.is_sure

    @property
    def is_whole(self) -> bool:
        """Return whether the end of the request has come, as far as the worker can tell."""
        return self.request is not None and self.request.is_whole

    def is_read_alike(self) -> bool:
        """Whether gunicorn's parser has found the request's end where the worker found it."""
        ran_dry = self.request is None or self.request.ran_dry
        if ran_dry or not self.is_whole or self.parser is None:
            return False
        return not self.parser.unreader.read()

    def close(self) -> None:
        """Close it, and forget what is unread and unsent."""
        self.is_closed = True
        self.incoming.clear()
        self.sock.close()


class Waiting:
    """The connections in each phase, the one that waits longest first."""

    def __init__(self, timeouts_s: Mapping[Phase, float]) -> None:
        """Let connections wait for so many seconds in each phase."""
        self._timeouts_s = timeouts_s
        self._phases: dict[Phase, dict[Connection, int]] = {phase: {} for phase in Phase}
        self.held_bytes = 0

    def put(self, connection: Connection, phase: Phase, now_s: float) -> None:
        """Let a connection wait in a phase from now on, unless it already does."""
        if connection.phase is phase:
            self.held_bytes -= self._phases[phase][connection]
        else:
            self.remove(connection)
            connection.phase, connection.since_s = phase, now_s
        self._phases[phase][connection] = connection.held_bytes
        self.held_bytes += connection.held_bytes

    def remove(self, connection: Connection) -> None:
        """Let it wait no longer."""
        if connection.phase is not None:
            self.held_bytes -= self._phases[connection.phase].pop(connection)
            connection.phase = None

    def in_phase(self, phase: Phase) -> list[Connection]:
        """Return those in one phase."""
        return list(self._phases[phase])

    def overdue(self, now_s: float) -> list[Connection]:
        """Return those that have waited for too long."""
        late = []
        for phase, connections in self._phases.items():
            for connection in connections:
                if connection.since_s + self._timeouts_s[phase] > now_s:
                    break
                late.append(connection)
        return late

    def oldest(self) -> Connection | None:
        """Return the one that has waited longest, in whatever phase; None if there is none."""
        firsts = (next(iter(connections), None) for connections in self._phases.values())
        return min(
            (connection for connection in firsts if connection),
            key=lambda connection: connection.since_s,
            default=None,
        )

    def largest(self) -> Connection | None:
        """Return the one that holds most memory; None if there is none."""
        every = (
            (held, connection) for of in self._phases.values() for connection, held in of.items()
        )
        return max(every, key=lambda pair: pair[0], default=(0, None))[1]
