"""Whether the server can listen where it shall, found out before gunicorn tries.

gunicorn says in eleven lines that a port is in use.
"""

from __future__ import annotations

import errno
import os
import socket
import time
from typing import TYPE_CHECKING

from translator.errors import ConfigError

if TYPE_CHECKING:
    from gunicorn.arbiter import Arbiter

STOPPING_S = 5.0
"""How long a server that is being restarted may hold its port."""


class PortInUseError(ConfigError):
    """Another program listens there."""


def require_addresses(server: Arbiter) -> None:
    """Refuse a start whose addresses cannot be listened on.

    A server that takes over another one's sockets, or systemd's, has its addresses already. Where
    only the settings are checked, a port that is in use is a warning.

    Raises:
        ConfigError: naming the address, and what to do.
    """
    if server.master_pid or "LISTEN_FDS" in os.environ:
        return
    is_check = server.cfg.check_config
    for host, port in [address for address in server.cfg.address if isinstance(address, tuple)]:
        try:
            require_free(host, port, wait_s=0 if is_check else STOPPING_S)
        except PortInUseError as error:
            if not is_check:
                raise
            server.log.warning("%s", error)  # the server that this one shall replace may have it


def require_free(host: str, port: int, wait_s: float) -> None:
    """Refuse a host and port that cannot be listened on; wait for one that is in use.

    Raises:
        ConfigError: naming the address, and what to do.
    """
    end = time.monotonic() + wait_s
    while (error := _listening_error(host, port)) is not None:
        if error.errno != errno.EADDRINUSE:
            problem = f"cannot listen at {host}:{port} ({error.strerror})"
            problem += "; change TRANSLATOR_HOST or TRANSLATOR_PORT"
            raise ConfigError([problem], "address")
        if time.monotonic() > end:
            problem = f"port {port} is in use by another program"
            problem += "; stop that one, or set TRANSLATOR_PORT to another port"
            raise PortInUseError([problem], "address")
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
