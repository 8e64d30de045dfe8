"""What requests may say, and the checks that they must pass."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.service.conftest import FakeTranslator, MakeClient
from translator.pipeline.translation import Language

GOOD: dict[str, Any] = {"q": "Haus", "source": "de", "target": "en"}
REFUSED = Path(__file__).with_name("refused.jsonl").read_text("utf-8").splitlines()
"""What changes GOOD, and how the message begins that it is answered with."""


@pytest.fixture
def client(make_client: MakeClient) -> FlaskClient:
    return make_client(char_limit=20, batch_limit=3, alternatives_limit=2, glossary_limit=2)


def said(client: FlaskClient, **changes: Any) -> dict[str, Any]:
    answer = client.post("/translate", json={**GOOD, **changes})
    assert answer.status_code == 200, answer.json
    return answer.json or {}


def error(client: FlaskClient, path: str = "/translate", **fields: Any) -> str:
    answer = client.post(path, json=fields)
    assert answer.status_code == 400, answer.json
    return str((answer.json or {})["error"])


@pytest.mark.parametrize("content_type", [None, "application/x-www-form-urlencoded"])
def test_json_without_its_type_is_told_what_it_needs(
    client: FlaskClient, content_type: str | None
) -> None:
    body = b' {"q": "a"}'
    answer = client.post("/translate", data=body, content_type=content_type)
    message = "Invalid request: missing q parameter; JSON needs the header Content-Type"
    assert (answer.json or {})["error"].startswith(message)
    answer = client.post("/translate", query_string=GOOD, data=body, content_type=content_type)
    assert answer.json == {"translatedText": "HAUS"}


@pytest.mark.parametrize(
    ("value", "number"), [(None, 0), (0, 0), (-3, 0), (2, 2), ("2", 2), ("-1", 0)]
)
def test_alternatives(
    client: FlaskClient, translator: FakeTranslator, value: Any, number: int
) -> None:
    said(client, alternatives=value)
    assert translator.calls == [(("Haus",), "de", "en", number)]


@pytest.mark.parametrize(
    ("name", "q", "translation"),
    [
        *((name, "<p>a &lt;</p>", "<P>A &LT;</P>") for name in (None, "", "text")),
        ("html", "<p id=x>a &lt;</p>", "<p id=x>A &lt;</p>"),
        ("markdown", "# a\n\n- b\n", "# A\n\n- B\n"),
    ],
)
def test_formats(client: FlaskClient, name: str | None, q: str, translation: str) -> None:
    assert said(client, format=name, q=q) == {"translatedText": translation}


@pytest.mark.parametrize("code", ["auto", "AUTO"])
def test_a_source_that_is_to_be_detected(client: FlaskClient, code: str) -> None:
    assert said(client, source=code)["detectedLanguage"]["language"] == "de"


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("de", "en", ("de", "en")),
        ("DE", "en-GB", ("de", "en")),
        ("de-DE", "en_gb", ("de", "en")),
        ("de-Latn-AT", "EN", ("de", "en")),
        ("en-Latn-GB", "PT_br", ("en", "pt-BR")),
        ("EN", "pt-BR-x", ("en", "pt-BR")),
    ],
)
def test_the_nearest_language_is_found(
    client: FlaskClient,
    translator: FakeTranslator,
    source: str,
    target: str,
    found: tuple[str, str],
) -> None:
    said(client, source=source, target=target)
    assert translator.calls[0][1:3] == found


@pytest.mark.parametrize("code", ["pt", "dee", "-", "-de"])
def test_a_language_that_there_is_not(client: FlaskClient, code: str) -> None:
    assert error(client, **{**GOOD, "source": code}) == f"{code} is not supported"


def test_errors_per_item_are_noted_by_number(client: FlaskClient) -> None:
    found = said(client, q=["a", "b" * 21, None], errors="per_item")
    assert found["translatedText"] == ["A", None, None]
    assert found["errors"] == [
        None,
        "Invalid request: request (21) exceeds text limit (20)",
        "Invalid request: q[2] must be a string, got null",
    ]
    [surrogate] = said(client, q=["\ud800"], errors="per_item")["errors"]
    assert surrogate.startswith("Invalid request: q[0] has a lone surrogate")
    assert said(client, q=["a"], errors="per_item")["errors"] == [None]
    assert "errors" not in said(client, errors="per_item"), "a text alone fails as ever"
    fields = {**GOOD, "errors": "per_item", "q": ["a"] * 4}
    assert "request (4) exceeds text limit (3)" in error(client, **fields)


@pytest.mark.parametrize("value", [True, "true", "True", "1", False, None, "", "false", "0"])
def test_on_and_off(client: FlaskClient, value: Any) -> None:
    assert ("details" in said(client, details=value)) == (value in (True, "true", "True", "1"))


PAIRS = {"Haus": "home", "Hof": "yard"}


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("value", [PAIRS, [list(pair) for pair in PAIRS.items()]])
def test_pairs_in_every_form(client: FlaskClient, value: Any, as_json: bool) -> None:
    found = said(client, glossary=json.dumps(value) if as_json else value)
    assert found == {"translatedText": "home", "glossary_terms": ["Haus"]}


@pytest.mark.parametrize("value", [["Haus", "Haus"], '["Haus", "Haus"]'])
def test_terms_to_keep(client: FlaskClient, value: Any) -> None:
    found = said(client, do_not_translate=value)
    assert found == {"translatedText": "Haus", "glossary_terms": ["Haus"]}
    several = said(client, q=["Haus", "a"], do_not_translate=value)
    assert several["glossary_terms"] == [["Haus"], []]


@pytest.mark.parametrize("value", [None, "", "null", []])
def test_no_terms(client: FlaskClient, value: Any) -> None:
    assert said(client, glossary=value, do_not_translate=value) == {"translatedText": "HAUS"}


NO_NUMBER = "Invalid request: alternatives parameter is not a number"
UNWIELDY = [
    ({"alternatives": "9" * 5000}, NO_NUMBER),
    ({"alternatives": float("nan")}, NO_NUMBER),
    ({"glossary": "[" * 100_000}, "Invalid request: glossary is a text that is no JSON"),
]


@pytest.mark.parametrize(("changes", "message"), [*map(json.loads, REFUSED), *UNWIELDY])
def test_what_is_refused(client: FlaskClient, changes: dict[str, Any], message: str) -> None:
    assert error(client, **{**GOOD, **changes}).startswith(message)


def test_what_is_missing_is_said_first_and_languages_last(client: FlaskClient) -> None:
    """Each fault hides all later ones, so that removing them one by one shows the order."""
    fields: dict[str, Any] = {"source": "zz", "target": "", "alternatives": "x", "errors": "x"}
    repairs: list[tuple[str, dict[str, Any]]] = [
        ("missing q", {"q": ["a" * 21] * 4}),
        ("missing target", {"target": "DE"}),
        ("request (4)", {"q": ["a" * 21]}),
        ("request (21)", {"q": "a"}),
        ("not a number", {"alternatives": 3}),
        ("must be <= 2", {"alternatives": 1}),
        ("errors must be", {"errors": None}),
        ("zz is not supported", {"source": "en"}),
        ("not available as a target", {"target": "en"}),
    ]
    for message, repair in repairs:
        assert message in error(client, **fields)
        fields |= repair
    assert client.post("/translate", json=fields).status_code == 200


def test_formality_is_had_from_languages_that_have_it(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    german = Language(code="de", name="German", targets=("de", "en"))
    english = Language(code="en", name="English", targets=("de", "en"), formality=("de",))
    translator.languages = (german, english)
    you = "You are here."
    for source, target, wish, form in (
        ("en", "de", "more", "formal"),
        ("auto", "de", "prefer_less", "informal"),
        ("en", "de", "default", None),
        ("de", "en", "prefer_more", None),
    ):
        said(client, q=you, source=source, target=target, formality=wish)
        assert translator.forms.pop() == form
    translator.languages = (
        dataclasses.replace(english, formality_elsewhere=("de",)),
        translator.languages[0],
    )
    translator.forms.clear()
    for wish in ("more", "prefer_more"):
        said(client, q=you, source="en", target="de", formality=wish)
    assert translator.forms == ["formal", None], "the usual model has not learned it"
    refused = error(client, **GOOD, formality="less")
    assert "formality: English (en) has no choice here" in refused
    fields = {"q": you, "source": "en", "target": "de", "formality": "formal"}
    assert "formality must be one of default, more" in error(client, **fields)


NO_TEXT = "q must be a string or an array of strings, got"


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ("", "missing q parameter"),
        ([], "missing q parameter"),
        (0, f"{NO_TEXT} a number"),
        (["a", 1], "q[1] must be a string, got a number"),
        ("a" * 21, "request (21) exceeds text limit (20)"),
        (["a" * 10] * 2, "request (21) exceeds text limit (20)"),
    ],
)
def test_what_detection_refuses(client: FlaskClient, q: Any, message: str) -> None:
    assert error(client, "/detect", q=q) == f"Invalid request: {message}"


def test_the_parts_of_an_array_are_detected_together(client: FlaskClient) -> None:
    parts = client.post("/detect", json={"q": ["Wir gehen", "nach Hause"]}).json or []
    assert parts == client.post("/detect", json={"q": "Wir gehen\nnach Hause"}).json
    assert all(round(one["confidence"], 1) == one["confidence"] for one in parts)
    assert parts[0]["language"] == "de"


@pytest.mark.parametrize(("name", "limit"), [("q", 30), ("s", 30), ("source", 20), ("target", 20)])
def test_a_suggestion_has_four_fields_with_limits(
    make_client: MakeClient, name: str, limit: int
) -> None:
    client = make_client(char_limit=30, suggestions_limit=1)
    fields = {"q": "Hallo", "s": "Hello", "source": "de", "target": "en"}
    for value, message in (
        ("", f"missing {name} parameter"),
        (5, f"{name} must be a string, got a number"),
        ("x" * (limit + 1), f"{name} ({limit + 1}) exceeds text limit ({limit})"),
    ):
        assert message in error(client, "/suggest", **{**fields, name: value})
    good = {**fields, name: "x" * limit, "other": 1}
    assert client.post("/suggest", json=good).json == {"success": True}


def test_a_whole_page_of_texts(make_client: MakeClient) -> None:
    page = ["Haus"] * 1000
    assert said(make_client(), q=page)["translatedText"] == ["HAUS"] * 1000
    assert "request (1001) exceeds text limit (1000)" in error(
        make_client(), **GOOD | {"q": [*page, "a"]}
    )
    small = make_client(char_limit=3)
    assert len(said(small, q=["abc"] * 100 + [""] * 100)["translatedText"]) == 200
    answer = small.post("/translate", json=GOOD | {"q": ["abc"] * 100 + ["a"]})
    assert answer.status_code == 400
    assert answer.json == {
        "error": "Invalid request: request (301) exceeds text limit (300)",
        "code": "text_too_long",
        "limit": 300,
    }
