"""The service as it is run, over a translator without a model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.checkout import ROOT
from tests.serving import serving

APPLICATION = """
from pathlib import Path

from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app

config = ServiceConfig(database=str(Path(__file__).parent / "database"))
app = make_app(FakeTranslator(), config)
app.test_client().post("/detect", json={"q": "Hallo"})  # loads the detector
"""


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server with the service's own worker."""
    folder = tmp_path_factory.mktemp("contract")
    (folder / "faked.py").write_text(APPLICATION)
    arguments = f"--pythonpath={ROOT},{folder}", "faked:app"
    with serving(folder / "log", *arguments) as port:
        yield f"http://127.0.0.1:{port}"
