"""Bodies that no client sends by mistake: each is answered with what is wrong with it."""

from __future__ import annotations

import json
import time

import pytest
from flask.testing import FlaskClient

from tests.service.conftest import KEY

ADDRESSES = [
    *("/v2/translate", "/v2/document", "/v2/document/x", "/v2/document/x/result"),
    *("/v2/glossaries", "/v3/glossaries"),
    *("/imme", "/kiss", "/hcfy", "/deeplx", "/translate/batch"),
]
LONE = "\ud800"
NAMES = ("text", "texts", "text_list", "name", "dictionaries", "target_lang", "document_key")
BODIES = {
    "nothing": b"",
    "half": b'{"text": ["a',
    "no object": b"[1, 2]",
    "deep": b'{"text": ' + b"[" * 50_000,
    "digits": b'{"text": ' + b"9" * 5_000 + b"}",
    "not UTF-8": b'{"text": "\xff"}',
    "half a character": json.dumps(
        dict.fromkeys(("text", "name", "target_lang", "to", "document_key", "entries"), LONE)
    ).encode(),
    "objects": json.dumps({name: {"a": [None]} for name in NAMES}).encode(),
    "a key that is none": json.dumps({"auth_key": [LONE], "text": {}}).encode(),
}
FORMS = (b"text=%ff&target_lang=en", b"dictionaries[0].entries=a&name=b", b"text[]=a", b"%00=%00")


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("body", BODIES)
def test_json(client: FlaskClient, address: str, body: str) -> None:
    answer = client.post(address, data=BODIES[body], content_type="application/json", headers=KEY)
    assert 400 <= answer.status_code < 500, answer.data
    assert {*(answer.json or {})} & {"message", "error"}


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("body", FORMS)
def test_forms(client: FlaskClient, address: str, body: bytes) -> None:
    kind = "application/x-www-form-urlencoded"
    answer = client.post(address, data=body, content_type=kind, headers=KEY)
    assert 400 <= answer.status_code < 500, answer.data


@pytest.mark.parametrize("entries", ["a\x00\tb", "\t\t\t", '"', "a\tb\tc", "\ufeffa\tb", "(\t("])
@pytest.mark.parametrize("kind", ["tsv", "csv"])
def test_entries(client: FlaskClient, entries: str, kind: str) -> None:
    body = {"name": "\x00", "source_lang": "de", "target_lang": "en"}
    fields = {**body, "entries": entries, "entries_format": kind}
    answer = client.post("/v2/glossaries", json=fields, headers=KEY)
    assert answer.status_code in (201, 400), answer.data
    if answer.status_code == 201:
        asked = {"text": f"x {entries} y", "source_lang": "DE", "target_lang": "EN"}
        glossary_id = (answer.json or {})["glossary_id"]
        done = client.post("/v2/translate", json={**asked, "glossary_id": glossary_id}, headers=KEY)
        assert done.status_code == 200, done.data


def test_many_fields(client: FlaskClient) -> None:
    many = "&".join(["target_lang=en", *["text=a"] * 10_000])
    kind = "application/x-www-form-urlencoded"
    answer = client.post("/v2/translate", data=many, content_type=kind)
    assert (answer.status_code, answer.json) == (
        413,
        {"message": "Too many texts: 10000 were sent, 50 are allowed."},
    )
    names = [f"t{number}" for number in range(1000)]
    fields = {"text": "<t1>a</t1> b", "tag_handling": "xml", "ignore_tags": names}
    answer = client.post("/v2/translate", data={**fields, "target_lang": "EN", "source_lang": "DE"})
    assert (answer.json or {})["translations"][0]["text"] == "<t1>a</t1> B"


@pytest.mark.parametrize(
    "text",
    ["<" * 3000, "<a>" * 1000, "</a>" * 1000, "<a b='", "<![CDATA[", "&#0;&#xd800;&x;", "\x00"],
)
@pytest.mark.parametrize("handling", ["xml", "html"])
def test_broken_tags(client: FlaskClient, text: str, handling: str) -> None:
    fields = {"text": f"{text} eins", "source_lang": "DE", "target_lang": "EN"}
    answer = client.post("/v2/translate", json={**fields, "tag_handling": handling})
    assert answer.status_code == 200, answer.data


@pytest.mark.parametrize(
    ("address", "name"),
    [
        *(("/translate", name) for name in ("q", "do_not_translate", "glossary", "prefix")),
        *(("/v2/translate", name) for name in ("text", "ignore_tags", "glossary_ids")),
        *[("/imme", "text_list"), ("/kiss", "texts"), ("/hcfy", "destination"), ("/detect", "q")],
        *[("/translate/batch", "texts"), ("/v3/glossaries", "dictionaries")],
    ],
)
def test_a_million_wrong_items_take_no_longer_than_one(
    client: FlaskClient, address: str, name: str
) -> None:
    fields = {
        "q": "a",
        "source": "de",
        "target": "en",
        "text": "a",
        "target_lang": "EN",
        "to": "en",
    }
    body = {**fields, "name": "a", "destination": ["en"], "errors": "per_item", name: [1] * 600_000}
    started_s = time.process_time()
    answer = client.post(address, json=body, headers=KEY)
    assert (answer.status_code, time.process_time() - started_s < 3) == (400, True)
