"""Under which name a client has reached the service: what its links begin with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flask import request
from werkzeug.exceptions import BadRequest

from service.http.endpoint import endpoint_in_hand

_HOST = re.compile(r"(?P<name>[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>\d{0,5}))?", re.ASCII)
MAX_PORT = 65535


def refuse_wrong_host(trusted: Sequence[str]) -> None:
    """Refuse a request whose header Host is no name or address with a port, or that has two.

    If some are trusted, others are refused, too, but for what watches the server, by any address.
    """
    host = request.headers.get("Host", "")
    match = _HOST.fullmatch(host)
    if host and (match is None or int(match["port"] or 1) not in range(1, MAX_PORT + 1)):
        raise BadRequest("Malformed request: the header Host names no server")
    name = match["name"].lower() if match else ""
    if not name or not trusted or ((endpoint := endpoint_in_hand()) and endpoint.is_quiet):
        return
    if not any(name == one or (one[0] == "." and f".{name}".endswith(one)) for one in trusted):
        raise BadRequest("The header Host is no name of this server; set TRANSLATOR_TRUSTED_HOSTS")


def origin() -> str:
    """Return scheme and host as the client has named them; empty if it has named none."""
    host = request.headers.get("Host", "")  # request.host leaves out names with an underscore
    return f"{request.scheme}://{host}" if host else ""
