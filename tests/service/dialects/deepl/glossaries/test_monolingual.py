"""Glossaries of one pair."""

from __future__ import annotations

from datetime import datetime

from flask.testing import FlaskClient

from service.dialects.deepl.glossaries.monolingual import time_of
from service.dialects.deepl.glossaries.schemas import GlossariesAnswer, GlossaryAnswer
from service.storage.glossaries import KeptGlossary
from tests.service.dialects.conftest import KEY

PART = {"source_lang": "DE", "target_lang": "en", "entries": "a\tb", "entries_format": "tsv"}
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
