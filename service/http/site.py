"""Under which name a client has reached the service: what its links begin with."""

from __future__ import annotations

import re

from flask import request
from werkzeug.exceptions import BadRequest

_HOST = re.compile(r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{0,5}))?", re.ASCII)
MAX_PORT = 65535


def refuse_wrong_host() -> None:
    """Refuse a request whose header Host is no name or address with a port, or that has two."""
    host = request.headers.get("Host", "")
    match = _HOST.fullmatch(host)
    if host and (match is None or int(match[1] or 1) not in range(1, MAX_PORT + 1)):
        raise BadRequest("Malformed request: the header Host names no server")


def origin() -> str:
    """Return scheme and host as the client has named them; empty if it has named none."""
    host = request.headers.get("Host", "")  # request.host leaves out names with an underscore
    return f"{request.scheme}://{host}" if host else ""
