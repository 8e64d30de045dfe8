"""What is written down of each request, and how lines of the log look.

A line never has the text of a request, its query string, a key or an address.
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from flask import Flask, Request, Response, current_app, g, has_request_context, request
from werkzeug.exceptions import MethodNotAllowed

from service.http.endpoint import endpoint_in_hand
from service.http.metrics import Metrics

LogFormat = Literal["plain", "json"]
FIELDS = "fields"
"""Attribute of a record that has further values, by name."""


class PlainFormatter(logging.Formatter):
    """`time level message`."""

    converter = staticmethod(time.gmtime)
    default_time_format, default_msec_format = "%Y-%m-%dT%H:%M:%S", "%s.%03dZ"

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, and a traceback if there is one."""
        return f"{self.formatTime(record)} {record.levelname} {super().format(record)}"


class JsonFormatter(PlainFormatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line; a traceback is one of its values."""
        line: dict[str, Any] = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


FORMATTERS = {"plain": PlainFormatter, "json": JsonFormatter}


def last_line(message: str, log_format: str) -> str:
    """Return what a server says that cannot start: as people read it, or as JSON like all lines."""
    if log_format != "json":
        return f"error: {message}"
    record = logging.LogRecord("service", logging.CRITICAL, "", 0, message, None, None)
    return JsonFormatter().format(record)


def configure(log_format: LogFormat) -> None:
    """Send the lines of all libraries, and of requests, to the standard error.

    Under gunicorn that has been done by `gunicorn_config`.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATTERS[log_format]())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("service").setLevel(logging.INFO)


def gunicorn_config(log_format: LogFormat) -> dict[str, Any]:
    """Return the logging of gunicorn itself, as `logging.config.dictConfig` reads it."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"generic": {"()": FORMATTERS[log_format]}},
        "handlers": {"error_console": {"class": "logging.StreamHandler", "formatter": "generic"}},
        "root": {"level": "WARNING", "handlers": ["error_console"]},
        "loggers": {"gunicorn.error": {"handlers": ["error_console"], "propagate": False}},
    }


COUNTS = "translator.worker.counts"
"""Where the worker puts its counts among the variables of WSGI; see `service.worker`."""

HEADER = "X-Request-ID"
SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
ID_BYTES = 16
METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"}
UNKNOWN, OTHER = "unknown", "other"
log = logging.getLogger("service.requests")


@dataclass(slots=True)
class Record:
    """One request.

    Attributes:
        id: of the client, if that is sane, or a new one.
        method: of HTTP; `other` if it is none that is known.
        endpoint: the route, with names in place of what varies; `unknown` if there is none, since
            what was asked for may be a text.
        started_s: on the clock of `time.perf_counter`.
        seconds: until the answer was made.
        lock: of the counts of texts, to which several threads of one request may add.
    """

    id: str
    method: str
    endpoint: str
    started_s: float
    seconds: float = 0.0
    status: int = 0
    num_texts: int = 0
    num_characters: int = 0
    is_quiet: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def of(cls, incoming: Request) -> Record:
        """Begin with what a request says of itself."""
        given = incoming.headers.get(HEADER, "")
        endpoint = endpoint_in_hand()
        return cls(
            id=given if SANE_ID.fullmatch(given) else new_id(),
            method=incoming.method if incoming.method in METHODS else OTHER,
            endpoint=_rule_of(incoming),
            started_s=time.perf_counter(),
            is_quiet=endpoint is not None and endpoint.is_quiet,
        )

    def line(self) -> str:
        """Return it for people."""
        work = f", {self.num_texts} texts, {self.num_characters} characters"
        return (
            f"{self.method} {self.endpoint} {self.status} {self.seconds:.3f} s"
            f"{work if self.num_texts else ''}, id {self.id}"
        )

    def fields(self) -> dict[str, str | int | float]:
        """Return it for programs."""
        return {
            "id": self.id,
            "method": self.method,
            "path": self.endpoint,
            "status": self.status,
            "seconds": round(self.seconds, 6),
            "texts": self.num_texts,
            "characters": self.num_characters,
        }


def _rule_of(incoming: Request) -> str:
    """Return the route of a request, also if it does not take the method."""
    rule, error = incoming.url_rule, incoming.routing_exception
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        routes = current_app.create_url_adapter(incoming)
        assert routes is not None
        rule, _ = routes.match(method=next(iter(error.valid_methods)), return_rule=True)
    return rule.rule if rule else UNKNOWN


def new_id() -> str:
    """Return an ID for a request that has brought none, or could not be read."""
    return os.urandom(ID_BYTES).hex()


def note_texts(num_texts: int, num_characters: int) -> None:
    """Write down what the request in hand has the translator do."""
    record: Record | None = g.get("record") if has_request_context() else None
    if record is not None:
        with record.lock:
            record.num_texts += num_texts
            record.num_characters += num_characters


def record_requests(app: Flask, metrics: Metrics | None, logs: bool) -> None:
    """Count and log every request of an application; call it before all other hooks."""

    @app.before_request
    def begin() -> None:
        g.record = Record.of(request)
        if metrics is not None:
            metrics.read_worker(request.environ.get(COUNTS))

    @app.after_request
    def end(response: Response) -> Response:
        record: Record | None = g.get("record")
        if record is None:  # the request could not even be begun
            return response
        response.headers[HEADER] = record.id
        record.status = response.status_code
        finish = partial(_finish, record, metrics, logs)
        if response.is_streamed and not response.direct_passthrough:
            response.call_on_close(finish)
        else:
            finish()
        return response


def _finish(record: Record, metrics: Metrics | None, logs: bool) -> None:
    record.seconds = time.perf_counter() - record.started_s
    if metrics is not None:
        metrics.count(
            endpoint=record.endpoint,
            method=record.method,
            status=record.status,
            seconds=record.seconds,
        )
        metrics.count_texts(record.num_texts, record.num_characters)
    if logs and (not record.is_quiet or record.status >= 400):
        _log(record)


def _log(record: Record) -> None:
    """Log a request; not by `log.info`, which looks for the line of code that logs."""
    if log.isEnabledFor(logging.INFO):
        extra = {FIELDS: record.fields()}
        made = log.makeRecord(log.name, logging.INFO, "", 0, record.line(), (), None, extra=extra)
        log.handle(made)
