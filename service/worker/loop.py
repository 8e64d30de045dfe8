"""gunicorn's worker of this service: gunicorn keeps the processes, and waitress serves in each.

waitress reads all connections in one loop, and gives a thread only whole requests; what a client
does not take at once of its answer, the loop sends later. So a client that is slow, silent or never
closes costs a place in a table, and no thread. What is here beside waitress: limits of time, memory
and connections, errors as JSON, a refusal of heads that two servers could read in two ways, and
ends of connections that leave the client its answer.

What the worker and the application have in common:

- Both read the settings in the environment. The worker has more threads than there may be
  translations at a time (`Context.slot`), so that a full application still answers all the rest.
- The application finds the worker's `Counts` in its environ, under `COUNTS`.
- The worker asks the application for `GET /health` every two seconds, without a connection. If the
  answer is an error of the server, or none comes, for six seconds, the process ends itself, and
  gunicorn begins another. The headers of that answer about other sites and about security are put
  on the worker's own answers too.

Under TLS, the PROXY protocol or uwsgi, which waitress cannot read, this is a plain `gthread`.
"""

from __future__ import annotations

import heapq
import ipaddress
import json
import logging
import os
import re
import resource
import select
import signal
import socket
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar

from gunicorn.config import Config
from gunicorn.workers.gthread import ThreadWorker
from waitress import create_server, wasyncore
from waitress.adjustments import Adjustments
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import Error, RequestEntityTooLarge, RequestHeaderFieldsTooLarge

from service.config import ServiceConfig
from service.http.context import FULL
from service.http.errors import code_of_status
from service.http.logs import COUNTS, HEADER, new_id
from service.http.streaming import SOCKET
from service.worker.line import Line
from service.worker.watch import Watch

log = logging.getLogger("gunicorn.error")

BEAT_S = 1.0
"""Between two signs of life, and two looks at what waits for too long."""

UNDER_WAY_S = 1.0
"""On a connection that has not waited for longer, a request may be under way."""

RETRY_AFTER_S = 1
LONG_LINE = "the address, with its query string,"
MAX_HEAD_BYTES = READ_BYTES = CHUNKING_BYTES = 64 * 1024
"""CHUNKING_BYTES may be added to the longest body by the sizes of its chunks."""

MAX_DISCARDED_BYTES = 4 * 1024 * 1024
UNLIMITED = 2**40
SPARE_DESCRIPTORS = 128  # for the model, logs, libraries and files that are sent
EXIT_ILL = 1  # any code but those that make gunicorn end the server


class Phase(Enum):
    """What a connection waits for."""

    IDLE = auto()  # the next request of a connection that has had one
    HEAD = auto()
    BODY = auto()
    SENDING = auto()  # the client is to read its answer
    LINGERING = auto()  # the client is to close, or what it still sends would undo the answer


@dataclass
class Counts:
    """What a worker has now and has had; the application finds it under `COUNTS` in its environ.

    Attributes:
        timed_out: requests that took too long to come.
        dropped: connections that had to make room for others.
        refused: translations for which no slot was free.
    """

    connections: int = 0
    refused: int = 0
    timed_out: int = 0
    dropped: int = 0


class Refused(Error):  # type: ignore[misc]
    """What a request is answered that the application does not get.

    Attributes:
        code: the status of HTTP.
        body: the message, which repeats nothing that the client has sent.
        limit: how many bytes are allowed, where more have come.
        request_id: for the log.
    """

    def __init__(self, code: int, body: str, limit: int | None = None) -> None:
        super().__init__(body)
        self.code, self.limit, self.request_id = code, limit, new_id()


def too_long(code: int, what: str, limit: int) -> Refused:
    """Return the refusal of a head, or of a line of it, that has more bytes than it may."""
    return Refused(code, f"{what} has more than {limit} bytes; send the text in the body", limit)


_REQUEST_LINE = re.compile(rb"[A-Z]{3,20} [!-~\x80-\xff]+ HTTP/1\.([01])")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\r\n\0]*)")


