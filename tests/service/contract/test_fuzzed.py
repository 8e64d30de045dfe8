"""Requests made from the service's own description: no errors of the server, no other answers."""

from __future__ import annotations

import zlib
from typing import Any

import pytest
import schemathesis
from flask import Flask, Response
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.core.failures import FailureGroup

from service.config import ServiceConfig
from service.schemas.operations import HealthAnswer
from service.schemas.translate.events import StreamEvent
from service.specification.document import make_document
from service.specification.endpoint import JSON, Endpoint, describe
from tests.service.conftest import FakeTranslator, make_app

QUICK, MANY = 40, 1000
ACCEPTED = [None, "application/x-ndjson", "text/event-stream", "*/*"]
CHECKED = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
)

APP = make_app(FakeTranslator(), ServiceConfig(char_limit=200, batch_limit=5))
SCHEMA = schemathesis.openapi.from_wsgi("/spec", APP)
OPERATIONS = [SCHEMA[path][method] for path in SCHEMA for method in SCHEMA[path]]


def plausible(case: Case[Any], accepted: str | None) -> Case[Any]:
    """Give most requests languages that there are, since hardly any text is one by chance."""
    if accepted is not None:
        case.headers["Accept"] = accepted
    body = case.body
    if isinstance(body, dict) and "source" in body:
        pairs = [("auto", "en"), ("de", "en"), ("en-GB", "pt_BR"), (body["source"], "de")]
        source, target = pairs[zlib.crc32(repr(body).encode("utf-8", "replace")) % len(pairs)]
        case.body = {**body, "source": source, "target": target}
    return case


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


def title(operation: Any) -> str:
    return str(operation.label)


@pytest.mark.parametrize("operation", OPERATIONS, ids=title)
def test_every_address_answers_as_described(operation: Any) -> None:
    statuses = fuzz(operation, GenerationMode.POSITIVE, QUICK)
    assert statuses.get(200), f"nothing has been accepted: {statuses}"
    if operation.method == "post":
        fuzz(operation, GenerationMode.NEGATIVE, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS, ids=title)
def test_every_address_answers_a_thousand_requests_as_described(operation: Any) -> None:
    print(operation.label, fuzz(operation, GenerationMode.POSITIVE, MANY))
    if operation.method == "post":
        print("wrong requests:", fuzz(operation, GenerationMode.NEGATIVE, MANY))


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
