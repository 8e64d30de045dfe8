"""The service as it is run, over a translator without a model."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from tests.checkout import ROOT

PATIENCE_S = 120
APPLICATION = """
from tests.service.conftest import FakeTranslator, make_app

app = make_app(FakeTranslator())
app.test_client().post("/detect", json={"q": "Hallo"})  # loads the detector
"""


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server with the service's own worker."""
    folder = tmp_path_factory.mktemp("contract")
    (folder / "faked.py").write_text(APPLICATION)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "service", f"--pythonpath={ROOT},{folder}", "faked:app"]
    log = folder / "log"
    with (
        log.open("w") as stream,
        subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "TRANSLATOR_PORT": str(port)},
            stdout=stream,
            stderr=stream,
        ) as process,
    ):
        try:
            end_s = time.monotonic() + PATIENCE_S
            while not is_well(port):
                assert process.poll() is None, f"the server has ended:\n{log.read_text()}"
                assert time.monotonic() < end_s, f"the server does not answer:\n{log.read_text()}"
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def is_well(port: int) -> bool:
    """Whether a server on this port says that it is well."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
