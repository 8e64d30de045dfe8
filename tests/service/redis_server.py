"""A real Redis, for tests of what servers share."""

from __future__ import annotations

import shutil
import socket
import subprocess

from tests.ports import free_port
from tests.waiting import wait_until


class Redis:
    """A real server, on a port of its own."""

    def __init__(self, password: str = "") -> None:
        self.port, self._password = free_port(), password
        user = f":{password}@" if password else ""
        self.url = f"redis://{user}127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        options += ["--requirepass", self._password]
        self.process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)
