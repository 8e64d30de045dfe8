from __future__ import annotations

import errno
import io
import logging
from typing import Any

import pytest
from flask import abort
from flask.testing import FlaskClient
from gunicorn.http.errors import InvalidChunkSize, ParseException

from service.config import ServiceConfig
from service.http.errors import MAX_MESSAGE_CHARS
from tests.service.conftest import FakeTranslator, make_app
from translator.durable import NoRoomError
from translator.errors import (
    DeadlineExceededError,
    EngineClosedError,
    EngineOverloadedError,
    InputError,
    ModelDirectoryError,
    UnsupportedLanguageError,
)

GOOD = {"q": "Hallo", "source": "de", "target": "en"}


LATE = "The translation takes longer than the server allows; send less text, or try again later"


@pytest.mark.parametrize(
    ("error", "status", "said", "retry_after"),
    [
        (InputError("bad text"), 400, {"code": "invalid"}, None),
        (InputError("x", "too_many_pieces", 9), 400, {"code": "too_many_pieces", "limit": 9}, None),
        (UnsupportedLanguageError("no such"), 400, {"code": "unsupported_language"}, None),
        (EngineOverloadedError("queue is full"), 503, {"code": "busy"}, "1"),
        (EngineClosedError("engine is closed"), 503, {"code": "stopped"}, None),
        (DeadlineExceededError("late"), 504, {"error": LATE, "code": "too_slow"}, None),
    ],
)
def test_an_error_of_the_translator_is_answered_with_its_code(
    client: FlaskClient,
    translator: FakeTranslator,
    error: Exception,
    status: int,
    said: dict[str, Any],
    retry_after: str | None,
) -> None:
    translator.error = error
    response = client.post("/translate", json=GOOD)
    assert (response.status_code, response.json) == (status, {"error": str(error), **said})
    assert response.headers.get("Retry-After") == retry_after


def test_a_model_whose_files_have_changed_is_for_the_operator(
    client: FlaskClient, translator: FakeTranslator, caplog: pytest.LogCaptureFixture
) -> None:
    translator.error = ModelDirectoryError("/srv/models/de-en/weights.safetensors: altered")
    response = client.post("/translate", json=GOOD)
    said = response.json or {}
    assert (response.status_code, said["code"]) == (503, "model_changed")
    assert "/srv" not in response.text
    assert "/srv/models/de-en/weights.safetensors: altered; to read" in caplog.text


def test_a_full_disk_is_told_without_the_name_of_the_file(
    client: FlaskClient, translator: FakeTranslator, caplog: pytest.LogCaptureFixture
) -> None:
    translator.error = NoRoomError(errno.ENOSPC, "No space left", "/tmp/files/secret_letter.txt")
    response = client.post("/translate", json=GOOD)
    assert (response.status_code, (response.json or {})["code"]) == (503, "not_ready")
    assert response.headers["Retry-After"] == "60"
    assert "letter" not in response.text + caplog.text
    assert "no room on the disk" in caplog.text


def test_an_unexpected_error_is_json_and_logged(
    client: FlaskClient, translator: FakeTranslator, caplog: pytest.LogCaptureFixture
) -> None:
    translator.error = RuntimeError("secret detail")
    with caplog.at_level(logging.ERROR):
        response = client.post("/translate", json=GOOD)
    assert response.status_code == 500
    assert (response.json or {})["code"] == "failed"
    assert "secret detail" not in response.text
    assert "secret detail" in caplog.text


def test_404_and_405_are_json(client: FlaskClient) -> None:
    missing = client.get("/nowhere")
    assert (missing.status_code, missing.mimetype) == (404, "application/json")
    assert "not found" in (missing.json or {})["error"]
    wrong = client.get("/translate")
    assert (wrong.status_code, (wrong.json or {})["code"]) == (405, "method_not_allowed")
    assert set(wrong.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}
    assert client.post("/languages", json={}).status_code == 405


def test_415_is_json(translator: FakeTranslator) -> None:
    app = make_app(translator)
    app.add_url_rule("/strict", view_func=lambda: abort(415))
    response = app.test_client().get("/strict")
    assert (response.status_code, (response.json or {})["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("mimetype", ["application/json", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_large_body_is_413(translator: FakeTranslator, mimetype: str, is_chunked: bool) -> None:
    client = make_app(translator, ServiceConfig(max_body_bytes=1000, max_form_bytes=1000))
    response = client.test_client().post(
        "/translate",
        input_stream=io.BytesIO(b"q=" + b"a" * 2000),
        content_type=mimetype,
        content_length=None if is_chunked else 2002,
        environ_overrides={"wsgi.input_terminated": True} if is_chunked else {},
    )
    assert response.status_code == 413
    assert response.json == {
        "error": "The request is too large: at most 1000 bytes in all and, in a multipart form, "
        "1000 fields of at most 1000 bytes are accepted",
        "code": "too_large",
        "limit": 1000,
    }


def test_a_large_multipart_field_is_413(translator: FakeTranslator) -> None:
    client = make_app(translator, ServiceConfig(max_form_bytes=1000)).test_client()
    fields = {**GOOD, "q": "a" * 1001}
    response = client.post("/translate", data=fields, content_type="multipart/form-data")
    assert (response.status_code, (response.json or {})["code"]) == (413, "too_large")
    fields = {**GOOD, "q": "a" * 500}
    response = client.post("/translate", data=fields, content_type="multipart/form-data")
    assert response.status_code == 200


def test_too_many_multipart_fields_are_413_for_that_reason(client: FlaskClient) -> None:
    many = {f"field{number}": "a" for number in range(1001)}
    response = client.post("/translate", data=many, content_type="multipart/form-data")
    assert response.status_code == 413
    assert "1000 fields" in (response.json or {})["error"]
    assert "limit" not in (response.json or {}), "it is not the body that is too large"


class BrokenStream(io.BytesIO):
    """A body whose reading fails."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def read(self, size: int | None = -1, /) -> bytes:
        raise self.error

    def readinto(self, buffer: object, /) -> int:
        raise self.error


@pytest.mark.parametrize(
    "error", [InvalidChunkSize(b"zz"), ParseException(), OSError("connection reset")]
)
def test_a_malformed_chunked_body_is_400(client: FlaskClient, error: Exception) -> None:
    response = client.post(
        "/translate",
        input_stream=BrokenStream(error),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert response.status_code == 400
    assert response.json == {
        "error": "Malformed request: the body is incomplete or not correctly chunked",
        "code": "invalid",
    }


@pytest.mark.parametrize("content_type", ["application/json", "application/x-www-form-urlencoded"])
def test_a_body_cut_short_is_400(client: FlaskClient, content_type: str) -> None:
    response = client.post(
        "/translate",
        query_string=GOOD,
        input_stream=io.BytesIO(b"source=de&target=en&q=Ha"),
        content_type=content_type,
        environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": "25"},
    )
    assert response.status_code == 400
    assert "the body is incomplete" in (response.json or {})["error"]


def test_a_long_message_is_cut(client: FlaskClient) -> None:
    response = client.post("/translate", json={**GOOD, "source": "z" * 10_000})
    message = (response.json or {})["error"]
    assert message == "z" * (MAX_MESSAGE_CHARS - 1) + "…"
