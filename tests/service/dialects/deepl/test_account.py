"""What belongs to a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.access.keys import KeyStore
from service.dialects.deepl.account import NO_LIMIT, checked_id
from tests.service.dialects.conftest import KEY, MakeClient
from translator.errors import InputError

WORDS = {
    "name": "words",
    "source_lang": "de",
    "target_lang": "en",
    "entries": "Haus\thome",
    "entries_format": "tsv",
}
TEXT = {"text": "abc", "source_lang": "DE", "target_lang": "EN-US"}


def usage(client: FlaskClient, headers: dict[str, str]) -> int:
    said = client.get("/v2/usage", headers=headers).json or {}
    assert said["character_limit"] == NO_LIMIT
    return int(said["character_count"])


def test_each_key_is_counted_by_itself(make_client: MakeClient, tmp_path: Path) -> None:
    client, store = make_client(api_keys="optional"), KeyStore(tmp_path / "database")
    mine, yours = ({"Authorization": f"DeepL-Auth-Key {store.add(name)}"} for name in ("me", "you"))
    client.post("/v2/translate", json=TEXT, headers=mine)
    client.post("/v2/translate", json={**TEXT, "text": ["a", "bc"]}, headers=mine)
    client.post("/v2/translate", json=TEXT, headers=yours)
    client.post("/v2/translate", json={**TEXT, "text": "a"})
    assert [usage(client, headers) for headers in (mine, yours, {})] == [6, 3, 1]


def test_without_keys_all_are_counted_together(client: FlaskClient) -> None:
    for headers in (KEY, {"Authorization": "DeepL-Auth-Key other"}):
        client.post("/v2/translate", json=TEXT, headers=headers)
    assert usage(client, KEY) == 6


def test_a_glossary_is_seen_by_its_own_key_only(make_client: MakeClient, tmp_path: Path) -> None:
    client, store = make_client(api_keys="optional"), KeyStore(tmp_path / "database")
    mine, yours = ({"Authorization": f"DeepL-Auth-Key {store.add(name)}"} for name in ("me", "you"))
    made = client.post("/v2/glossaries", json=WORDS, headers=mine)
    address = f"/v2/glossaries/{(made.json or {})['glossary_id']}"
    assert client.get(address, headers=mine).status_code == 200
    assert client.get(address, headers=yours).status_code == 404
    assert client.delete(address, headers=yours).status_code == 404
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


def test_without_a_database_the_rest_goes_on(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(database=str(tmp_path))  # a folder
    answer = client.get("/v2/usage", headers=KEY)
    assert answer.status_code == 503
    assert (answer.json or {})["message"].startswith("Nothing can be kept on this server: ")
    assert client.post("/v2/translate", json=TEXT, headers=KEY).status_code == 200


def test_the_first_glossary_that_has_a_term_counts(client: FlaskClient) -> None:
    made = [
        client.post("/v2/glossaries", json={**WORDS, "entries": entries}, headers=KEY).json or {}
        for entries in ("Haus\thome", "Haus\thouse\nHut\that")
    ]
    ids = [one["glossary_id"] for one in made]
    fields = {**TEXT, "text": "Haus Hut", "glossary_ids": ids}
    answer = client.post("/v2/translate", json=fields, headers=KEY).json or {}
    assert answer["translations"][0]["text"] == "home hat"


def test_ids() -> None:
    assert checked_id("96AB91FD-E715-41A1-ADEB-5D701F84A483").islower()
    with pytest.raises(InputError, match="'glossary_id' not supported"):
        checked_id("../x")
