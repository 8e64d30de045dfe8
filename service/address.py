"""Whether the server can listen where it shall, found out before gunicorn tries.

gunicorn says in eleven lines that a port is in use.
"""

from __future__ import annotations

import errno
import os
import socket
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from translator.errors import ConfigError

if TYPE_CHECKING:
    from gunicorn.arbiter import Arbiter

STOPPING_S = 5.0
"""How long a server that is being restarted may hold its port."""


def require_addresses(server: Arbiter) -> None:
    """Refuse a start whose addresses cannot be listened on.

    A server that takes over another one's sockets, or systemd's, has its addresses already.

    Raises:
        ConfigError: naming the address, and what to do.
    """
    if server.master_pid or "LISTEN_FDS" in os.environ:
        return
    require_free(address for address in server.cfg.address if isinstance(address, tuple))


def require_free(addresses: Iterable[tuple[str, int]], wait_s: float = STOPPING_S) -> None:
    """Refuse the first host and port that cannot be listened on; wait for one that is in use.

    Raises:
        ConfigError: naming the address, and what to do.
    """
    end = time.monotonic() + wait_s
    for host, port in addresses:
        while (error := _listening_error(host, port)) is not None:
            if error.errno != errno.EADDRINUSE:
                problem = f"cannot listen at {host}:{port} ({error.strerror})"
                problem += "; change TRANSLATOR_HOST or TRANSLATOR_PORT"
                raise ConfigError([problem], "address")
            if time.monotonic() > end:
                problem = f"port {port} is in use by another program"
                problem += "; stop that one, or set TRANSLATOR_PORT to another port"
                raise ConfigError([problem], "address")
            time.sleep(0.1)


def _listening_error(host: str, port: int) -> OSError | None:
    try:
        [(family, kind, _, _, place), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            probe.listen()
    except OSError as error:
        return error
    return None
