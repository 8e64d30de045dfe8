"""POST /translate."""

from __future__ import annotations

import json
import socket
import threading
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app
from tests.waiting import TIMEOUT_S
from translator.errors import DeadlineExceededError, EngineClosedError

GOOD = {"q": "Hallo", "source": "de", "target": "en"}


def test_json_in_keys_sorted_and_utf8(client: FlaskClient) -> None:
    response = client.post("/translate", json={**GOOD, "q": "schön 😀", "alternatives": 1})
    assert response.data == (
        '{"alternatives":["SCHÖN 😀 0"],"translatedText":"SCHÖN 😀"}\n'.encode()
    )
    assert response.content_type == "application/json"


def test_the_translator_gets_the_request(client: FlaskClient, translator: FakeTranslator) -> None:
    client.post("/translate", json={"q": ["a", "b"], "source": "EN", "target": "PT-br"})
    client.post("/translate", json={**GOOD, "alternatives": "2", "api_key": None})
    assert translator.calls == [(("a", "b"), "en", "pt-BR", 0), (("Hallo",), "de", "en", 2)]


def test_a_prefix_comes_to_its_text(client: FlaskClient, translator: FakeTranslator) -> None:
    for fields in (
        {"prefix": "Ich möchte"},
        {"q": ["a", "b"], "prefix": ["", None]},
        {"q": ["Der Hund ist hier.", "Wo ist er?"], "prefix": ["c", "d"], "source": "auto"},
    ):
        assert client.post("/translate", json={**GOOD, **fields}).status_code == 200
    client.post("/translate", data={**GOOD, "prefix": "A"})
    assert [*translator.prefixes[:3], *sorted(translator.prefixes[3:], key=str)] == [
        *("Ich möchte", "", None),
        *("A", "c", "d"),
    ]


def test_the_same_text_with_another_prefix_is_another_one(translator: FakeTranslator) -> None:
    client = make_app(translator, ServiceConfig(cache_bytes=1_000_000)).test_client()
    for prefix in (None, "A", "B", "A", None):
        client.post("/translate", json={**GOOD, "prefix": prefix})
    assert translator.prefixes == [None, "A", "B"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"prefix": 3}, "prefix must be a string, got a number"),
        ({"prefix": ["a"]}, "prefix must be a string beside a string q"),
        ({"q": ["a"], "prefix": "a"}, "prefix must be a string beside a string q"),
        ({"q": ["a"], "prefix": ["a", "b"]}, "an array as long beside an array"),
        ({"q": ["a"], "prefix": [3]}, "prefix[0] must be a string, got a number"),
        ({"prefix": "a", "format": "html"}, "prefix: is for plain text only"),
        ({"prefix": "a" * 60_000}, "exceeds text limit"),
    ],
)
def test_a_prefix_that_does_not_fit_is_refused(
    client: FlaskClient, fields: dict[str, Any], message: str
) -> None:
    response = client.post("/translate", json={**GOOD, **fields})
    assert response.status_code == 400
    assert response.json is not None
    assert message in response.json["error"]


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "application/x+json"])
def test_json_content_types(client: FlaskClient, content_type: str) -> None:
    body = b'{"q": "Hallo", "source": "de", "target": "en"}'
    response = client.post("/translate", data=body, content_type=content_type)
    assert response.json == {"translatedText": "HALLO"}


