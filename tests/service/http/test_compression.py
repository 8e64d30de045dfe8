"""What is compressed, for whom, and that nothing else changes."""

from __future__ import annotations

import gzip
import io

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.config import ServiceConfig
from service.http.compression import LEAST_BYTES
from tests.service.conftest import FakeTranslator, make_app

GZIP = {"Accept-Encoding": "gzip, br"}
CLIENT = make_app(FakeTranslator(), ServiceConfig(metrics="on")).test_client()
LONG = ["/", "/docs", "/how-it-attends", "/spec", "/metrics", "/static/js/page/main.js"]
LONG += ["/static/css/base.css", "/static/icons.svg"]


@pytest.mark.parametrize("path", LONG)
def test_pages_and_static_files_are_compressed_for_those_who_take_it(path: str) -> None:
    with CLIENT.get(path) as plain, CLIENT.get(path, headers=GZIP) as packed:
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert packed.content_length == len(packed.data) < 0.6 * len(plain.data)
        if path != "/metrics":
            assert gzip.decompress(packed.data) == plain.data
        assert "Accept-Encoding" in plain.headers["Vary"]
        assert packed.headers["Vary"] == plain.headers["Vary"]
        assert packed.content_type == plain.content_type


def test_what_has_not_changed_is_not_sent_again() -> None:
    path = "/static/js/page/main.js"
    with CLIENT.get(path) as plain, CLIENT.get(path, headers=GZIP) as packed:
        strong, weak = plain.headers["ETag"], packed.headers["ETag"]
        assert weak == f"W/{strong}"
    for etag in (strong, weak):
        for headers in ({}, GZIP):
            with CLIENT.get(path, headers={**headers, "If-None-Match": etag}) as again:
                assert (again.status_code, again.data) == (304, b"")
                assert again.headers["ETag"] == (weak if headers else strong)
                assert again.headers["Vary"] == "Accept-Encoding"
    with CLIENT.get(path, headers={**GZIP, "Range": "bytes=0-9"}) as part:
        assert (part.status_code, len(part.data)) == (206, 10)


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        *[("", False), ("gzip", True), ("br, gzip;q=0.5", True), ("*", True), ("br", False)],
        *[("gzip;q=0", False), ("identity, gzip;q=0.5", False), ("GZIP", True)],
    ],
)
def test_who_takes_it(accepted: str, is_packed: bool) -> None:
    answer = CLIENT.get("/docs", headers={"Accept-Encoding": accepted})
    assert ("Content-Encoding" in answer.headers) == is_packed


@settings(suppress_health_check=[*HealthCheck])
@given(st.lists(st.text("abß\n \U0001f600", max_size=500), max_size=8))
def test_a_translation_is_the_same_when_it_is_compressed(texts: list[str]) -> None:
    fields = {"q": [*texts, "a"], "source": "de", "target": "en"}
    plain, packed = (
        CLIENT.post("/translate", json=fields, headers=headers) for headers in ({}, GZIP)
    )
    assert plain.status_code == 200
    is_packed = "Content-Encoding" in packed.headers
    assert is_packed == (len(plain.data) > LEAST_BYTES)
    assert (gzip.decompress(packed.data) if is_packed else packed.data) == plain.data


def test_streams_and_packed_files_are_left_alone(client: FlaskClient) -> None:
    fields = {"q": "Satz. " * 500, "source": "de", "target": "en"}
    for kind in ("application/x-ndjson", "text/event-stream"):
        answer = client.post("/translate", json=fields, headers={**GZIP, "Accept": kind})
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers
    for name, is_packed in (("a.txt", True), ("a.docx", False)):
        data = b"Hallo Welt.\n" * 500 if is_packed else word_file()
        form = {"source": "de", "target": "en", "file": (io.BytesIO(data), name)}
        link = (client.post("/translate_file", data=form).json or {})["translatedFileUrl"]
        with client.get(link, headers=GZIP) as file:
            assert file.status_code == 200
            assert ("Content-Encoding" in file.headers) == is_packed


def word_file() -> bytes:
    from docx import Document

    document, file = Document(), io.BytesIO()
    document.add_paragraph("Hallo")
    document.save(file)
    return file.getvalue()


@pytest.mark.parametrize("path", ["/translate", "/v2/translate", "/imme", "/translate_file"])
def test_a_body_that_is_compressed_is_refused_by_the_name_of_its_encoding(path: str) -> None:
    body = gzip.compress(b'{"q": "a", "source": "de", "target": "en"}')
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    answer = CLIENT.post(path, data=body, headers=headers)
    said = answer.json or {}
    message = "The body has the Content-Encoding 'gzip', which is not read; send it without one"
    assert (answer.status_code, said.get("error") or said["message"]) == (415, message)
    assert said.get("code") in (None, "unsupported_media_type")


def test_a_body_that_is_as_it_is_may_say_so() -> None:
    headers = {"Content-Encoding": "Identity"}
    body = {"q": "a", "source": "de", "target": "en"}
    assert CLIENT.post("/translate", json=body, headers=headers).status_code == 200
    assert CLIENT.get("/languages", headers={"Content-Encoding": "gzip"}).status_code == 200
