"""gunicorn's worker of this service: a thread gets a request only when the whole of it is there.

On top of gunicorn's `gthread`. The worker's loop reads all connections without blocking, and hands
a request to a thread when its last byte has come; gunicorn's parser reads it there, from memory. A
thread sends what the client takes at once, the loop sends the rest. So a client that is slow,
silent or never closes costs a place in a table, and no thread.

What the worker and the application have in common:

- Both read the settings in the environment. When as many translations are in threads as
  `TRANSLATOR_CONCURRENCY_LIMIT` allows, the loop itself refuses the next one, from its head alone:
  503 with `Retry-After`. The application says at which addresses (`Endpoint.takes_place`), and
  keeps a limit of its own, for other servers.
- The application finds the worker's `Counts` in its environ, under `COUNTS`.
- The worker asks the application for `GET /health` every two seconds, without a connection. If the
  answer is an error of the server, or none comes, for six seconds, the process ends itself, and
  gunicorn begins another. The headers of that answer about other sites and about security are put
  on refusals too.

It rests on the inside of gunicorn 25.3: `ThreadWorker.run` and `handle`, `RequestParser`. Releases
from 26.0 on close connections in the loop and wait for clients there; the tests say what must hold.

Under TLS, the PROXY protocol or uwsgi, which the loop cannot read, this is a plain `gthread`.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import time
import traceback
from collections.abc import Iterable
from concurrent.futures import Future
from http import HTTPStatus
from ssl import SSLError
from typing import TYPE_CHECKING, ClassVar

from flask import Flask
from gunicorn.http import errors as malformed
from gunicorn.http.message import Request
from gunicorn.util import write_nonblock
from gunicorn.workers.gthread import ThreadWorker

from service.config import ServiceConfig
from service.http.endpoint import errors_where_places_are_taken
from service.http.errors import ErrorAnswer
from service.http.logs import COUNTS, HEADER, new_id
from service.worker.traffic import Counts, Limits, Listener, Traffic, error_answer
from service.worker.waiting import Address, Connection, Phase
from service.worker.watch import Watch

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

BEAT_S = 1.0
SPARE_DESCRIPTORS = 128  # for the model, logs, libraries and files that are sent
EXIT_ILL = 1  # any code but those that make gunicorn end the server

MALFORMED = (malformed.ParseException, SSLError)
MALFORMED_BODY = (
    malformed.InvalidChunkSize,
    malformed.InvalidChunkExtension,
    malformed.ChunkMissingTerminator,
)
STATUSES = {
    malformed.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
    malformed.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
    malformed.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
}
"""Of malformed requests; others are 400."""


class BufferingWorker(ThreadWorker):  # type: ignore[misc]
    """A worker whose threads never wait for a client.

    Attributes:
        timeouts_s: of connections in each phase; that of idle ones is gunicorn's `keepalive`.
        max_held_bytes: of requests being read and answers being sent.
        loading_s: that loading the application may take, though gunicorn's `timeout` is shorter.
        ill_s: after which a worker ends itself whose application is ill.
    """

    timeouts_s: ClassVar[dict[Phase, float]] = {
        Phase.HEAD: 10.0,
        Phase.BODY: 30.0,
        Phase.SENDING: 30.0,
        Phase.LINGERING: 2.0,
    }
    max_held_bytes = 64 * 1024 * 1024
    loading_s = 300.0
    ill_s = 6.0
    _traffic: Traffic | None = None
    _watch: Watch | None = None

    def init_signals(self) -> None:
        """End at SIGTERM at once, until there can be a request to finish.

        And do not end at SIGHUP: the application may want it, and there may be none yet.
        """
        super().init_signals()
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # PyTorch may be half loaded
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def load_wsgi(self) -> None:
        """Load the application, and look at its health once."""
        # gunicorn's main process goes by this time, so one that is to come gives us until then.
        until = time.monotonic() + max(0.0, self.loading_s - self.cfg.timeout)
        os.utime(self.tmp.fileno(), (until, until))
        super().load_wsgi()
        signal.signal(signal.SIGTERM, self.handle_exit)
        signal.siginterrupt(signal.SIGTERM, False)
        assert isinstance(self.wsgi, Flask), "the worker asks the application for its addresses"
        self._watch = Watch(self.wsgi)
        self._watch.ask()
        if not (self.cfg.is_ssl or self.cfg.proxy_protocol != "off" or self.cfg.protocol != "http"):
            self._traffic = self._open_traffic(self._watch, self.wsgi)
        else:
            self.log.warning(
                "TLS or another protocol: slow clients hold threads; put a reverse proxy in front"
            )

    def _open_traffic(self, watch: Watch, application: Flask) -> Traffic:
        service = ServiceConfig.from_environment(os.environ)
        self.worker_connections = raise_file_limit(self.cfg.worker_connections)
        limits = Limits(
            max_connections=self.worker_connections,
            max_body_bytes=service.max_body_bytes,
            max_held_bytes=self.max_held_bytes,
            max_translations=service.concurrency_limit,
            guarded=errors_where_places_are_taken(application),
            timeouts_s={Phase.IDLE: float(self.cfg.keepalive), **self.timeouts_s},
        )
        traffic = Traffic(limits, self.poller, self._hand_over, watch.common_headers)
        self.wsgi: WSGIApplication = with_counts(application, traffic.counts)
        return traffic

    def run(self) -> None:
        """Serve until told to stop."""
        assert self._watch is not None
        self._watch.start()
        super().run()
        self._watch.stop()

    def accept(self, listener: Listener) -> None:
        """Accept what has come."""
        if self._traffic is None:
            super().accept(listener)
            return
        try:
            self._traffic.accept(listener)
        except OSError as error:
            self.log.error("cannot accept connections: %s", error)
            self.set_accept_enabled(False)  # until the loop's next turn

    def set_accept_enabled(self, enabled: bool) -> None:
        """Begin or cease to accept; a worker that stops closes its listening sockets at once."""
        super().set_accept_enabled(enabled)
        if not (enabled or self.alive):
            for listener in self.sockets:
                listener.close()

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Take a turn of the loop, in which gunicorn's main process hears that this one lives."""
        self.notify()
        assert self._watch is not None
        if self._watch.ill_s > self.ill_s:
            self.log.critical("The application has been ill for %.0f s; ending", self._watch.ill_s)
            os._exit(EXIT_ILL)  # its threads cannot be joined
        if self._traffic is None:
            super().wait_for_and_dispatch_events(min(timeout, BEAT_S))
            return
        if not self.alive:
            self._traffic.drain()
        if self.alive or self._traffic.counts.connections:
            super().wait_for_and_dispatch_events(min(timeout, BEAT_S))
        self.nr_conns = self._traffic.counts.connections

    def murder_pending(self) -> None:
        """Close what has waited for too long; gunicorn calls this at each turn."""
        super().murder_pending()
        if self._traffic is not None:
            self._traffic.close_overdue()

    def handle_request(self, request: Request, connection: object) -> bool:
        """Answer a request, unless gunicorn's parser alone is sure of where it ends."""
        if isinstance(connection, Connection):
            if not connection.is_sure:
                raise AmbiguousLengthError
            if not connection.is_whole:
                request.force_close()  # and the answer says so
        try:
            keeps: bool = super().handle_request(request, connection)
        except MALFORMED_BODY as error:  # gunicorn would log what the client has sent
            raise MalformedBodyError from error
        return keeps

    def handle_error(
        self, request: Request, client: socket.socket, address: Address, error: Exception
    ) -> None:
        """Answer with an error, and log its kind: the message may hold what the client has sent."""
        request_id = new_id()
        if isinstance(error, MALFORMED):
            status, message = STATUSES.get(type(error), HTTPStatus.BAD_REQUEST), _kind(error)
            self.log.warning("Malformed request: %s, id %s", message, request_id)
        else:
            status, message = HTTPStatus.INTERNAL_SERVER_ERROR, "internal error"
            frames = "".join(traceback.format_tb(error.__traceback__))
            kind = type(error).__name__
            self.log.error("Error handling a request: %s, id %s\n%s", kind, request_id, frames)
        headers = self._watch.common_headers() if self._watch else {}
        headers[HEADER] = request_id
        try:
            write_nonblock(client, error_answer(status, message, headers, ErrorAnswer))
        except OSError:
            self.log.debug("Failed to send error message.")

    def _hand_over(self, connection: Connection) -> None:
        """Have a thread answer the request that is complete."""
        connection.begin_parsing(self.cfg)
        future = self.tpool.submit(self.handle, connection)
        future.add_done_callback(
            lambda done: self.method_queue.defer(self._answered, connection, done)
        )

    def _answered(self, connection: Connection, done: Future[bool]) -> None:
        assert self._traffic is not None
        broke = done.cancelled() or done.exception() is not None
        self._traffic.answered(connection, keeps=not broke and bool(done.result()))


class AmbiguousLengthError(malformed.ParseException):  # type: ignore[misc]
    """Nobody can be sure of where the body of a request ends."""


class MalformedBodyError(malformed.ParseException):  # type: ignore[misc]
    """The chunks of a body are not what the standard says."""


def _kind(error: Exception) -> str:
    """Return the name of an error's class in words: `InvalidHeader` is `invalid header`."""
    name = type(error).__name__.removesuffix("Error")
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).lower()


def with_counts(application: WSGIApplication, counts: Counts) -> WSGIApplication:
    """Return the application, called with the worker's counts in its environ."""

    def call(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[COUNTS] = counts
        return application(environ, start_response)

    return call


def raise_file_limit(connections: int) -> int:
    """Let the process open as many files as `connections` need; return how many it can have."""
    needed = connections + SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return (
        connections
        if soft == resource.RLIM_INFINITY
        else min(connections, soft - needed + connections)
    )
