"""A server of files, as a place that is not this machine's disk."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.ports import free_port

TIMEOUT_S = 60


@contextmanager
def ftp_server(folder: Path) -> Iterator[str]:
    """Serve a folder for reading and writing; return its URL."""
    port = free_port()
    command = [sys.executable, "-m", "pyftpdlib", "--interface", "127.0.0.1", "--port", str(port)]
    command += ["--write", "--directory", str(folder), "--username", "user", "--password", "word"]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, stdout=quiet, stderr=quiet)
    try:
        end_s = time.monotonic() + TIMEOUT_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert server.poll() is None, "the server has ended"
                assert time.monotonic() < end_s, "the server does not listen"
                time.sleep(0.05)
        yield f"ftp://user:word@127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()
