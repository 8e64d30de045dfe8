"""What browser extensions and MTranServer's clients send, as their pages of documentation say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.access.keys import KeyStore
from service.extensions import (
    DeepLXAnswer,
    HcfyAnswer,
    ImmersiveAnswer,
    KissAnswer,
    find_by_name,
    name_of,
)
from tests.service.conftest import LANGUAGES, MakeClient
from translator.pipeline.translation import Language

ADDRESSES = {
    "deepl": ["/v2/translate", "/v2/document"],
    "extensions": ["/imme", "/kiss", "/hcfy", "/deeplx", "/translate/batch"],
}


@pytest.mark.parametrize("setting", ADDRESSES)
def test_each_group_can_be_switched_off(make_client: MakeClient, setting: str) -> None:
    client = make_client(**{setting: "off"})
    for group, addresses in ADDRESSES.items():
        statuses = {client.post(address).status_code for address in addresses}
        assert statuses == ({404} if group == setting else {400})


def test_without_them_the_service_knows_no_other_fields(make_client: MakeClient) -> None:
    body = {"text": "a", "from": "de", "to": "en"}
    assert make_client().post("/translate", json=body).json == {"result": "A"}
    answer = make_client(extensions="off").post("/translate", json=body)
    assert answer.json == {"code": "invalid", "error": "Invalid request: missing q parameter"}


def test_requests_of_all_dialects_are_counted(make_client: MakeClient) -> None:
    client = make_client(rate_limit="1 per minute")
    assert client.post("/kiss", json={"text": "a", "from": "de", "to": "en"}).status_code == 200
    again = client.post("/imme", json={"text_list": ["a"], "target_lang": "en"})
    assert (again.status_code, (again.json or {})["code"]) == (429, "too_many_requests")


GERMAN = "Wir gehen heute nicht nach Hause."


def test_texts_of_a_page(client: FlaskClient) -> None:
    body = {"source_lang": "auto", "target_lang": "en", "text_list": [GERMAN, "Hallo Welt, ja."]}
    said = ImmersiveAnswer.model_validate(client.post("/imme", json=body).json).translations
    assert [(one.detected_source_lang, one.text) for one in said] == [
        ("de", GERMAN.upper()),
        ("de", "HALLO WELT, JA."),
    ]


def test_a_key_in_the_address(client: FlaskClient) -> None:
    body = {"source_lang": "de", "target_lang": "en", "text_list": ["a"]}
    assert client.post("/imme?token=x", json=body).status_code == 200


def test_one_text(client: FlaskClient) -> None:
    body = {"text": GERMAN, "from": "auto", "to": "en"}
    headers = {"Authorization": "Bearer some key"}
    said = client.post("/kiss", json=body, headers=headers).json
    assert said == {"text": GERMAN.upper(), "src": "de"}
    KissAnswer.model_validate(said)


def test_several_texts(client: FlaskClient) -> None:
    body = {"texts": ["eins", "zwei"], "from": "de", "to": "en"}
    said = client.post("/kiss", json=body).json
    assert said == {"translations": [{"text": "EINS", "src": "de"}, {"text": "ZWEI", "src": "de"}]}
    KissAnswer.model_validate(said)


def test_the_first_language_that_is_another(client: FlaskClient) -> None:
    body = {"name": "ours", "text": f"{GERMAN}\n\nJa, wir gehen.", "destination": ["德语", "英语"]}
    said = client.post("/hcfy", json=body).json or {}
    assert (said["from"], said["to"]) == ("德语", "英语")
    assert said["result"] == [GERMAN.upper(), "", "JA, WIR GEHEN."]
    HcfyAnswer.model_validate(said)


def test_languages_that_there_are_not_are_passed_over(client: FlaskClient) -> None:
    body = {"text": "eins", "source": "德语", "destination": ["中文(简体)", "英语"]}
    assert (client.post("/hcfy", json=body).json or {})["to"] == "英语"


def test_names() -> None:
    assert [name_of(code) for code in ("de", "zh", "zh-Hant", "ja")] == [
        *("德语", "中文(简体)", "中文(繁体)", "日语")
    ]
    chinese = Language(code="zh", name="Chinese", targets=("en",))
    assert find_by_name("中文(简体)", [*LANGUAGES, chinese]) is chinese
    assert find_by_name("en-US", LANGUAGES) is LANGUAGES[1]
    assert find_by_name("火星语", LANGUAGES) is None


BODY = {"from": "de", "to": "en", "text": "eins"}


def test_one_text_of_mtran(client: FlaskClient) -> None:
    assert client.post("/translate", json=BODY).json == {"result": "EINS"}
    page = {**BODY, "text": "<b>eins</b>", "html": True}
    assert client.post("/translate", json=page).json == {"result": "<b>EINS</b>"}


def test_several_texts_of_mtran(client: FlaskClient) -> None:
    body = {"from": "auto", "to": "en", "texts": ["eins", "zwei"]}
    assert client.post("/translate/batch", json=body).json == {"results": ["EINS", "ZWEI"]}


@pytest.mark.parametrize(
    "body",
    [
        {"q": "eins", "source": "de", "target": "en"},
        {"q": "eins", "source": "de", "target": "en", "text": "zwei", "from": "de", "to": "en"},
    ],
)
def test_what_is_libretranslates_stays_so(client: FlaskClient, body: dict[str, Any]) -> None:
    assert client.post("/translate", json=body).json == {"translatedText": "EINS"}
    escaped = json.dumps(body).replace('"q"', '"\\u0071"')
    answer = client.post("/translate", data=escaped, content_type="application/json")
    assert answer.json == {"translatedText": "EINS"}


def test_other_bodies_come_to_the_other_handler(client: FlaskClient) -> None:
    for body in (b"{", b"[]", b'{"text": "a"}', b'{"from": "de", "to": "en"}'):
        answer = client.post("/translate", data=body, content_type="application/json")
        assert answer.status_code == 400
    assert client.post("/translate", data=BODY).status_code == 400, "a form is LibreTranslate's"


DEEPLX = {"text": "eins", "source_lang": "DE", "target_lang": "EN"}


@pytest.mark.parametrize("address", ["/translate", "/deeplx"])
def test_a_text(client: FlaskClient, address: str) -> None:
    said = DeepLXAnswer.model_validate(client.post(address, json=DEEPLX).json)
    assert (said.data, said.source_lang, said.target_lang) == ("EINS", "DE", "EN")
    assert (said.code, said.alternatives, said.method) == (200, [], "Free")


@pytest.mark.parametrize("source", [None, "", "auto", "AUTO"])
def test_a_language_is_detected(client: FlaskClient, source: str | None) -> None:
    body = {"text": GERMAN, "source_lang": source, "target_lang": "EN-US"}
    said = client.post("/translate", json=body).json or {}
    assert (said["data"], said["source_lang"]) == (GERMAN.upper(), "DE")


def test_nothing_is_no_error(client: FlaskClient) -> None:
    assert (client.post("/translate", json={**DEEPLX, "text": ""}).json or {})["data"] == ""


def test_a_language_without_its_region(client: FlaskClient) -> None:
    body = {"text": "one", "source_lang": "EN", "target_lang": "PT"}
    assert (client.post("/translate", json=body).json or {})["target_lang"] == "PT-BR"


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_json_that_is_not_said_to_be_json(client: FlaskClient, kind: str | None) -> None:
    for address in ("/translate", "/deeplx"):
        answer = client.post(address, data=json.dumps(DEEPLX), content_type=kind)
        assert (answer.json or {})["data"] == "EINS"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("xml", "<a>EINS</a><!-- b -->"),
        ("html", "<a>EINS</a><!-- b -->"),
        ("", "<A>EINS</A><!-- B -->"),
        (None, "<A>EINS</A><!-- B -->"),
    ],
)
def test_tags(client: FlaskClient, markup: str | None, expected: str) -> None:
    body = {**DEEPLX, "text": "<a>eins</a><!-- b -->", "tag_handling": markup}
    assert (client.post("/translate", json=body).json or {})["data"] == expected


@pytest.mark.parametrize(
    "body",
    [
        b'q=say "text" and "target_lang"&source=de&target=en',
        b'{"q": "a", "target_lang": "en"}',
        b'{"target_lang": "en"}',
    ],
)
def test_what_is_not_for_it_comes_to_the_other_handler(client: FlaskClient, body: bytes) -> None:
    form = not body.startswith(b"{")
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    answer = client.post("/translate", data=body, content_type=kind)
    assert ("translatedText" in (answer.json or {})) == form
    assert answer.status_code == (200 if form else 400)


IMME = {"text_list": ["a"], "target_lang": "en"}
HCFY = {"text": "a", "destination": ["英语"], "source": "德语"}


@pytest.mark.parametrize(
    ("address", "good", "fields", "message"),
    [
        ("/imme", IMME, {"text_list": ["a", 1]}, "text_list[1] must be a string"),
        ("/imme", IMME, {"target_lang": "xx"}, "xx is not supported"),
        ("/imme", IMME, {"target_lang": None}, "missing target_lang parameter"),
        ("/imme", IMME, {"text_list": []}, "missing text_list parameter"),
        ("/imme", IMME, {"text_list": "a"}, "text_list must be an array, got a string"),
        ("/imme", IMME, {"source_lang": {}}, "source_lang must be a string, got an object"),
        ("/imme", IMME, {"text_list": ["a"] * 1001}, "exceeds text limit"),
        ("/kiss", BODY, {"text": None}, "Invalid request: missing text parameter"),
        ("/kiss", BODY, {"texts": []}, "Invalid request: missing texts parameter"),
        ("/hcfy", HCFY, {"destination": ["中文(简体)"]}, "中文(简体) is not supported"),
        ("/hcfy", HCFY, {"source": "中文(简体)"}, "中文(简体) is not supported"),
        ("/hcfy", HCFY, {"destination": [1]}, "destination[0] must be a string, got a number"),
        ("/hcfy", HCFY, {"text": ""}, "missing text parameter"),
        ("/translate", DEEPLX, {"text": ["a"]}, "text must be a string, got an array"),
        ("/translate", DEEPLX, {"text": None}, "missing text parameter"),
        ("/translate", DEEPLX, {"target_lang": ""}, "missing target_lang parameter"),
        ("/translate", DEEPLX, {"target_lang": "XX"}, "xx is not supported"),
        ("/translate", DEEPLX, {"source_lang": "JP"}, "jp is not supported"),
        ("/translate", DEEPLX, {"tag_handling": "odd"}, "Invalid tag_handling value"),
        ("/translate", DEEPLX, {"target_lang": 5}, "target_lang must be a string, got a number"),
    ],
)
def test_what_is_refused(
    client: FlaskClient, address: str, good: Any, fields: dict[str, Any], message: str
) -> None:
    answer = client.post(address, json={**good, **fields})
    assert (answer.status_code, message in (answer.json or {})["error"]) == (400, True)


@pytest.mark.parametrize(("body", "field"), [(BODY, "result"), (DEEPLX, "data")])
def test_their_key_is_asked_for(
    make_client: MakeClient, tmp_path: Path, body: dict[str, str], field: str
) -> None:
    client = make_client(api_keys="required")
    key = KeyStore(tmp_path / "database").add("a")
    assert client.post("/translate", json=body).status_code == 400
    assert (client.post(f"/translate?token={key}", json=body).json or {})[field] == "EINS"
    headers = {"Authorization": f"Bearer {key}"}
    assert (client.post("/translate", json=body, headers=headers).json or {})[field] == "EINS"
