"""Answers as DeepL writes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.access.keys import KeyStore
from tests.service.conftest import FakeTranslator
from tests.service.dialects.conftest import KEY, MakeClient
from translator.errors import DeadlineExceededError, EngineOverloadedError

TEXT = {"text": ["a"], "source_lang": "DE", "target_lang": "EN-US"}


def test_every_answer_has_a_trace(client: FlaskClient) -> None:
    for answer in (client.post("/v2/translate", json=TEXT), client.post("/v2/translate")):
        assert answer.headers["X-Trace-ID"] == answer.headers["X-Request-ID"]
    assert "X-Trace-ID" not in client.post("/translate").headers


def test_errors_have_a_message_only(client: FlaskClient) -> None:
    answer = client.post("/v2/translate", json={**TEXT, "target_lang": "XX"})
    assert (answer.status_code, answer.json) == (
        400,
        {"message": "Value for 'target_lang' not supported."},
    )


@pytest.mark.parametrize(
    ("error", "status", "retry_after"),
    [
        (EngineOverloadedError("busy"), 503, "1"),
        (DeadlineExceededError("late"), 504, None),
        (ZeroDivisionError(), 500, None),
    ],
)
def test_errors_of_the_engine(
    client: FlaskClient,
    translator: FakeTranslator,
    error: Exception,
    status: int,
    retry_after: str | None,
) -> None:
    translator.error = error
    answer = client.post("/v2/translate", json=TEXT)
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, retry_after)
    assert {*(answer.json or {})} == {"message"}


def test_a_needed_key(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(api_keys="required")
    key = KeyStore(tmp_path / "database").add("a")
    for headers in ({}, KEY):
        assert client.get("/v2/usage", headers=headers).status_code == 403
        assert client.post("/v2/translate", json=TEXT, headers=headers).status_code == 403
    right = {"Authorization": f"DeepL-Auth-Key {key}"}
    assert client.get("/v2/usage", headers=right).status_code == 200
    assert client.post("/v2/translate", json={**TEXT, "auth_key": key}).status_code == 200
    assert client.options("/v2/translate").status_code == 200


@pytest.mark.parametrize(("rate", "status"), [("1 per minute", 429), ("1 per day", 456)])
def test_who_has_to_wait_long_is_told_of_a_quota(
    make_client: MakeClient, rate: str, status: int
) -> None:
    client = make_client(rate_limit=rate)
    assert client.post("/v2/translate", json=TEXT).status_code == 200
    assert client.post("/v2/translate", json=TEXT).status_code == status
    assert client.get("/v2/languages").status_code == 200, "only translations count"


def test_who_is_banned_is_told_of_a_quota(make_client: MakeClient) -> None:
    client = make_client(rate_limit="1 per minute", ban_after=1)
    statuses = [client.post("/v2/translate", json=TEXT).status_code for _ in range(2)]
    assert [*statuses, client.get("/v2/usage").status_code] == [200, 429, 456]


def test_pages_may_call_all_methods(client: FlaskClient) -> None:
    answer = client.options("/v3/glossaries/x")
    assert "PATCH" in answer.headers["Access-Control-Allow-Methods"]
    assert "PATCH" not in client.options("/translate").headers["Access-Control-Allow-Methods"]
