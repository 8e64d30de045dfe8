"""Glossaries of both versions of DeepL's API: their fields, their terms, and their addresses."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.deepl.glossaries import (
    EntriesAnswer,
    GlossariesAnswer,
    GlossaryAnswer,
    MultilingualAnswer,
    PairsAnswer,
    time_of,
)
from service.deepl.stored import KeptGlossary
from tests.service.conftest import KEY, MakeClient

PART = {"source_lang": "DE", "target_lang": "en", "entries": "a\tb", "entries_format": "tsv"}
OTHER = {**PART, "source_lang": "en", "target_lang": "PT-BR"}
PAIR = {"source_lang": "de", "target_lang": "en"}


def test_fields_of_a_form_are_nested(client: FlaskClient) -> None:
    form = {"name": " x ", "dictionaries[x].entries": "odd"}
    form |= {f"dictionaries[1].{name}": value for name, value in OTHER.items()}
    form |= {f"dictionaries[0][{name}]": value for name, value in PART.items()}
    made = client.post("/v3/glossaries", data=form, headers=KEY).json or {}
    found = [(one["source_lang"], one["target_lang"]) for one in made["dictionaries"]]
    assert (made["name"], found) == ("x", [("de", "en"), ("en", "pt")])


def entries(client: FlaskClient, text: str, kind: str = "tsv") -> str:
    """Return the terms of a new glossary."""
    body = {"name": "x", **PART, "entries": text, "entries_format": kind}
    made = client.post("/v2/glossaries", json=body, headers=KEY)
    assert made.status_code == 201, made.json
    address = f"/v2/glossaries/{(made.json or {})['glossary_id']}/entries"
    return client.get(address, headers=KEY).text


def test_lines_with_tabs(client: FlaskClient) -> None:
    lines = "Haus\thome\r\n\n alter  Hut \told hat\n"
    assert entries(client, lines) == "Haus\thome\nalter Hut\told hat"


def test_lines_with_commas(client: FlaskClient) -> None:
    text = 'Haus,home\n"a, ""b""","c\nd",de,en\nHut,hat,en,de\n\nx,y,DE,EN\n'
    assert entries(client, text, "CSV") == 'Haus\thome\na, "b"\tc d\nx\ty'


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("Haus", "tsv", "line 1 has no tab"),
        ("a\tb\nHaus\t ", "tsv", "line 2 has an empty term"),
        ("a\tb\na\tc", "tsv", "line 2 has a term again, 'a'"),
        ("\n\n", "tsv", "there are none"),
        ("\n".join(f"{n}\tb" for n in range(4)), "tsv", "there are 4, and 3 are allowed"),
        ("a", "csv", "line 1 has one column only"),
        ('"a', "csv", "unexpected end of data"),
        ("a,b,en,de", "csv", "there are none"),
        ("a" * 201 + "\tb", "tsv", "Invalid glossary entries provided: glossary: "),
        ("a" * 201 + "\tb", "tsv", "has 201 characters, 200 at most"),
        ("a\tb", "xml", "Value for 'entries_format' not supported"),
        ("a\tb", None, "Parameter 'entries_format' not specified"),
        ("", "tsv", "Parameter 'entries' not specified"),
    ],
)
def test_what_entries_are_refused(
    make_client: MakeClient, text: str, kind: str | None, message: str
) -> None:
    body = {"name": "x", **PART, "entries": text, "entries_format": kind}
    answer = make_client(glossary_limit=3).post("/v2/glossaries", json=body, headers=KEY)
    assert (answer.status_code, message in (answer.json or {})["message"]) == (400, True)


NO_PAIR = "Unsupported glossary source and target language pair"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a", "Parameter 'dictionaries' must be an array, got a string"),
        ([1], "Parameter 'dictionaries[0]' must be an object, got a number"),
        ([PART, PART], "Parameter 'dictionaries[1]' has the same pair as another"),
        ([{}], "Parameter 'dictionaries[0].source_lang' not specified"),
        ([{**PART, "entries": "a"}], "line 1 has no tab"),
        ([], "Parameter 'dictionaries' not specified"),
        (None, "Parameter 'dictionaries' not specified"),
        ([{**PART, "target_lang": "de"}], NO_PAIR),
        ([{**PART, "target_lang": "pt"}], NO_PAIR),
        ([{**PART, "source_lang": "xx"}], NO_PAIR),
        ([{**PART, "source_lang": "EN-US", "target_lang": "EN-GB"}], NO_PAIR),
    ],
)
def test_what_is_refused_is_not_kept(client: FlaskClient, value: Any, message: str) -> None:
    body = {"name": "x", "dictionaries": value}
    answer = client.post("/v3/glossaries", json=body, headers=KEY)
    assert (answer.status_code, message in (answer.json or {})["message"]) == (400, True)
    assert client.get("/v3/glossaries", headers=KEY).json == {"glossaries": []}