@pytest.mark.parametrize(
    "content_type", ["application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_forms(client: FlaskClient, content_type: str) -> None:
    response = client.post("/translate", data={**GOOD, "api_key": "x"}, content_type=content_type)
    assert response.json == {"translatedText": "HALLO"}


def test_several_texts_in_a_form_are_an_array(client: FlaskClient) -> None:
    response = client.post("/translate", data={**GOOD, "q": ["eins", "zwei"]})
    assert response.json == {"translatedText": ["EINS", "ZWEI"]}


def test_query_string_without_a_body_and_before_the_form(client: FlaskClient) -> None:
    assert client.post("/translate", query_string=GOOD).json == {"translatedText": "HALLO"}
    response = client.post("/translate", query_string=GOOD, data={"q": "other"})
    assert response.json == {"translatedText": "HALLO"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "Invalid JSON format: Expecting value"),
        (b"{", "Invalid JSON format: Expecting property name"),
        (b"\xff\xfe\xfd", "Invalid JSON format: "),
        (b'{"q": ' + b"9" * 5000 + b"}", "Invalid JSON format: a number has too many digits"),
        (b"[]", "Invalid JSON format"),
        (b"null", "Invalid JSON format"),
        (b"{}", "Invalid request: missing q parameter"),
        (b"[" * 100_000, "Invalid JSON format: nested too deeply"),
        (b'{"q": ' + b'{"a":' * 100_000, "Invalid JSON format: nested too deeply"),
    ],
)
def test_bad_json(client: FlaskClient, body: bytes, message: str) -> None:
    response = client.post("/translate", data=body, content_type="application/json")
    assert response.status_code == 400
    assert (response.json or {})["error"].startswith(message)


FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"


def multipart(value: bytes) -> bytes:
    """Return a form with `q` alone."""
    return b'--x\r\nContent-Disposition: form-data; name="q"\r\n\r\n' + value + b"\r\n--x--\r\n"


@pytest.mark.parametrize(
    ("query", "body", "content_type"),
    [
        ("", b"q=gr%FCn", FORM),
        ("", b"q=gr\xfcn", FORM),
        ("", b"q=gr%C3&source=%BCn", FORM),
        ("q=%ff%fe", b"", FORM),
        ("", multipart(b"gr\xfcn"), MULTIPART),
    ],
)
def test_what_is_not_utf8_is_refused(
    client: FlaskClient, query: str, body: bytes, content_type: str
) -> None:
    address = f"/translate?source=de&target=en&{query}"
    response = client.post(address, data=body, content_type=content_type)
    assert response.status_code == 400
    place = "query string" if query else "form"
    assert f"the {place} is not UTF-8 (" in (response.json or {})["error"]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"q=gr%C3%BCn+%25FC+%EF%BF%BD", FORM),
        ("q=grün %25FC \ufffd".encode(), FORM),
        (multipart("grün %FC \ufffd".encode()), MULTIPART),
    ],
)
def test_what_looks_as_if_it_were_not_utf8_is_taken(
    client: FlaskClient, body: bytes, content_type: str
) -> None:
    address = "/translate?source=de&target=en"
    response = client.post(address, data=body, content_type=content_type)
    assert response.json == {"translatedText": "GRÜN %FC \ufffd"}


def test_five_thousand_words_in_any_encoding(client: FlaskClient) -> None:
    for word in ("Wörtern ", "слово в ", "😀😀😀😀😀😀😀 "):
        fields = {**GOOD, "q": word * 5000}
        expected = {"translatedText": fields["q"].upper()}
        assert client.post("/translate", json=fields).json == expected
        assert client.post("/translate", data=fields).json == expected


@pytest.mark.parametrize("path", ["/translate", "/languages"])
def test_options(client: FlaskClient, path: str) -> None:
    assert client.options(path).status_code == 200


