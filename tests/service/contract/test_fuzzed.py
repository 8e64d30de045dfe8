"""Requests made from the service's own description: no errors of the server, no other answers."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest
from flask import Flask, Response

from service.access.keys import KeyStore
from service.config import ServiceConfig
from service.http.endpoint import JSON, Endpoint, describe
from service.openapi import make_document
from service.operations.routes import HealthAnswer
from service.start.app import create_app
from tests.engines import CopyEngine
from tests.service.conftest import FakeTranslator, detector, make_app
from translator.engine.port import Engine
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel

NEVER_GUESSED = {"/translate_file", "/v2/document", "/downloads"}
"""What needs an ending of a file, or is switched off. An ID in an address is not guessed either."""

QUICK, MANY, ACCEPTED = 20, 200, {200, 201}
ADDRESSES = [
    (address, method)
    for address, methods in make_document(make_app(FakeTranslator()))["paths"].items()
    for method in methods
]


@pytest.fixture(scope="module")
def fuzzing() -> ModuleType:
    from tests.service.contract import fuzzing

    return fuzzing


@pytest.fixture
def described(fuzzing: ModuleType, loaded: LoadedModel, tmp_path: Path) -> Any:
    """Return the description of a service that copies, with a model that places tags and terms."""
    return describing(fuzzing, loaded, tmp_path)


def describing(fuzzing: ModuleType, loaded: LoadedModel, tmp_path: Path, **keys: Any) -> Any:
    translator = Translator(loaded, cast(Engine, CopyEngine()))
    config = ServiceConfig(
        **keys,
        char_limit=200,
        batch_limit=5,
        metrics="on",
        suggestions_limit=10_000,
        glossaries_limit=10_000,
        database=str(tmp_path / "database"),
    )
    app = create_app(config, translator, detector("de", "en"))
    return fuzzing.described_by(app)


@pytest.mark.parametrize(("address", "method"), ADDRESSES)
def test_every_address_answers_as_described(
    fuzzing: ModuleType, described: Any, address: str, method: str
) -> None:
    statuses = fuzzing.fuzz(described[address][method], fuzzing.RIGHT, QUICK)
    if address not in NEVER_GUESSED and "{" not in address:
        if not ACCEPTED & {*statuses}:  # by chance, or always?
            statuses = fuzzing.fuzz(described[address][method], fuzzing.RIGHT, MANY)
        assert ACCEPTED & {*statuses}, f"nothing has been accepted: {statuses}"
    if method in ("post", "put", "patch"):
        fuzzing.fuzz(described[address][method], fuzzing.WRONG, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize(("address", "method"), ADDRESSES)
def test_every_address_answers_many_requests_as_described(
    fuzzing: ModuleType, described: Any, address: str, method: str
) -> None:
    print(fuzzing.fuzz(described[address][method], fuzzing.RIGHT, MANY))
    if method in ("post", "put", "patch"):
        print("wrong requests:", fuzzing.fuzz(described[address][method], fuzzing.WRONG, MANY))


@pytest.fixture
def keyed(
    fuzzing: ModuleType, loaded: LoadedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Any, dict[str, str]]:
    """Return the description of a service that asks for a key, and a key.

    As LibreTranslate, it answers 400 to requests without one; schemathesis expects 401 or 403.
    """
    from schemathesis.specs.openapi import checks

    monkeypatch.setattr(checks, "AUTH_REJECTION_STATUSES", {400, 401, 403})
    description = describing(fuzzing, loaded, tmp_path, api_keys="required")
    key = KeyStore(str(tmp_path / "database")).add("someone")
    return description, {"Authorization": f"Bearer {key}"}


@pytest.mark.slow
@pytest.mark.parametrize(("address", "method"), ADDRESSES)
def test_every_address_asks_for_a_key_as_described(
    fuzzing: ModuleType, keyed: tuple[Any, dict[str, str]], address: str, method: str
) -> None:
    description, key = keyed
    fuzzing.fuzz(description[address][method], fuzzing.RIGHT, QUICK, key)
    if method in ("post", "put", "patch"):
        fuzzing.fuzz(description[address][method], fuzzing.WRONG, QUICK, key)


@pytest.mark.slow
def test_chains_of_requests_are_answered_as_described(
    fuzzing: ModuleType, described: Any, keyed: tuple[Any, dict[str, str]]
) -> None:
    fuzzing.fuzz_chains(described, QUICK)
    fuzzing.fuzz_chains(keyed[0], QUICK, keyed[1])


@pytest.mark.parametrize(
    ("status", "message"),
    [(200, "violates schema"), (418, "Undocumented status"), (500, "Server error")],
)
def test_what_is_not_as_described_is_found(fuzzing: ModuleType, status: int, message: str) -> None:
    app = Flask("small")

    @app.get("/health")
    @describe(Endpoint(summary="a", tag="a", answers={JSON: HealthAnswer}))
    def health() -> Response:
        return Response('{"status": "ill"}', status=status, mimetype=JSON)

    @app.get("/spec")
    def spec() -> dict[str, Any]:
        return make_document(app)

    operation = fuzzing.described_by(app)["/health"]["GET"]
    with pytest.raises(BaseExceptionGroup, match=message):
        fuzzing.fuzz(operation, fuzzing.RIGHT, 5)
