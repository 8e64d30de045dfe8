"""The service as it is run, over a translator without a model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.server import serving_app


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server with the service's own worker."""
    folder = tmp_path_factory.mktemp("contract")
    config = f"ServiceConfig(database={str(folder / 'database')!r})"
    with serving_app(folder, f"app = make_app(FakeTranslator(), {config})") as address:
        yield address
