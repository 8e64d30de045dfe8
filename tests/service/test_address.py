"""An address that cannot be listened on is told in one line."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from service.address import require_addresses, require_free
from tests.checkout import ROOT
from translator.errors import ConfigError


def listening() -> tuple[socket.socket, int]:
    held = socket.create_server(("127.0.0.1", 0))
    return held, held.getsockname()[1]


def test_a_port_in_use_is_named_with_what_to_do() -> None:
    held, port = listening()
    with held, pytest.raises(ConfigError) as caught:
        require_free([("127.0.0.1", port)], wait_s=0)
    expected = f"port {port} is in use by another program; stop that one, or set TRANSLATOR_PORT"
    assert expected in str(caught.value)


def test_a_server_that_is_stopping_is_waited_for() -> None:
    held, port = listening()
    closing = threading.Timer(0.3, held.close)
    closing.start()
    require_free([("127.0.0.1", port)], wait_s=60)
    closing.join()


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_a_host_that_is_not_this_machine_is_named(host: str) -> None:
    with pytest.raises(ConfigError, match=rf"cannot listen at {host}:5000 \(.+TRANSLATOR_HOST"):
        require_free([(host, 5000)], wait_s=0)


def test_sockets_that_are_taken_over_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    held, port = listening()
    cfg = SimpleNamespace(address=[("127.0.0.1", port), "unix.sock"])
    with held:
        require_addresses(SimpleNamespace(master_pid=7, cfg=cfg))
        monkeypatch.setenv("LISTEN_FDS", "1")
        require_addresses(SimpleNamespace(master_pid=0, cfg=cfg))


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"TRANSLATOR_HOST": "192.0.2.1"}, "error: address: cannot listen at 192.0.2.1:5000"),
        ({"TRANSLATOR_MODEL": "/nowhere"}, "error: /nowhere: no such model directory"),
    ],
)
def test_a_server_that_cannot_start_says_so_last_and_once(
    variables: dict[str, str], message: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "service", "--log-level", "warning"],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith(message)
