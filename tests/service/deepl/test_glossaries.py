"""Glossaries of both versions of DeepL's API: their fields, their terms, and their addresses."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from pydantic import ValidationError

from service.config import ServiceConfig
from service.deepl.glossaries import (
    DictionaryBody,
    EntriesAnswer,
    GlossariesAnswer,
    GlossaryAnswer,
    GlossaryBody,
    MultilingualAnswer,
    MultilingualBody,
    PairQuery,
    PairsAnswer,
    check_terms,
    glossary_fields,
    pairs_of,
    time_of,
    to_tsv,
)
from service.deepl.stored import Dictionary, KeptGlossary
from tests.service.conftest import KEY, LANGUAGES, MakeClient
from translator.errors import InputError

PART = {"source_lang": "DE", "target_lang": "en", "entries": "a\tb", "entries_format": "tsv"}


def test_fields_of_a_form_are_nested() -> None:
    form = {
        "name": "x",
        "dictionaries[1].entries": "c",
        "dictionaries[0][entries]": "a",
        "dictionaries[0].source_lang": "de",
        "dictionaries[x].entries": "odd",
    }
    with Flask("x").test_request_context(method="POST", data=form):
        fields = glossary_fields(request)
    assert fields["dictionaries"] == [{"entries": "a", "source_lang": "de"}, {"entries": "c"}]
    assert fields["dictionaries[x].entries"] == "odd"


def test_pairs() -> None:
    assert pairs_of(LANGUAGES) == [("DE", "EN"), ("EN", "PT")]
    assert PairQuery(source_lang="en-US", target_lang="PT").pair(LANGUAGES) == ("EN", "PT")
    for source, target in (("de", "de"), ("de", "pt"), ("xx", "en"), ("EN-US", "EN-GB")):
        with pytest.raises(InputError, match="Unsupported glossary source and target"):
            PairQuery(source_lang=source, target_lang=target).pair(LANGUAGES)


def several(value: Any) -> list[Dictionary]:
    body = MultilingualBody.read({"name": "x", "dictionaries": value})
    return body.every_dictionary(LANGUAGES, ServiceConfig())


def test_dictionaries() -> None:
    one = DictionaryBody.read(PART).dictionary(LANGUAGES, ServiceConfig())
    assert (one.source, one.target, one.entries) == ("DE", "EN", {"a": "b"})
    assert several([PART]) == [one]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a", "Parameter 'dictionaries' must be an array, got a string"),
        ([1], r"Parameter 'dictionaries\[0\]' must be an object, got a number"),
        ([PART, PART], r"Parameter 'dictionaries\[1\]' has the same pair as another"),
        ([{}], r"Parameter 'dictionaries\[0\].source_lang' not specified"),
    ],
)
def test_what_is_refused(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        several(value)


def test_names() -> None:
    assert GlossaryBody.read({**PART, "name": " x "}).name == "x"
    for name in ("", " ", "a" * 1025):
        with pytest.raises(InputError, match="'name'"):
            GlossaryBody.read({**PART, "name": name})


CONFIG = ServiceConfig(glossary_limit=3)


def entries(text: str, kind: str = "tsv") -> dict[str, str]:
    body = DictionaryBody.read({**PART, "entries": text, "entries_format": kind})
    return {**body.dictionary(LANGUAGES, CONFIG).entries}


def test_lines_with_tabs() -> None:
    assert entries("Haus\thome\r\n\n alter  Hut \told hat\n") == {
        "Haus": "home",
        "alter Hut": "old hat",
    }


def test_lines_with_commas() -> None:
    text = 'Haus,home\n"a, ""b""","c\nd",de,en\nHut,hat,en,de\n\nx,y,DE,EN\n'
    assert entries(text, "CSV") == {"Haus": "home", 'a, "b"': "c d", "x": "y"}


def test_the_way_back() -> None:
    found = {"Haus": "home", "Hut": "hat"}
    assert to_tsv(found) == "Haus\thome\nHut\that"
    assert entries(to_tsv(found)) == found


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
        ("a" * 201 + "\tb", "tsv", "has 201 characters, 200 at most"),
        ("a\tb", "xml", "Value for 'entries_format' not supported"),
        ("", "tsv", "Parameter 'entries' not specified"),
    ],
)
def test_what_entries_are_refused(text: str, kind: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        entries(text, kind)


def test_terms_that_cannot_be_used() -> None:
    with pytest.raises(InputError, match="Invalid glossary entries provided: glossary: "):
        check_terms({"a\nb": "c"}, ServiceConfig())


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


def test_answers_are_as_described(client: FlaskClient) -> None:
    said = client.get("/v2/glossary-language-pairs").json
    found = PairsAnswer.model_validate(said).supported_languages
    assert [(one.source_lang, one.target_lang) for one in found] == [("de", "en"), ("en", "pt")]


def test_a_body_has_a_kind_of_entries() -> None:
    with pytest.raises(ValidationError, match="entries_format"):
        GlossaryBody.model_validate(
            {"name": "a", "source_lang": "de", "target_lang": "en", "entries": ""}
        )
