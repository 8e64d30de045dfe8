"""A client whose database is gone after the test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app

KEY = {"Authorization": "DeepL-Auth-Key someone"}
MakeClient = Callable[..., FlaskClient]


@pytest.fixture
def make_client(tmp_path: Path, translator: FakeTranslator) -> MakeClient:
    """Return what makes a client of a service with some settings."""

    def make(**settings: Any) -> FlaskClient:
        values = {"database": str(tmp_path / "database"), **settings}
        return make_app(translator, ServiceConfig(**values)).test_client()

    return make


@pytest.fixture
def client(make_client: MakeClient) -> FlaskClient:
    return make_client()
