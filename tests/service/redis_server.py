"""A real Redis, for tests of what servers share."""

from __future__ import annotations

import shutil
import socket
import subprocess

from tests.ports import free_port
from tests.waiting import wait_until


class Redis:
    """A real server, on a port of its own."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16) == b"+PONG\r\n"
        except OSError:
            return False

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)
