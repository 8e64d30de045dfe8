"""Documents: sent, asked for, fetched; and what goes wrong."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.access.keys import KeyStore
from service.deepl import documents
from tests.service.conftest import KEY, FakeTranslator, MakeClient
from tests.waiting import wait_until
from translator.errors import EngineClosedError

PAIR = {"source_lang": "DE", "target_lang": "EN-US"}
GERMAN = "Wir gehen heute nicht nach Hause."


def send(
    client: FlaskClient, content: bytes = b"eins\n", name: str = "a.txt", **fields: Any
) -> TestResponse:
    body = {"file": (io.BytesIO(content), name), **PAIR, **fields}
    return client.post("/v2/document", data=body, headers=KEY)


def ask(client: FlaskClient, handle: dict[str, str], end: str = "") -> TestResponse:
    address = f"/v2/document/{handle['document_id']}{end}"
    return client.post(address, json={"document_key": handle["document_key"]})


def ended(client: FlaskClient, handle: dict[str, str]) -> dict[str, Any]:
    """Return what has become of a document in the end."""
    wait_until(lambda: (ask(client, handle).json or {})["status"] != "translating")
    return ask(client, handle).json or {}


def test_a_document_is_translated_as_a_file_is(client: FlaskClient) -> None:
    for name, before, after in (
        ("a.txt", "eins\n\n  zwei", b"EINS\n\n  ZWEI"),
        ("a.html", "<p>eins <b>zwei</b></p>", b"<p>EINS <b>ZWEI</b></p>"),
    ):
        handle = send(client, before.encode(), name).json or {}
        said = ended(client, handle)
        assert (said["status"], said["document_id"]) == ("done", handle["document_id"])
        with ask(client, handle, "/result") as result:
            assert result.data == after
            assert f"filename=a_en{name[1:]}" in result.headers["Content-Disposition"]


def test_java_sends_them_with_a_slash(client: FlaskClient) -> None:
    body = {"file": (io.BytesIO(b"eins"), "a.txt"), **PAIR}
    answer = client.post("/v2/document/", data=body, headers=KEY)
    assert answer.status_code == 200
    assert ended(client, answer.json or {})["status"] == "done"


def test_a_slow_document(
    client: FlaskClient, translator: FakeTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "TIMEOUT_S", 0.01)
    translator.may_finish.clear()
    handle = send(client).json or {}
    said = ask(client, handle).json or {}
    assert (said["status"], said["seconds_remaining"]) == ("translating", 5)
    assert ask(client, handle, "/result").status_code == 503
    translator.may_finish.set()
    assert ended(client, handle)["status"] == "done"


def test_documents_take_places(
    make_client: MakeClient, translator: FakeTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "TIMEOUT_S", 0.01)
    client = make_client(concurrency_limit=1)
    translator.may_finish.clear()
    handle = send(client).json or {}
    assert send(client).status_code == 503
    translator.may_finish.set()
    assert ended(client, handle)["status"] == "done"
    wait_until(lambda: send(client).status_code == 200)
    wait_until(lambda: send(client, b"\xff\xfe\x00\xd8", "a.json").status_code == 400)
    assert send(client).status_code == 200, "a file that cannot be read gives its place back"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (EngineClosedError("the engine has stopped"), "the engine has stopped"),
        (ZeroDivisionError("secret"), "The server encountered an internal error"),
    ],
)
def test_a_translation_that_fails(
    client: FlaskClient, translator: FakeTranslator, error: Exception, message: str
) -> None:
    translator.error = error
    handle = send(client).json or {}
    said = ended(client, handle)
    assert said["status"] == "error"
    assert said["error_message"].startswith(message)
    assert ask(client, handle, "/result").status_code == 404


def test_a_detected_language_may_be_the_one_wanted(client: FlaskClient) -> None:
    handle = send(client, b"We are not going home today.", source_lang="").json or {}
    said = ended(client, handle)
    assert (said["status"], said["error_message"]) == ("error", documents.EQUAL)
    handle = send(client, GERMAN.encode(), source_lang="").json or {}
    assert ended(client, handle)["billed_characters"] == len(GERMAN)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "a.exe"}, "Invalid file data."),
        ({"name": "a"}, "Invalid file data."),
        ({"name": "a.txt", "filename": "a.exe"}, "Invalid file data."),
        ({"name": "a.docx"}, "a.docx"),
        ({"target_lang": ""}, "Parameter 'target_lang' not specified."),
        ({"target_lang": "XX"}, "Value for 'target_lang' not supported."),
        ({"source_lang": "EN"}, documents.EQUAL),
        ({"output_format": "pdf"}, "Value for 'output_format' not supported."),
        ({"formality": "more"}, "doesn't support formality"),
        ({"source_lang": "", "glossary_id": "x"}, "requires the source_lang"),
    ],
)
def test_what_is_refused(client: FlaskClient, fields: dict[str, Any], message: str) -> None:
    answer = send(client, **fields)
    assert answer.status_code == 400
    assert message in (answer.json or {})["message"]


def test_who_does_not_know_the_key_is_told_nothing(client: FlaskClient) -> None:
    handle = send(client).json or {}
    for wrong in (
        {**handle, "document_key": "x"},
        {**handle, "document_id": "A" * 32},
        {**handle, "document_id": "..%5cx"},
    ):
        answer = ask(client, wrong)
        assert (answer.status_code, answer.json) == (404, {"message": "Document not found"})
    assert client.post(f"/v2/document/{handle['document_id']}").status_code == 400


def test_without_a_thread_the_place_is_given_back(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make_client(concurrency_limit=1)

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        assert send(client).status_code == 503
    assert send(client).status_code == 200


def test_its_key_may_be_in_the_form(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(api_keys="required")
    key = KeyStore(tmp_path / "database").add("a")
    for word, status in ((key, 200), ("odd", 403)):
        body = {"file": (io.BytesIO(b"eins"), "a.txt"), **PAIR, "auth_key": word}
        assert client.post("/v2/document", data=body).status_code == status


def test_files_can_be_switched_off(make_client: MakeClient) -> None:
    assert send(make_client(files="off")).status_code == 403


def test_it_is_counted(make_client: MakeClient) -> None:
    client = make_client(metrics="on")
    send(client, b"eins")
    assert (client.get("/v2/usage", headers=KEY).json or {})["character_count"] == 4
    assert b"translator_characters_total 4.0" in client.get("/metrics").data


def test_nothing_of_the_text_is_kept_but_the_result(
    make_client: MakeClient, tmp_path: Path
) -> None:
    client = make_client(run_folder=str(tmp_path / "run"))
    ended(client, send(client, b"geheim").json or {})
    [job] = (tmp_path / "run" / "jobs").iterdir()
    assert {*json.loads(job.read_text())} == {
        *("status", "digest", "num_characters", "stored", "error")
    }