@pytest.mark.parametrize("name", ["", " ", "a" * 1025])
def test_a_name_that_is_refused(client: FlaskClient, name: str) -> None:
    answer = client.post("/v2/glossaries", json={**PART, "name": name}, headers=KEY)
    assert (answer.status_code, "'name'" in (answer.json or {})["message"]) == (400, True)


NO_ID = "96ab91fd-e715-41a1-adeb-5d701f84a483"


def test_a_glossary_from_beginning_to_end(client: FlaskClient) -> None:
    made = client.post("/v2/glossaries", json={"name": "x", **PART}, headers=KEY)
    known = GlossaryAnswer.model_validate(made.json)
    assert (made.status_code, known.source_lang, known.entry_count) == (201, "de", 1)
    assert datetime.fromisoformat(known.creation_time).tzinfo is not None
    address = f"/v2/glossaries/{known.glossary_id}"
    assert client.get(address, headers=KEY).json == made.json
    entries = client.get(f"{address}/entries", headers=KEY)
    assert (entries.data, entries.mimetype) == (b"a\tb", "text/tab-separated-values")
    listed = client.get("/v2/glossaries", headers=KEY).json
    assert GlossariesAnswer.model_validate(listed).glossaries == [known]
    gone = client.delete(address, headers=KEY)
    assert (gone.status_code, gone.data) == (204, b"")
    assert client.get(address, headers=KEY).status_code == 404


def test_those_of_several_pairs_are_version_3s_only(client: FlaskClient) -> None:
    both = [PART, {**PART, "source_lang": "EN", "target_lang": "PT"}]
    body = {"name": "x", "dictionaries": both}
    made = client.post("/v3/glossaries", json=body, headers=KEY).json or {}
    assert client.get("/v2/glossaries", headers=KEY).json == {"glossaries": []}
    assert client.get(f"/v2/glossaries/{made['glossary_id']}", headers=KEY).status_code == 404


def test_ids_that_there_are_not(client: FlaskClient) -> None:
    for glossary_id, status in (("x", 400), (NO_ID, 404)):
        for end in ("", "/entries"):
            address = f"/v2/glossaries/{glossary_id}{end}"
            assert client.get(address, headers=KEY).status_code == status


def test_times() -> None:
    one = KeptGlossary(id="a", name="b", created_at=1.5, sizes={})
    assert time_of(one) == "1970-01-01T00:00:01.500Z"


@pytest.fixture
def address(client: FlaskClient) -> str:
    body = {"name": "x", "dictionaries": [PART, OTHER]}
    made = client.post("/v3/glossaries", json=body, headers=KEY)
    assert made.status_code == 201
    return f"/v3/glossaries/{MultilingualAnswer.model_validate(made.json).glossary_id}"


def sizes(client: FlaskClient, address: str) -> dict[str, int]:
    known = MultilingualAnswer.model_validate(client.get(address, headers=KEY).json)
    return {one.source_lang: one.entry_count for one in known.dictionaries}


def kept_terms(client: FlaskClient, address: str) -> str:
    answer = client.get(f"{address}/entries", query_string=PAIR, headers=KEY)
    return EntriesAnswer.model_validate(answer.json).dictionaries[0].entries


def test_a_patch_adds_terms_and_renames(client: FlaskClient, address: str) -> None:
    body = {"name": "y", "dictionaries": [{**PART, "entries": "a\tc\nd\te"}]}
    said = client.patch(address, json=body, headers=KEY).json or {}
    assert said["name"] == "y"
    assert kept_terms(client, address) == "a\tc\nd\te"
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
    assert kept_terms(client, address) == "x\ty"


def test_a_pair_can_be_deleted(client: FlaskClient, address: str) -> None:
    part = f"{address}/dictionaries"
    for status in (204, 404):
        assert client.delete(part, query_string=PAIR, headers=KEY).status_code == status
    assert sizes(client, address) == {"en": 1}
    gone = client.get(f"{address}/entries", query_string=PAIR, headers=KEY)
    assert (gone.status_code, gone.json) == (404, {"message": "Dictionary not found"})


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


def test_answers_are_as_described(client: FlaskClient) -> None:
    said = client.get("/v2/glossary-language-pairs").json
    found = PairsAnswer.model_validate(said).supported_languages
    assert [(one.source_lang, one.target_lang) for one in found] == [("de", "en"), ("en", "pt")]
