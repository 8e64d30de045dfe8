"""Ports for servers of tests, of which several processes may run at once."""

from __future__ import annotations

import os
import secrets
import socket

FIRST, NUM_PORTS, NUM_WORKERS = 12_000, 400, 50
"""Below 32,768, where systems take ports for those who name none."""


def free_port() -> int:
    """Return a port at which nothing listens, and which no other process of the tests chooses."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    first = FIRST + worker % NUM_WORKERS * NUM_PORTS
    while True:
        port = first + secrets.randbelow(NUM_PORTS)
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:  # taken by somebody else
            continue