def fault_of(head: bytes, settings: Config) -> Refused | None:
    """Return why a head, which ends with its empty line, is refused; None if it is not.

    It is if a line is malformed, folded or too long, if there are two lengths, or a length and a
    transfer coding, or if the client expects what there is not.

    Source: RFC 9112, §6.3 and §11.2.
    """
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    if len(first) > (most := settings.limit_request_line or UNLIMITED):
        return too_long(414, LONG_LINE, most)
    if max(map(len, lines), default=0) > (most := settings.limit_request_field_size or UNLIMITED):
        return too_long(431, "a header", most)
    request_line = _REQUEST_LINE.fullmatch(first)
    if request_line is None:
        return Refused(400, "invalid request line")
    framing: dict[bytes, bytes] = {}
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is None:
            return Refused(400, "invalid header")
        name = field[1].lower()
        if name in framing:
            return Refused(400, "ambiguous length")
        if name in (b"content-length", b"transfer-encoding", b"expect"):
            framing[name] = field[2].strip(b" \t").lower()
    if framing.get(b"expect") not in (None, b"100-continue"):
        return Refused(417, "expectation failed")
    if framing.get(b"transfer-encoding") not in (None, b"chunked"):
        return Refused(501, "unsupported transfer coding")
    is_old = request_line[1] == b"0"
    if b"transfer-encoding" in framing and (is_old or b"content-length" in framing):
        return Refused(400, "ambiguous length")
    return None


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads a request as it comes.

    Attributes:
        since_s: when its head or its body began to come, by `time.time`, which waitress goes by.
    """

    def __init__(self, channel: Channel, adjustments: Adjustments) -> None:
        super().__init__(adjustments)
        self._channel = channel
        self.since_s = time.time()

    @property
    def held_bytes(self) -> int:
        """Return how much of it is in memory."""
        return len(self.header_plus) + (len(self.body_rcv) if self.body_rcv is not None else 0)

    def parse_header(self, header_plus: bytes) -> None:
        """Read a head, which is complete."""
        self.since_s = time.time()
        self.error = fault_of(header_plus, self._channel.worker.cfg)
        if self.error is None:
            super().parse_header(header_plus)

    def received(self, data: bytes) -> int:
        """Read on; return how many bytes are done with.

        What follows a complete request waits in its connection until that is answered.
        """
        consumed: int = super().received(data)
        max_bytes = self._channel.worker.service.max_body_bytes
        if isinstance(self.error, RequestHeaderFieldsTooLarge):
            is_line = b"\n" not in self.header_plus.lstrip() + data
            most = self._channel.worker.cfg.limit_request_line or MAX_HEAD_BYTES
            line = too_long(414, LONG_LINE, most)
            self.error = line if is_line else too_long(431, "the head", MAX_HEAD_BYTES)
        elif isinstance(self.error, RequestEntityTooLarge) or self.content_length > max_bytes:
            # What comes of it is cut off, and the application refuses it by its length alone.
            self.error, self.completed = None, True
            self.headers["CONNECTION"] = "close"
            self.headers["CONTENT_LENGTH"] = str(max(self.content_length, max_bytes + 1))
        if self.completed:
            self.expect_continue = False
            self._channel.ahead, consumed = data[consumed:], len(data)
        return consumed


class Refusal(ErrorTask):  # type: ignore[misc]
    """Answers with an error, as JSON, and ends the connection.

    Without the application, nobody knows the dialect: DeepL's clients read `message`.
    """

    def execute(self) -> None:
        """Answer."""
        worker: BufferingWorker = self.channel.worker
        error = self.request.error
        if not isinstance(error, Refused):
            error = Refused(error.code, error.body)
        if error.code not in (408, 500, 503):
            log.warning("Malformed request: %s, id %s", error.body, error.request_id)
        fields: dict[str, str | int] = {"error": error.body, "message": error.body}
        fields["code"] = code_of_status(error.code)
        if error.limit is not None:
            fields["limit"] = error.limit
        body = (json.dumps(fields) + "\n").encode()
        headers = {"Content-Type": "application/json", HEADER: error.request_id}
        if error.code == 503:
            headers["Retry-After"] = str(RETRY_AFTER_S)
        self.version = "1.1"
        self.status = f"{error.code} {HTTPStatus(error.code).phrase}"
        self.response_headers = [*headers.items(), *worker.watch.common_headers().items()]
        self.content_length = len(body)
        self.set_close_on_finish()
        self.write(body)


class Answer(WSGITask):  # type: ignore[misc]
    """Has the application answer a request, in a thread."""

    wrote_header: bool

    def execute(self) -> None:
        """Answer; log the kind of an error, whose message may hold what the client has sent."""
        worker: BufferingWorker = self.channel.worker
        if not worker.alive:
            self.request.headers["CONNECTION"] = "close"
        try:
            super().execute()
        except ClientDisconnected:
            raise
        except Exception as error:
            fault = Refused(500, "internal error")
            kind, frames = type(error).__name__, traceback.format_tb(error.__traceback__)
            text = "Error handling a request: %s, id %s\n%s"
            log.error(text, kind, fault.request_id, "".join(frames))
            if self.wrote_header:
                raise BrokenPipeError("the answer is broken off") from error
            self.request.error = fault
            Refusal(self.channel, self.request).execute()
            self.close_on_finish = self.wrote_header = True
        worker.count_answer()

    def set_close_on_finish(self) -> None:
        """End the connection after the answer; not because it is chunked, which says its end."""
        if not self.chunked_response:
            super().set_close_on_finish()

    def get_environment(self) -> dict[str, Any]:
        """Return the variables of WSGI."""
        environ: dict[str, Any] = super().get_environment()
        environ[SOCKET] = self.channel.socket
        environ[COUNTS] = self.channel.worker.counts
        environ["wsgi.url_scheme"] = self.channel.worker.scheme(environ)
        return environ


class Channel(HTTPChannel):  # type: ignore[misc]
    """A client's connection.

    Attributes:
        ahead: what has come after the request that is answered now.
        watched: the events that the loop looks at.
        has_asked: whether any request has come, or a part of one.
        lingering_since_s: when its sending half was closed, by `time.time`.
        is_in_line: whether its request waits until another translation is done.
    """

    task_class, error_task_class = Answer, Refusal
    request: Parser | None
    close_when_flushed: bool

    def __init__(self, worker: BufferingWorker, *args: Any, **kwargs: Any) -> None:
        self.worker = worker
        self.parser_class = partial(Parser, self)
        self.ahead = b""
        self.watched = 0
        self.has_asked = False
        self.lingering_since_s: float | None = None
        self.discarded_bytes = 0
        self.is_in_line = False
        super().__init__(*args, **kwargs)
        worker.opened(self)

    @property
    def is_open(self) -> bool:
        """Return whether it has not been closed."""
        return self._fileno is not None

    def waits(self) -> tuple[Phase, float] | None:
        """Return what it waits for and since when; None while a thread has its request."""
        if self.lingering_since_s is not None:
            return Phase.LINGERING, self.lingering_since_s
        if self.total_outbufs_len:
            return Phase.SENDING, self.last_activity
        if self.requests or self.close_when_flushed:
            return None
        if self.request is not None:
            phase = Phase.BODY if self.request.headers_finished else Phase.HEAD
            return phase, self.request.since_s
        return Phase.IDLE if self.has_asked else Phase.HEAD, self.last_activity

    @property
    def held_bytes(self) -> int:
        """Return how much memory it holds, in both directions; not what is sent from a file."""
        unsent = [buf for buf in self.outbufs if not isinstance(buf, ReadOnlyFileBasedBuffer)]
        requests = [*self.requests, self.request] if self.request else list(self.requests)
        num_bytes: int = sum(map(len, unsent)) + sum(one.held_bytes for one in requests)
        return num_bytes

    def received(self, data: bytes) -> bool:
        """Read what has come."""
        taken: bool = super().received(data)
        self.has_asked = True
        self.worker.took(len(data))
        return taken

    def refuse(self, code: int, message: str) -> None:
        """Answer the request that is coming with an error, and close."""
        assert self.request is not None
        with self.requests_lock:
            self.request.error, self.request.completed = Refused(code, message), True
            self.request.close()  # what has come of it is not needed any more
            self.requests.append(self.request)
            self.request = None
        self.server.add_task(self)
        self.worker.look_at(self)

    def refuse_as_full(self) -> None:
        """Answer without a thread and the application, which would take longer than to say no."""
        self.worker.counts.refused += 1
        self.requests[0].error = Refused(503, FULL.format(self.worker.service.concurrency_limit))
        self.service()
        self.worker.look_at(self)

    def readable(self) -> bool:
        """Return whether bytes are awaited, having read those that came ahead."""
        if self.ahead and self.lingering_since_s is None and super().readable():
            ahead, self.ahead = self.ahead, b""
            self.received(ahead)
        return self.lingering_since_s is not None or bool(super().readable())

    def handle_read(self) -> None:
        """Read; what comes while it is lingering is thrown away, up to a limit."""
        if self.lingering_since_s is None:
            super().handle_read()
            return
        self.discarded_bytes += len(self.recv(READ_BYTES))
        if self.discarded_bytes > MAX_DISCARDED_BYTES:
            self.handle_close()

    def write_soon(self, data: Any) -> int:
        """Send some of an answer, in a thread: from now on the client has time to take it."""
        self.last_activity = time.time()
        num_bytes: int = super().write_soon(data)
        return num_bytes

    def handle_write(self) -> None:
        """Send what the client takes; after the last answer, close the sending half.

        Who closes all while the client still sends takes from it what it has not yet read.
        """
        if self.total_outbufs_len:
            self._flush_exception(self._flush_some_if_lockable)
        if self.close_when_flushed and not self.total_outbufs_len and self.connected:
            self.close_when_flushed, self.lingering_since_s = False, time.time()
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:
                self.will_close = True
        if self.will_close:
            self.handle_close()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send some bytes; a BrokenPipeError says that a file became shorter meanwhile."""
        if not data:
            raise BrokenPipeError("a file became shorter while it was sent")
        sent: int = super().send(data, do_close=do_close)
        return sent

    def handle_close(self) -> None:
        """Close it."""
        if self.is_open:
            self.worker.forget(self)
        super().handle_close()


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
    alive: bool
    service: ServiceConfig
    watch: Watch
    _trigger: BaseWSGIServer | None = None

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
        self.watch = Watch(self.wsgi)
        self.watch.ask()
        self.service = ServiceConfig.from_environment(os.environ)
        self.counts = Counts()

    def run(self) -> None:
        """Serve until told to stop, and then finish what has begun."""
        self.watch.start()
        if self.cfg.is_ssl or self.cfg.proxy_protocol != "off" or self.cfg.protocol != "http":
            self.log.warning(
                "TLS or another protocol: slow clients hold threads; put a reverse proxy in front"
            )
            super().run()
        else:
            self._serve()
        self.watch.stop()

    def _serve(self) -> None:
        self._open()
        while self.alive and self.ppid == os.getppid():
            self._turn(BEAT_S)
        self.alive = False
        for listener in self._listeners:
            self._poll.unregister(listener.socket)  # gunicorn's main process has it still open
            listener.del_channel()
            listener.socket.close()
        self._sweep()
        end_s = time.monotonic() + self.cfg.graceful_timeout
        while self.counts.connections and (left_s := end_s - time.monotonic()) > 0:
            self._turn(min(BEAT_S, left_s))
        self._threads.shutdown(timeout=1)

    def _open(self) -> None:
        self.max_connections = raise_file_limit(self.cfg.worker_connections)
        self._held_bytes = self._taken_bytes = 0
        self._swept_s = 0.0
        self._map: dict[int, wasyncore.dispatcher] = {}
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short queue is no fault
        self._threads = Line(self.wsgi, self.service)
        self._threads.set_thread_count(self.cfg.threads)
        self._listeners = [self._listen(listener.sock) for listener in self.sockets]
        self._poll, self._busy = select.epoll(), set[Channel]()
        for descriptor in self._map:
            self._poll.register(descriptor, select.EPOLLIN)
        self._trigger = self._listeners[0]

    def _listen(self, listener: socket.socket) -> BaseWSGIServer:
        server = create_server(
            self.wsgi,
            map=self._map,
            _dispatcher=self._threads,  # waitress would not mix Unix sockets with others
            sockets=[listener],
            backlog=self.cfg.backlog,
            ident=None,
            server_name="localhost",
            clear_untrusted_proxy_headers=False,  # the application reads them
            max_request_header_size=MAX_HEAD_BYTES,
            max_request_body_size=self.service.max_body_bytes + CHUNKING_BYTES,
            inbuf_overflow=UNLIMITED,  # texts are not written to a disk
            outbuf_overflow=UNLIMITED,
            connection_limit=UNLIMITED,  # `opened` has one
            cleanup_interval=UNLIMITED,  # `_sweep` does it
            log_socket_errors=False,
        )
        server.channel_class = partial(Channel, self)
        return server

    def _turn(self, timeout_s: float) -> None:
        self.notify()
        for channel in [*self._busy]:
            self.look_at(channel)
        for descriptor, events in self._poll.poll(timeout_s):
            dispatcher = self._map.get(descriptor)
            if dispatcher is not None:
                wasyncore.readwrite(dispatcher, events)
            if isinstance(dispatcher, Channel):
                self.look_at(dispatcher)
        self._threads.turn()
        if not self._swept_s <= time.time() < self._swept_s + BEAT_S:
            self._sweep()

    def look_at(self, channel: Channel) -> None:
        """Have the next turns wait for what a connection waits for now.

        waitress itself asks every connection at every turn, which thousands of silent ones make
        slow. What one waits for changes after an event, and while a thread has its request.
        """
        if not channel.is_open:
            return
        is_busy = bool(channel.requests)
        events = select.EPOLLIN if channel.readable() else 0
        events |= select.EPOLLOUT if channel.writable() else 0
        if events != channel.watched:
            if channel.watched:
                self._poll.unregister(channel.socket)
            if events:
                self._poll.register(channel.socket, events)
            channel.watched = events
        if (is_busy or channel.requests) and not channel.is_in_line:
            self._busy.add(channel)
        else:
            self._busy.discard(channel)

    def opened(self, channel: Channel) -> None:
        """Count a connection; if there are too many, close some that have waited longest."""
        self.look_at(channel)
        self.counts.connections += 1
        if self.counts.connections > self.max_connections:
            several = 1 + self.max_connections // 64
            for oldest, phase, _ in heapq.nsmallest(several, self._waiting(), key=lambda w: w[2]):
                self.counts.dropped += phase is not Phase.LINGERING
                oldest.handle_close()

    def forget(self, channel: Channel) -> None:
        """Count a connection no more, which is about to be closed."""
        if channel.watched:
            self._poll.unregister(channel.socket)
        self._busy.discard(channel)
        self.counts.connections -= 1

    def took(self, num_bytes: int) -> None:
        """Count what has been received."""
        self._taken_bytes += num_bytes
        if self._held_bytes + self._taken_bytes > self.max_held_bytes:
            self._free_memory()

    def _sweep(self) -> None:
        """Close what has waited for too long; who has sent a part of a request is told why."""
        self._swept_s = now_s = time.time()
        timeouts_s = {Phase.IDLE: self.cfg.keepalive, **self.timeouts_s}
        for channel, phase, since_s in self._waiting():
            is_begun = phase in (Phase.HEAD, Phase.BODY) and channel.request is not None
            is_unused = phase in (Phase.IDLE, Phase.HEAD) and not is_begun and not self.alive
            if now_s < since_s + (UNDER_WAY_S if is_unused else timeouts_s[phase]):
                continue
            if is_begun:
                self.counts.timed_out += 1
                channel.refuse(408, "the request is too slow")
            else:
                channel.handle_close()
        self._free_memory()

    def _free_memory(self) -> None:
        """Close the connections that hold most if all together hold too much."""
        held = {channel: channel.held_bytes for channel in self._channels()}
        self._held_bytes, self._taken_bytes = sum(held.values()), 0
        if self._held_bytes <= self.max_held_bytes:
            return
        for channel, phase, _ in sorted(self._waiting(), key=lambda waits: -held[waits[0]]):
            if self._held_bytes <= self.max_held_bytes or held[channel] <= READ_BYTES:
                return
            self.counts.dropped += 1
            self._held_bytes -= held[channel]
            if phase is Phase.BODY:
                channel.refuse(503, "the server is reading too many long requests")
            else:
                channel.handle_close()

    def _channels(self) -> list[Channel]:
        return [one for one in self._map.values() if isinstance(one, Channel)]

    def _waiting(self) -> Iterator[tuple[Channel, Phase, float]]:
        for channel in self._channels():
            if (waits := channel.waits()) is not None:
                yield channel, *waits

    def count_answer(self) -> None:
        """Count an answer, in a thread; gunicorn has a worker replaced after `max_requests`."""
        self.nr += 1
        if self.nr >= self.max_requests and self.alive:
            self.log.info("Autorestarting worker after current request.")
            self.alive = False

    def scheme(self, environ: Mapping[str, Any]) -> str:
        """Return that of the address a client has asked for, as gunicorn's settings tell it."""
        says_secure = any(
            environ.get("HTTP_" + name.replace("-", "_")) == content
            for name, content in self.cfg.secure_scheme_headers.items()
        )
        return "https" if says_secure and self._trusts(environ["REMOTE_ADDR"]) else "http"

    def _trusts(self, address: str) -> bool:
        trusted = self.cfg.forwarded_allow_ips
        if "*" in trusted or address == "localhost":  # which a Unix socket has
            return True
        client = ipaddress.ip_address(address)
        return any(client in ipaddress.ip_network(network) for network in trusted)

    def notify(self) -> None:
        """Tell gunicorn's main process that this one lives, unless the application is ill."""
        super().notify()
        if self.watch.ill_s > self.ill_s:
            self.log.critical("The application has been ill for %.0f s; ending", self.watch.ill_s)
            os._exit(EXIT_ILL)  # its threads cannot be joined

    def handle_exit(self, sig: int, frame: object) -> None:
        """Stop, at a signal, which is seen as soon as the turn ends."""
        super().handle_exit(sig, frame)
        if self._trigger is not None:
            self._trigger.pull_trigger()


def raise_file_limit(connections: int) -> int:
    """Let the process open as many files as `connections` need; return how many it can have."""
    needed = connections + SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    most = connections if soft == resource.RLIM_INFINITY else soft - SPARE_DESCRIPTORS
    return min(connections, most)
