"""Lines of the log: for people, or as JSON."""

from __future__ import annotations

import json
import logging
import time
from typing import Any, Literal

LogFormat = Literal["plain", "json"]
FIELDS = "fields"
"""Attribute of a record that has further values, by name."""


class PlainFormatter(logging.Formatter):
    """`time level message`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, and a traceback if there is one."""
        return f"{_time_of(record)} {record.levelname} {super().format(record)}"


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line; a traceback is one of its values."""
        line: dict[str, Any] = {
            "time": _time_of(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def formatter(log_format: LogFormat) -> logging.Formatter:
    """Return what makes lines."""
    return JsonFormatter() if log_format == "json" else PlainFormatter()


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
    handler.setFormatter(formatter(log_format))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("service").setLevel(logging.INFO)


def gunicorn_config(log_format: LogFormat) -> dict[str, Any]:
    """Return the logging of gunicorn itself, as `logging.config.dictConfig` reads it."""
    factory = "JsonFormatter" if log_format == "json" else "PlainFormatter"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"generic": {"()": f"{__name__}.{factory}"}},
        "handlers": {
            "error_console": {"class": "logging.StreamHandler", "formatter": "generic"},
        },
        "root": {"level": "WARNING", "handlers": ["error_console"]},
        "loggers": {
            "gunicorn.error": {"handlers": ["error_console"], "propagate": False},
        },
    }


def _time_of(record: logging.LogRecord) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{whole}.{int(record.msecs):03d}Z"