@pytest.mark.parametrize("path", ["/languages", "/translate", "/nowhere"])
def test_cors_headers_on_answers_and_errors(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Access-Control-Allow-Headers"] == "Authorization, Content-Type, X-Request-ID"
    assert headers["Access-Control-Expose-Headers"] == "Retry-After, X-Request-ID"
    assert headers["Access-Control-Allow-Methods"] == "GET, POST"
    assert headers["Access-Control-Max-Age"] == "1728000"


def test_a_full_server_refuses_at_once_and_recovers(translator: FakeTranslator) -> None:
    app = make_app(translator, ServiceConfig(concurrency_limit=1, metrics="on"))
    translator.may_finish.clear()
    answers: list[int] = []

    def translate() -> None:
        answers.append(app.test_client().post("/translate", json=GOOD).status_code)

    first = threading.Thread(target=translate)
    first.start()
    assert translator.started.wait(TIMEOUT_S)
    refused = app.test_client().post("/translate", json=GOOD)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    assert refused.json == {
        "error": "the server is already busy with 1 translations; try again in a moment",
        "code": "busy",
    }
    unread = app.test_client().post("/v2/translate", data=b"{", content_type="application/json")
    assert (unread.status_code, unread.json) == (503, {"message": refused.json["error"]})
    assert app.test_client().options("/translate").status_code == 200
    assert app.test_client().get("/health").status_code == 200
    counted = app.test_client().get("/metrics").text
    assert "translator_translations 1.0" in counted
    assert "translator_refused_total 2.0" in counted
    translator.may_finish.set()
    first.join()
    translator.error = ValueError("a failure frees its slot too")
    translate()
    translator.error = None
    translate()
    assert answers == [200, 500, 200]


@pytest.mark.parametrize(("setting", "timeout_s"), [(0, None), (7, 7)])
def test_the_time_limit_reaches_the_translator(
    translator: FakeTranslator, setting: int, timeout_s: float | None
) -> None:
    app = make_app(translator, ServiceConfig(timeout_s=setting))
    app.test_client().post("/translate", json=GOOD)
    assert translator.timeout_s == (timeout_s and pytest.approx(timeout_s, abs=1))


def test_the_translation_for_a_client_that_is_gone_is_given_up(client: FlaskClient) -> None:
    server_end, client_end = socket.socketpair()
    with server_end:
        client_end.close()
        response = client.post(
            "/translate", json=GOOD, environ_overrides={"gunicorn.socket": server_end}
        )
    assert response.status_code == 499
    assert response.json == {"error": "The client has closed the connection", "code": "client_gone"}


GERMAN, ENGLISH = "Wir gehen heute nicht nach Hause.", "We are not going home today."


def test_detection_for_each_text(client: FlaskClient, translator: FakeTranslator) -> None:
    texts = [GERMAN, ENGLISH, GERMAN]
    said = client.post("/translate", json={"q": texts, "source": "auto", "target": "en"}).json or {}
    assert said["translatedText"] == [text.upper() for text in texts]
    assert [one["language"] for one in said["detectedLanguage"]] == ["de", "en", "de"]
    assert sorted(call[0] for call in translator.calls) == [(ENGLISH,), (GERMAN, GERMAN)]
    assert all(one["confidence"] > 80 for one in said["detectedLanguage"])
    unknown = {"q": ["123", ""], "source": "auto", "target": "en"}
    told = (client.post("/translate", json=unknown).json or {})["detectedLanguage"]
    assert told == [{"language": "en", "confidence": 0.0}] * 2
    one = client.post("/translate", data={"q": GERMAN, "source": "auto", "target": "en"}).json or {}
    assert one["detectedLanguage"]["language"] == "de"
    assert isinstance(one["detectedLanguage"]["confidence"], float)


ITALIAN = "La tua password non è corretta"


def test_a_detected_language_without_that_target(client: FlaskClient) -> None:
    message = "German (de) is not available as a target language from English (en)"
    fields = {"q": [GERMAN, ENGLISH], "source": "auto", "target": "de"}
    assert (client.post("/translate", json=fields).json or {})["error"] == message
    said = client.post("/translate", json={**fields, "errors": "per_item"}).json or {}
    assert (said["translatedText"], said["errors"]) == ([GERMAN.upper(), None], [None, message])


@pytest.mark.parametrize("q", [ITALIAN, [ITALIAN, ITALIAN], [ITALIAN, "", "123"]])
def test_a_text_in_a_language_that_no_model_reads(
    client: FlaskClient, translator: FakeTranslator, q: str | list[str]
) -> None:
    fields = {"q": q, "source": "auto", "target": "en"}
    name = "q" if isinstance(q, str) else "q[0]"
    for headers in ({}, NDJSON):
        response = client.post("/translate", json=fields, headers=headers)
        assert response.status_code == 400
        said = response.json or {}
        assert said["error"] == (
            f"{name} seems to be in Italian (it, 98.4 %), which no model here reads; if that is "
            "wrong, name its language as source"
        )
        assert said["code"] == "unread_language"
        assert said["detectedLanguage"] == {"confidence": 98.4, "language": "it"}
    assert translator.calls == []
    assert client.post("/translate", json={**fields, "source": "en"}).status_code == 200


def test_beside_other_texts_it_has_the_shape_that_clients_know(client: FlaskClient) -> None:
    texts = [ITALIAN, GERMAN]
    said = client.post("/translate", json={"q": texts, "source": "auto", "target": "en"}).json or {}
    assert said["translatedText"] == [ITALIAN, GERMAN.upper()]
    assert [one["language"] for one in said["detectedLanguage"]] == ["it", "de"]
    assert said["errors"][0].startswith("q[0] seems to be in Italian")
    assert said["errors"][1] is None
    fields = {"q": texts, "source": "auto", "target": "en", "errors": "per_item"}
    strict = client.post("/translate", json=fields).json or {}
    assert strict == {**said, "translatedText": [None, GERMAN.upper()]}
    alone = client.post("/translate", json={**fields, "q": [ITALIAN, 7]}).json or {}
    assert alone["translatedText"] == [None, None]
    assert [one and one["language"] for one in alone["detectedLanguage"]] == ["it", None]


def test_details(client: FlaskClient) -> None:
    said = client.post("/translate", json={**GOOD, "details": True}).json or {}
    assert said["details"]["model"] == {"name": "upper", "version": "abc1234"}
    assert said["details"]["total_ms"] >= 0
    assert said["details"]["texts"][0]["sentences"][0]["text"] == "HALLO"


def streamed(response: TestResponse) -> list[dict[str, Any]]:
    return [json.loads(line) for line in response.text.splitlines()]


NDJSON, EVENTS = {"Accept": "application/x-ndjson"}, {"Accept": "text/event-stream"}


def test_streaming_as_lines_of_json(client: FlaskClient) -> None:
    response = client.post("/translate", json={**GOOD, "q": "eins\n\nzwei\n"}, headers=NDJSON)
    assert (response.status_code, response.mimetype) == (200, "application/x-ndjson")
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["X-Accel-Buffering"] == "no"
    events = streamed(response)
    assert [event["type"] for event in events] == ["sentence"] * 3 + ["answer"]
    told = [(e["index"], e["separator"], e["source"], e["text"]) for e in events[:-1]]
    assert told == [(0, "", "eins", "EINS"), (0, "\n\n", "zwei", "ZWEI"), (0, "\n", "", "")]
    assert (events[0]["score"], events[0]["finish_reasons"]) == (-0.5, ["eos"])
    assert events[-1] == {"type": "answer", "answer": {"translatedText": "EINS\n\nZWEI\n"}}


def test_the_first_line_of_a_text_says_what_was_detected(client: FlaskClient) -> None:
    body = {"q": "Das Kind schläft.\nEs ist müde.", "source": "auto", "target": "en"}
    first, *others = streamed(client.post("/translate", json=body, headers=NDJSON))
    assert first["detectedLanguage"]["language"] == "de"
    assert first["detectedLanguage"] == others[-1]["answer"]["detectedLanguage"]
    assert all("detectedLanguage" not in event for event in others[:-1])


def test_streaming_as_server_sent_events(client: FlaskClient) -> None:
    response = client.post("/translate", json=GOOD, headers=EVENTS)
    assert response.mimetype == "text/event-stream"
    *events, rest = response.text.split("\n\n")
    assert rest == ""
    names, data = zip(*(event.split("\n") for event in events), strict=True)
    assert names == ("event: sentence", "event: sentence", "event: answer")
    assert all(line.startswith("data: {") for line in data)
    last = json.loads(data[-1].removeprefix("data: "))
    assert last == {"type": "answer", "answer": {"translatedText": "HALLO"}}


@pytest.mark.parametrize(
    ("accept", "mimetype"),
    [
        ("*/*", "application/json"),
        ("text/*", "application/json"),
        ("text/html", "application/json"),
        ("", "application/json"),
        ("application/json, application/x-ndjson;q=0.5", "application/json"),
        ("application/x-ndjson, */*;q=0.1", "application/x-ndjson"),
        ("Text/Event-Stream", "text/event-stream"),
        ("application/x-ndjson;q=0.2, text/event-stream;q=0.8", "text/event-stream"),
    ],
)
def test_only_who_names_it_gets_a_stream(client: FlaskClient, accept: str, mimetype: str) -> None:
    response = client.post("/translate", json=GOOD, headers={"Accept": accept})
    assert response.mimetype == mimetype


def test_errors_before_the_start_have_their_status(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    for fields, message in (
        ({"q": ""}, "missing q parameter"),
        ({"alternatives": 1}, "alternatives cannot be streamed; ask for 0"),
    ):
        response = client.post("/translate", json={**GOOD, **fields}, headers=NDJSON)
        assert (response.status_code, response.mimetype) == (400, "application/json")
        assert response.json == {"error": f"Invalid request: {message}", "code": "invalid"}
    app = make_app(translator, ServiceConfig(concurrency_limit=1))
    running = app.test_client().post("/translate", json=GOOD, headers=NDJSON, buffered=False)
    refused = app.test_client().post("/translate", json=GOOD, headers=NDJSON)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    running.close()
    assert translator.num_open_streams == 0
    assert app.test_client().post("/translate", json=GOOD, headers=NDJSON).status_code == 200


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (DeadlineExceededError("late"), 504, "The translation takes longer than the server allows"),
        (EngineClosedError("closed"), 503, "closed"),
        (RuntimeError("secret"), 500, "The server encountered an internal error"),
    ],
)
def test_errors_after_the_start_are_events(
    client: FlaskClient,
    translator: FakeTranslator,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    status: int,
    message: str,
) -> None:
    translator.error = error
    response = client.post("/translate", json={**GOOD, "q": "a\nb"}, headers=NDJSON)
    first, last = streamed(response)
    assert (response.status_code, first["text"]) == (200, "A")
    assert (last["type"], last["status"]) == ("error", status)
    assert last["error"].startswith(message)
    assert ("secret" in caplog.text) == (status == 500)
    assert translator.num_open_streams == 0


def test_a_client_that_goes_away_frees_its_stream(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    server_end, client_end = socket.socketpair()
    with server_end:
        client_end.close()
        response = client.post(
            "/translate",
            json={**GOOD, "q": "a\nb"},
            headers=NDJSON,
            environ_overrides={"gunicorn.socket": server_end},
        )
        assert [event["text"] for event in streamed(response)] == ["A"]
    assert translator.num_open_streams == 0


def test_a_text_in_two_languages_is_translated_where_it_needs_to_be(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    translator.translates_itself = False
    english, german = "Good morning, everyone.", "Wir treffen uns heute um neun im Saal."
    for q, language in ((f"{english} {german}", "de"), (f"{english} {english} {german}", "en")):
        asked = {"q": q, "source": "auto", "target": "en"}
        expected = q.replace(german, german.upper())
        said = client.post("/translate", json=asked).json or {}
        assert said["translatedText"] == expected
        assert said["detectedLanguage"]["language"] == language, "that of most of it"
        accept = {"Accept": "application/x-ndjson"}
        lines = client.post("/translate", json=asked, headers=accept).data.splitlines()
        assert json.loads(lines[-1])["answer"]["translatedText"] == expected
