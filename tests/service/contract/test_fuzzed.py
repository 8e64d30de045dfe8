"""Requests made from the service's own description: no errors of the server, no other answers."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, cast

import pytest
import schemathesis
from flask import Flask, Response
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.core.failures import FailureGroup

from service.app import create_app
from service.config import ServiceConfig
from service.schemas.operations import HealthAnswer
from service.schemas.translate.events import StreamEvent
from service.specification.document import make_document
from service.specification.endpoint import JSON, Endpoint, describe
from tests.engines import CopyEngine
from tests.service.conftest import FakeTranslator, detector, make_app
from translator.engine.port import Engine
from translator.store.model_directory import LoadedModel
from translator.translate.translator import Translator

NEVER_GUESSED = {"/translate_file", "/v2/document"}
"""What needs an ending of a file. So does what has an ID in its address, which no one guesses."""

KEY = {"Authorization": "DeepL-Auth-Key someone"}

QUICK, MANY = 20, 200
ACCEPTED = [None, "application/x-ndjson", "text/event-stream", "*/*"]
CHECKED = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
)

ADDRESSES = [
    (address, method)
    for address, methods in make_document(make_app(FakeTranslator()))["paths"].items()
    for method in methods
]


@pytest.fixture
def described(loaded: LoadedModel, tmp_path: Path) -> Any:
    """Return the description of a service that copies, with a model that places tags and terms."""
    translator = Translator(loaded, cast(Engine, CopyEngine()))
    config = ServiceConfig(
        char_limit=200,
        batch_limit=5,
        metrics="on",
        suggestions_limit=10_000,
        glossaries_limit=10_000,
        database=str(tmp_path / "database"),
    )
    app = create_app(config, translator, detector("de", "en"))
    return schemathesis.openapi.from_wsgi("/spec", app)


def plausible(case: Case[Any], accepted: str | None) -> Case[Any]:
    """Give most requests languages that there are, since hardly any text is one by chance."""
    if accepted is not None:
        case.headers["Accept"] = accepted
    case.headers.update(KEY)
    body = case.body
    if not isinstance(body, dict):
        return case
    chance = zlib.crc32(repr(body).encode("utf-8", "replace"))
    if "source" in body and "target" in body:
        pairs = [("auto", "en"), ("de", "en"), ("en-GB", "de_DE"), (body["source"], "de")]
        source, target = pairs[chance % len(pairs)]
        case.body = {**body, "source": source, "target": target}
    elif chance % 4:
        case.body = in_dialect(body)
    return case


def in_dialect(body: dict[str, Any]) -> dict[str, Any]:
    """Give a request of another dialect languages that there are, and terms that are some."""
    usual = {
        "source_lang": "DE",
        "target_lang": "EN-US",
        "from": "de",
        "to": "en",
        "destination": ["德语", "英语"],
        "entries": "a\tb",
        "entries_format": "tsv",
        "formality": "prefer_less",
        "glossary_id": None,
        "glossary_ids": None,
    }
    body = {name: usual.get(name, value) for name, value in body.items()}
    parts = body.get("dictionaries")
    if isinstance(parts, list) and parts and isinstance(parts[0], dict):
        body["dictionaries"] = [in_dialect(parts[0])]
    return body


def fuzz(operation: Any, mode: GenerationMode, num_examples: int) -> dict[int, int]:
    """Make requests and check the answers; return how many had which status."""
    statuses: dict[int, int] = {}
    checks: Any = CHECKS.get_by_names([*CHECKED])
    cases = st.builds(plausible, operation.as_strategy(mode), st.sampled_from(ACCEPTED))

    @given(cases)
    @settings(
        max_examples=num_examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[*HealthCheck],
    )
    def check(case: Case[Any]) -> None:
        response = case.call_and_validate(checks=checks)
        if response.headers["content-type"][0].startswith("application/x-ndjson"):
            for line in response.text.splitlines():
                StreamEvent.model_validate_json(line)
        statuses[response.status_code] = statuses.get(response.status_code, 0) + 1

    check()
    return statuses


@pytest.mark.parametrize(("address", "method"), ADDRESSES)
def test_every_address_answers_as_described(described: Any, address: str, method: str) -> None:
    statuses = fuzz(described[address][method], GenerationMode.POSITIVE, QUICK)
    if address not in NEVER_GUESSED and "{" not in address:
        assert {200, 201} & {*statuses}, f"nothing has been accepted: {statuses}"
    if method in ("post", "put", "patch"):
        fuzz(described[address][method], GenerationMode.NEGATIVE, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize(("address", "method"), ADDRESSES)
def test_every_address_answers_many_requests_as_described(
    described: Any, address: str, method: str
) -> None:
    print(fuzz(described[address][method], GenerationMode.POSITIVE, MANY))
    if method in ("post", "put", "patch"):
        print("wrong requests:", fuzz(described[address][method], GenerationMode.NEGATIVE, MANY))


@pytest.mark.parametrize(
    ("status", "message"),
    [(200, "violates schema"), (418, "Undocumented status"), (500, "Server error")],
)
def test_what_is_not_as_described_is_found(status: int, message: str) -> None:
    app = Flask("small")

    @app.get("/health")
    @describe(Endpoint(summary="a", tag="a", answers={JSON: HealthAnswer}))
    def health() -> Response:
        return Response('{"status": "ill"}', status=status, mimetype=JSON)

    @app.get("/spec")
    def spec() -> dict[str, Any]:
        return make_document(app)

    operation = schemathesis.openapi.from_wsgi("/spec", app)["/health"]["GET"]
    with pytest.raises(FailureGroup, match=message):
        fuzz(operation, GenerationMode.POSITIVE, 5)
