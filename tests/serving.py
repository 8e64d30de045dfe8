"""The service as a process of its own, for tests that ask it over HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.checkout import ROOT
from tests.ports import free_port

TIMEOUT_S = 240


@contextmanager
def serving(
    log: Path, *application: str, folder: Path = ROOT, environment: Mapping[str, str] = os.environ
) -> Iterator[int]:
    """Run the service on a free port until the end, and yield the port when it answers.

    Args:
        log: file that receives what it says.
        application: arguments of `python -m service`.
        folder: where it runs.
        environment: of the process; the port is added.
    """
    port = free_port()
    with (
        log.open("w") as stream,
        subprocess.Popen(
            [sys.executable, "-m", "service", *application],
            cwd=folder,
            env={**environment, "TRANSLATOR_PORT": str(port)},
            stdout=stream,
            stderr=stream,
        ) as process,
    ):
        try:
            end_s = time.monotonic() + TIMEOUT_S
            while not is_healthy(port):
                assert process.poll() is None, f"the service has ended:\n{log.read_text()}"
                assert time.monotonic() < end_s, f"the service does not answer:\n{log.read_text()}"
                time.sleep(0.1)
            yield port
        finally:
            process.terminate()
            process.wait(TIMEOUT_S)


def is_healthy(port: int) -> bool:
    """Whether a service on this port says that it is well."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
