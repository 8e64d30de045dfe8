"""The client's end of a connection."""

from __future__ import annotations

import select
import socket
from functools import partial

from flask import Request
from werkzeug.exceptions import HTTPException

from service.config import ServiceConfig
from translator.patience import Patience

SOCKET = "gunicorn.socket"
"""Where gunicorn, and the worker, keep a request's connection among the variables of WSGI."""


class ClientGone(HTTPException):
    """The client has closed the connection; nginx's status for the logs, since no one reads it."""

    code = 499
    description = "The client has closed the connection"


def raise_if_gone(connection: socket.socket | None) -> None:
    """Raise ClientGone if the other end has been closed; None is unknown, so still there.

    A client that has only shut down its sending half cannot be told from one that is gone, and is
    taken for it, as nginx does: clients of HTTP hardly ever do that. One that sends its next
    request ahead is still there; asking for the end alone, not for bytes, tells that.
    """
    if connection is None:
        return
    if connection.fileno() < 0:  # the worker has closed it, as it does if the answer is not read
        raise ClientGone
    poll = select.poll()
    poll.register(connection, select.POLLRDHUP)
    if poll.poll(0):
        raise ClientGone


def patience_of(config: ServiceConfig, request: Request) -> Patience:
    """Return how long the client of a request waits, from now on: as long as it is there."""
    look = partial(raise_if_gone, request.environ.get(SOCKET))
    return Patience.within(config.timeout_s or None, look)
