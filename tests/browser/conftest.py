"""One Chromium for all tests, and two servers: a faked one, and one with the shipped model."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

from tests.browser.chromium import MISSING, Chromium
from tests.browser.page import Page
from tests.service.server import serving_app
from tests.serving import serving
from translator.pipeline.translator import DEFAULT_MODEL
from translator.store.model_directory import read_description

APPLICATION = """
from tests.browser.faked import FakedTranslator
app = make_app(FakedTranslator(), ServiceConfig(SETTINGS))
"""
"""See `serving_app`."""

MODEL = read_description((DEFAULT_MODEL / "config.json").read_bytes(), DEFAULT_MODEL).model
"""The sizes of the shipped model."""

needs_chromium = pytest.mark.skipif(
    shutil.which("chromium") is None and shutil.which("google-chrome") is None, reason=MISSING
)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    started = Chromium(tmp_path_factory.mktemp("chromium"))
    yield started
    started.close()


@pytest.fixture
def page(browser: Chromium, faked: str) -> Iterator[Page]:
    with browser.page(f"{faked}/") as opened:
        yield opened
        assert all(url.startswith((faked, "data:")) for url in opened.requests())


@pytest.fixture(scope="session")
def faked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that copies texts, with languages and faults that the shipped model has not."""
    folder = tmp_path_factory.mktemp("faked")
    settings = f"database={str(folder / 'database.sqlite')!r}, suggestions_limit=9"
    with serving_app(folder, APPLICATION.replace("SETTINGS", settings)) as address:
        yield address


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The shipped model, in float32, which needs no compiling."""
    environment = {**os.environ, "TRANSLATOR_PRECISION": "float32"}
    with serving(tmp_path_factory.mktemp("real") / "log", environment=environment) as port:
        yield f"http://127.0.0.1:{port}"
