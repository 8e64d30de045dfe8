"""Glossaries of several pairs."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.dialects.deepl.glossaries.schemas import EntriesAnswer, MultilingualAnswer
from tests.service.dialects.conftest import KEY, MakeClient

PART = {"source_lang": "DE", "target_lang": "en", "entries": "a\tb", "entries_format": "tsv"}
OTHER = {**PART, "source_lang": "en", "target_lang": "PT-BR"}
PAIR = {"source_lang": "de", "target_lang": "en"}


@pytest.fixture
def address(client: FlaskClient) -> str:
    body = {"name": "x", "dictionaries": [PART, OTHER]}
    made = client.post("/v3/glossaries", json=body, headers=KEY)
    assert made.status_code == 201
    return f"/v3/glossaries/{MultilingualAnswer.model_validate(made.json).glossary_id}"


def sizes(client: FlaskClient, address: str) -> dict[str, int]:
    known = MultilingualAnswer.model_validate(client.get(address, headers=KEY).json)
    return {one.source_lang: one.entry_count for one in known.dictionaries}


def entries(client: FlaskClient, address: str) -> str:
    answer = client.get(f"{address}/entries", query_string=PAIR, headers=KEY)
    return EntriesAnswer.model_validate(answer.json).dictionaries[0].entries


def test_a_patch_adds_terms_and_renames(client: FlaskClient, address: str) -> None:
    body = {"name": "y", "dictionaries": [{**PART, "entries": "a\tc\nd\te"}]}
    said = client.patch(address, json=body, headers=KEY).json or {}
    assert said["name"] == "y"
    assert entries(client, address) == "a\tc\nd\te"
    assert sizes(client, address) == {"de": 2, "en": 1}


def test_patches_do_not_add_more_terms_than_are_allowed(make_client: MakeClient) -> None:
    client = make_client(glossary_limit=2)
    body = {"name": "x", "dictionaries": [{**PART, "entries": "a\tb\nc\td"}]}
    made = client.post("/v3/glossaries", json=body, headers=KEY).json or {}
    more = {"dictionaries": [{**PART, "entries": "e\tf"}]}
    said = client.patch(f"/v3/glossaries/{made['glossary_id']}", json=more, headers=KEY)
    assert (said.status_code, (said.json or {})["message"]) == (
        400,
        "Invalid glossary entries provided: there are 3, and 2 are allowed",
    )


def test_a_put_replaces_terms(client: FlaskClient, address: str) -> None:
    put = f"{address}/dictionaries"
    said = client.put(put, data={**PART, "entries": "x\ty"}, headers=KEY).json
    assert said == {"source_lang": "de", "target_lang": "en", "entry_count": 1}
    assert entries(client, address) == "x\ty"


def test_a_pair_can_be_deleted(client: FlaskClient, address: str) -> None:
    part = f"{address}/dictionaries"
    for status in (204, 404):
        assert client.delete(part, query_string=PAIR, headers=KEY).status_code == status
    assert sizes(client, address) == {"en": 1}
    gone = client.get(f"{address}/entries", query_string=PAIR, headers=KEY)
    assert (gone.status_code, gone.json) == (404, {"message": "Dictionary not found"})


@pytest.mark.parametrize(
    "body",
    [
        {"name": "x"},
        {"name": "x", "dictionaries": []},
        {"name": "", "dictionaries": [PART]},
        {"name": "x", "dictionaries": [{**PART, "entries": "a"}]},
    ],
)
def test_nothing_is_kept_of_a_bad_request(client: FlaskClient, body: dict[str, Any]) -> None:
    assert client.post("/v3/glossaries", json=body, headers=KEY).status_code == 400
    assert client.get("/v3/glossaries", headers=KEY).json == {"glossaries": []}


def test_a_bad_patch_changes_nothing(client: FlaskClient, address: str) -> None:
    body = {"name": "y", "dictionaries": [OTHER, {**PART, "entries": "no tab"}]}
    assert client.patch(address, json=body, headers=KEY).status_code == 400
    assert (client.get(address, headers=KEY).json or {})["name"] == "x"


def test_a_glossary_can_be_deleted(client: FlaskClient, address: str) -> None:
    assert client.delete(address, headers=KEY).status_code == 204
    for method in (client.get, client.delete, client.patch):
        assert method(address, headers=KEY).status_code == 404
    put = client.put(f"{address}/dictionaries", json=PART, headers=KEY)
    assert put.status_code == 404
