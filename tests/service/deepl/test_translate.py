"""POST /v2/translate, and the fields of DeepL's requests."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.deepl.parameters import LanguageBody
from tests.service.conftest import KEY, FakeTranslator, MakeClient
from translator.pipeline.translation import Language

GERMAN = "Wir gehen heute nicht nach Hause."


PAIR = {"source_lang": "DE", "target_lang": "EN-US"}


def texts(client: FlaskClient, **fields: Any) -> list[str]:
    answer = client.post("/v2/translate", json={**PAIR, **fields})
    assert answer.status_code == 200, answer.json
    return [one["text"] for one in (answer.json or {})["translations"]]


def message(client: FlaskClient, **fields: Any) -> str:
    answer = client.post("/v2/translate", json={**PAIR, **fields}, headers=KEY)
    assert 400 <= answer.status_code < 500, answer.json
    return str((answer.json or {})["message"])


def test_json_and_a_form_say_the_same(client: FlaskClient) -> None:
    fields = {"text": ["eins", "zwei"], "target_lang": "en-us", "source_lang": "de"}
    expected = {
        "translations": [
            {"detected_source_language": "DE", "text": "EINS"},
            {"detected_source_language": "DE", "text": "ZWEI"},
        ]
    }
    assert client.post("/v2/translate", json=fields).json == expected
    assert client.post("/v2/translate", data=fields).json == expected
    assert client.post("/v2/translate", query_string=fields).json == expected


def test_one_text_may_be_a_string(client: FlaskClient) -> None:
    assert texts(client, text="eins") == ["EINS"]


def test_each_text_has_its_own_language(client: FlaskClient) -> None:
    fields = {"text": [GERMAN, "The child is sleeping today."], "target_lang": "EN"}
    found = (client.post("/v2/translate", json=fields).json or {})["translations"]
    assert [one["detected_source_language"] for one in found] == ["DE", "EN"]


def test_what_is_told_if_asked_for(client: FlaskClient) -> None:
    fields = {"text": "eins", "show_billed_characters": "1", "model_type": "latency_optimized"}
    answer = client.post("/v2/translate", data={**PAIR, **fields}).json or {}
    [one] = answer["translations"]
    assert (one["billed_characters"], one["model_type_used"]) == (4, "latency_optimized")


def test_tags(client: FlaskClient) -> None:
    for handling in ("xml", "html"):
        fields = {"text": "<p>ja</p><raw>nein</raw>", "tag_handling": handling}
        assert texts(client, **fields) == ["<p>JA</p><raw>NEIN</raw>"]
        assert texts(client, **fields, ignore_tags="x, raw") == ["<p>JA</p><raw>nein</raw>"]


def test_tags_that_split(client: FlaskClient, translator: FakeTranslator) -> None:
    text = "<a>eins</a> <b>zwei</b>"
    for fields, count in (
        ({}, 2),
        ({"outline_detection": "0"}, 1),
        ({"outline_detection": False, "splitting_tags": ["b"]}, 2),
        ({"non_splitting_tags": ["a", "b"]}, 1),
    ):
        texts(client, text=text, tag_handling="xml", **fields)
        assert len(translator.calls[-1][0]) == count, fields
    form = {**PAIR, "text": text, "tag_handling": "xml", "non_splitting_tags": ["a", "b"]}
    client.post("/v2/translate", data=form)
    assert len(translator.calls[-1][0]) == 1, "several of a field in a form are an array"


def test_a_region_is_the_language_where_there_is_no_other(client: FlaskClient) -> None:
    fields = {"text": "one", "source_lang": "EN", "target_lang": "PT"}
    assert texts(client, **fields) == ["ONE"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "Parameter 'text' not specified."),
        ({"text": []}, "Parameter 'text' not specified."),
        ({"text": {}}, "Parameter 'text' must be a string or an array of strings, got an object."),
        ({"text": ["a", 1]}, "Parameter 'text[1]' must be a string, got a number."),
        ({"text": "a", "target_lang": None}, "Parameter 'target_lang' not specified."),
        ({"text": "a", "target_lang": ["EN"]}, "'target_lang' must be a string, got an array."),
        ({"text": "a", "source_lang": "xx"}, "Value for 'source_lang' not supported."),
        ({"text": "a", "preserve_formatting": 7}, "Value for 'preserve_formatting' not supp"),
        ({"text": "a", "tag_handling_version": "v9"}, "Value for 'tag_handling_version' not"),
        ({"text": "a", "ignore_tags": 1}, "Parameter 'ignore_tags' must be a string or an"),
        ({"text": "a", "formality": "Less"}, "Target language 'EN-US' doesn't support formality."),
        ({"text": "a", "formality": "odd"}, "Value for 'formality' not supported."),
        ({"text": "a", "source_lang": {}}, "Parameter 'source_lang' must be a string, got an"),
        ({"text": "a", "target_lang": "XX"}, "Value for 'target_lang' not supported."),
        ({"text": "a", "split_sentences": "odd"}, "Value for 'split_sentences' not supported."),
        ({"text": "a", "tag_handling": "odd"}, "Value for 'tag_handling' not supported."),
        ({"text": "a", "model_type": "odd"}, "Value for 'model_type' not supported."),
        ({"text": "a", "target_lang": "PT-BR"}, "is not available as a target language"),
        ({"text": "a", "custom_instructions": ["x"]}, "'custom_instructions' is not supported"),
        ({"text": "a", "style_id": "x"}, "Parameter 'style_id' is not supported by this server."),
        ({"text": "a", "glossary_id": "x"}, "Value for 'glossary_id' not supported."),
        ({"text": "a", "glossary_ids": ["x"] * 6}, "At most 5 glossaries can be used."),
        ({"text": "a", "glossary_id": "x", "source_lang": ""}, "Use of a glossary requires the"),
        ({"text": "a", "glossary_id": "x", "glossary_ids": ["y"]}, "exclude each other"),
    ],
)
def test_what_is_refused(client: FlaskClient, fields: dict[str, Any], expected: str) -> None:
    assert expected in message(client, **fields)


def test_a_body_that_is_no_object(client: FlaskClient) -> None:
    for body, part in ((b"[1]", "Invalid JSON"), (b"{", "Invalid JSON"), (b"[" * 9999, "deeply")):
        answer = client.post("/v2/translate", data=body, content_type="application/json")
        assert part in (answer.json or {})["message"]
    answer = client.post("/v2/translate", data=b'{"text": "a"}')
    assert "JSON needs the header" in (answer.json or {})["message"]


def test_long_texts(make_client: MakeClient) -> None:
    many = make_client(batch_limit=1).post("/v2/translate", json={**PAIR, "text": ["a", "b"]})
    assert (many.status_code, many.json) == (
        413,
        {"message": "Too many texts: 2 were sent, 1 are allowed."},
    )
    client = make_client(batch_limit=1000)
    page = {
        number: client.post("/v2/translate", json={**PAIR, "text": ["a"] * number})
        for number in (50, 51)
    }
    assert {number: answer.status_code for number, answer in page.items()} == {50: 200, 51: 413}
    answer = make_client(char_limit=3).post("/v2/translate", json={**PAIR, "text": "four"})
    assert answer.status_code == 413


@pytest.mark.parametrize("value", ["1", "True", True, 1, "0", False, None])
def test_truths(client: FlaskClient, value: Any) -> None:
    fields = {**PAIR, "text": "a", "show_billed_characters": value}
    [one] = (client.post("/v2/translate", json=fields).json or {})["translations"]
    assert ("billed_characters" in one) == (value not in ("0", False, None))


FORMAL = (
    Language(code="de", name="German", targets=("de",)),
    Language(code="en", name="English", targets=("de", "en"), formality=("de",)),
)


@pytest.mark.parametrize("wish", ["default", "Prefer_More", "prefer_less", "", None])
def test_a_wish_for_formality_may_be_taken(client: FlaskClient, wish: str | None) -> None:
    assert texts(client, text="a", formality=wish, custom_instructions=[]) == ["A"]


def test_formality_is_had_from_languages_that_have_it() -> None:
    german, english = FORMAL
    body = LanguageBody.read({"target_lang": "DE", "formality": "Less"})
    assert body.forms_of_address(None, german, FORMAL) == {"en": "informal"}
    body = LanguageBody.read({"target_lang": "DE", "formality": "prefer_more"})
    assert body.forms_of_address(english, german, FORMAL) == {"en": "formal"}
