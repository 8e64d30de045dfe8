"""One Chromium for all tests, and two servers: a faked one, and one with the shipped model."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.chromium import MISSING, Chromium
from tests.checkout import ROOT

PATIENCE_S = 240
APPLICATION = """
from tests.browser.faked import FakedTranslator
from tests.service.conftest import detector, make_app

app = make_app(FakedTranslator())
app.test_client().post("/detect", json={"q": "Hallo"})  # loads the detector
"""

needs_chromium = pytest.mark.skipif(
    shutil.which("chromium") is None and shutil.which("google-chrome") is None, reason=MISSING
)
"""For the short tests: `.ci/run` installs Chromium, so there they are never left out."""


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    started = Chromium(tmp_path_factory.mktemp("chromium"))
    yield started
    started.close()


@contextmanager
def serving(folder: Path, *application: str, **settings: str) -> Iterator[str]:
    """Run the service until the end, and yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url, log = f"http://127.0.0.1:{port}", folder / "log"
    environment = {**os.environ, "TRANSLATOR_PORT": str(port), **settings}
    command = [sys.executable, "-m", "service", *application]
    with (
        log.open("w") as stream,
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=stream, stderr=stream
        ) as process,
    ):
        try:
            end_s = time.monotonic() + PATIENCE_S
            while not answers(url):
                assert process.poll() is None, f"the server has ended:\n{log.read_text()}"
                assert time.monotonic() < end_s, f"the server does not answer:\n{log.read_text()}"
                time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="session")
def faked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that copies texts, with languages and faults that the shipped model has not."""
    folder = tmp_path_factory.mktemp("faked")
    (folder / "faked_app.py").write_text(APPLICATION)
    with serving(folder, f"--pythonpath={ROOT},{folder}", "faked_app:app") as url:
        yield url


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The shipped model, in float32, which needs no compiling."""
    folder = tmp_path_factory.mktemp("real")
    with serving(folder, TRANSLATOR_PRECISION="float32") as url:
        yield url
