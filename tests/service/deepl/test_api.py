"""What all of DeepL's addresses have in common, and what belongs to a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from pydantic import ValidationError

from service.access.keys import KeyStore
from service.deepl.account import NO_LIMIT, UsageAnswer, checked_id
from service.deepl.documents import DocumentState
from service.deepl.languages import DeepLLanguages
from service.deepl.translate import DeepLTranslateAnswer
from tests.service.conftest import KEY, FakeTranslator, MakeClient
from translator.errors import DeadlineExceededError, EngineOverloadedError, InputError

TEXT = {"text": ["a"], "source_lang": "DE", "target_lang": "EN-US"}


def test_every_answer_has_a_trace(client: FlaskClient) -> None:
    for answer in (client.post("/v2/translate", json=TEXT), client.post("/v2/translate")):
        assert answer.headers["X-Trace-ID"] == answer.headers["X-Request-ID"]
    assert "X-Trace-ID" not in client.post("/translate").headers


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


WORDS = {
    "name": "words",
    "source_lang": "de",
    "target_lang": "en",
    "entries": "Haus\thome",
    "entries_format": "tsv",
}


GERMAN_TEXT = {"text": "abc", "source_lang": "DE", "target_lang": "EN-US"}


def usage(client: FlaskClient, headers: dict[str, str]) -> int:
    said = client.get("/v2/usage", headers=headers).json or {}
    assert said["character_limit"] == NO_LIMIT
    return int(said["character_count"])


def test_each_key_is_counted_by_itself(make_client: MakeClient, tmp_path: Path) -> None:
    client, store = make_client(api_keys="optional"), KeyStore(tmp_path / "database")
    mine, yours = ({"Authorization": f"DeepL-Auth-Key {store.add(name)}"} for name in ("me", "you"))
    client.post("/v2/translate", json=GERMAN_TEXT, headers=mine)
    client.post("/v2/translate", json={**GERMAN_TEXT, "text": ["a", "bc"]}, headers=mine)
    client.post("/v2/translate", json=GERMAN_TEXT, headers=yours)
    client.post("/v2/translate", json={**GERMAN_TEXT, "text": "a"})
    assert [usage(client, headers) for headers in (mine, yours, {})] == [6, 3, 1]


def test_without_keys_all_are_counted_together(client: FlaskClient) -> None:
    for headers in (KEY, {"Authorization": "DeepL-Auth-Key other"}):
        client.post("/v2/translate", json=GERMAN_TEXT, headers=headers)
    assert usage(client, KEY) == 6


def test_a_glossary_is_seen_by_its_own_key_only(make_client: MakeClient, tmp_path: Path) -> None:
    client, store = make_client(api_keys="optional"), KeyStore(tmp_path / "database")
    mine, yours = ({"Authorization": f"DeepL-Auth-Key {store.add(name)}"} for name in ("me", "you"))
    made = client.post("/v2/glossaries", json=WORDS, headers=mine)
    address = f"/v2/glossaries/{(made.json or {})['glossary_id']}"
    assert client.get(address, headers=mine).status_code == 200
    assert client.get(address, headers=yours).status_code == 404
    kept, pair = f"/v3{address[3:]}", {"source_lang": "de", "target_lang": "en"}
    terms = {"json": {**WORDS, "name": "mine", "entries": "Hut\that"}}
    for method, path, sent in (
        ("DELETE", address, {}),
        ("GET", f"{address}/entries", {}),
        ("PATCH", kept, {"json": {"name": "mine", "dictionaries": [WORDS]}}),
        ("PUT", f"{kept}/dictionaries", terms),
        ("DELETE", f"{kept}/dictionaries", {"query_string": pair}),
    ):
        answer = client.open(path, method=method, headers=yours, **sent)
        assert answer.status_code == 404, (method, path)
    assert client.get(address, headers=mine).json == made.json
    assert client.get(f"{address}/entries", headers=mine).text == WORDS["entries"]
    assert client.get("/v3/glossaries", headers=yours).json == {"glossaries": []}
    nobody = client.get("/v3/glossaries")
    assert (nobody.status_code, (nobody.json or {})["message"]) == (
        403,
        "Send an auth key: glossaries belong to one",
    )


def test_any_word_is_a_key_where_there_are_none(client: FlaskClient) -> None:
    for word in ("ü", "\ud800", "a" * 9999):
        for _ in range(2):
            made = client.post("/v2/glossaries", json={**WORDS, "auth_key": word})
            assert made.status_code == 201
    assert client.post("/v2/glossaries", json=WORDS).status_code == 403


def test_glossaries_can_be_switched_off_and_have_a_bound(make_client: MakeClient) -> None:
    answer = make_client(glossaries_limit=0).post("/v2/glossaries", json=WORDS, headers=KEY)
    assert (answer.status_code, (answer.json or {})["message"]) == (
        403,
        "Glossaries are disabled on this server.",
    )
    client = make_client(glossaries_limit=1)
    statuses = [
        client.post(f"/v{version}/glossaries", json=body, headers=KEY).status_code
        for version, body in ((2, WORDS), (2, WORDS), (3, {"name": "a", "dictionaries": [WORDS]}))
    ]
    assert statuses == [201, 403, 403]
    [one] = (client.get("/v3/glossaries", headers=KEY).json or {})["glossaries"]
    assert client.delete(f"/v3/glossaries/{one['glossary_id']}", headers=KEY).status_code == 204
    assert client.post("/v2/glossaries", json=WORDS, headers=KEY).status_code == 201


def test_without_a_database_the_rest_goes_on(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(database=str(tmp_path))  # a folder
    answer = client.get("/v2/usage", headers=KEY)
    assert answer.status_code == 503
    assert (answer.json or {})["message"] == "Nothing can be kept on this server now"
    assert client.post("/v2/translate", json=GERMAN_TEXT, headers=KEY).status_code == 200


def test_the_first_glossary_that_has_a_term_counts(client: FlaskClient) -> None:
    made = [
        client.post("/v2/glossaries", json={**WORDS, "entries": entries}, headers=KEY).json or {}
        for entries in ("Haus\thome", "Haus\thouse\nHut\that")
    ]
    ids = [one["glossary_id"] for one in made]
    fields = {**GERMAN_TEXT, "text": "Haus Hut", "glossary_ids": ids}
    answer = client.post("/v2/translate", json=fields, headers=KEY).json or {}
    assert answer["translations"][0]["text"] == "home hat"


def test_ids() -> None:
    assert checked_id("96AB91FD-E715-41A1-ADEB-5D701F84A483").islower()
    with pytest.raises(InputError, match="'glossary_id' not supported"):
        checked_id("../x")


def test_answers_are_as_described(client: FlaskClient) -> None:
    fields = {"text": ["a"], "source_lang": "DE", "target_lang": "EN-US"}
    DeepLTranslateAnswer.model_validate(client.post("/v2/translate", json=fields).json)
    DeepLLanguages.model_validate(client.get("/v2/languages?type=target").json)
    UsageAnswer.model_validate(client.get("/v2/usage").json)


def test_what_is_not_described_is_found() -> None:
    with pytest.raises(ValidationError, match="extra"):
        DocumentState.model_validate({"document_id": "a", "status": "done", "odd": 1})
