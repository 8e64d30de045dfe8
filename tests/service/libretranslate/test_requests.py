"""What requests may say, and the checks that they must pass."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask import Flask, request

from service.config import ServiceConfig
from service.http.errors import DetectedLanguage
from service.http.fields import read_fields
from service.libretranslate.request import TranslateRequest
from service.libretranslate.routes import DetectBody, SuggestBody, detected_to_json
from tests.service.conftest import LANGUAGES
from translator.detection.detector import Detected
from translator.errors import InputError
from translator.pipeline.translation import Language


@pytest.mark.parametrize("content_type", [None, "application/x-www-form-urlencoded"])
def test_json_without_its_type_is_told_what_it_needs(content_type: str | None) -> None:
    app, body = Flask(__name__), b' {"q": "a"}'
    with (
        app.test_request_context(method="POST", data=body, content_type=content_type),
        pytest.raises(InputError, match=r"^Invalid request: missing q parameter; JSON needs"),
    ):
        read_fields(request)
    with app.test_request_context(method="POST", query_string={"q": "a"}, data=body):
        assert read_fields(request)["q"] == "a"


def test_arrays_in_a_form() -> None:
    form = {"text": ["a", "b"], "tags": ["c", "d"], "other": ["e", "f"], "one": "g"}
    with Flask(__name__).test_request_context(method="POST", data=form):
        fields = read_fields(request, text="text", arrays=("tags", "one"))
    assert fields == {"text": ["a", "b"], "tags": ["c", "d"], "other": "e", "one": "g"}


@pytest.mark.parametrize("is_json", [True, False])
def test_a_key_by_its_other_name(is_json: bool) -> None:
    fields = {"apiKey": "secret"}
    made = {"json": fields} if is_json else {"data": fields}
    with Flask(__name__).test_request_context(method="POST", **made):
        assert read_fields(request)["api_key"] == "secret"


NO_NUMBERS: list[Any] = ["many", "", "1.5", 1.5, True, [1], {}, "9" * 5000, float("nan")]


LIMITS = ServiceConfig(char_limit=20, batch_limit=3, alternatives_limit=2, glossary_limit=2)


GOOD: dict[str, Any] = {"q": "Hallo", "source": "de", "target": "en"}


def read(**changes: Any) -> TranslateRequest:
    return TranslateRequest.read({**GOOD, **changes}, LANGUAGES, LIMITS)


def test_a_string_and_an_array() -> None:
    assert read() == TranslateRequest(
        texts=("Hallo",), is_batch=False, source="de", target="en", num_alternatives=0
    )
    batch = read(q=["a", ""])
    assert (batch.texts, batch.is_batch) == (("a", ""), True)


def test_language_codes_are_case_insensitive() -> None:
    request = read(source="EN", target="pt-br")
    assert (request.source, request.target) == ("en", "pt-BR")


@pytest.mark.parametrize(
    ("value", "number"), [(None, 0), (0, 0), (-3, 0), (2, 2), ("2", 2), ("-1", 0)]
)
def test_alternatives(value: Any, number: int) -> None:
    assert read(alternatives=value).num_alternatives == number


@pytest.mark.parametrize("value", [None, "", "text"])
def test_format_is_text_by_default(value: Any) -> None:
    assert read(format=value).text_format == "text"


@pytest.mark.parametrize("name", ["html", "markdown"])
def test_other_formats(name: str) -> None:
    assert read(format=name).text_format == name


@pytest.mark.parametrize("code", ["auto", "AUTO"])
def test_a_source_that_is_to_be_detected(code: str) -> None:
    request = read(source=code, target="pt-BR")
    assert (request.source, request.target) == ("auto", "pt-BR")


def test_codes_with_regions_fall_back_to_the_language() -> None:
    request = read(source="de_AT", target="en-GB")
    assert (request.source, request.target) == ("de", "en")
    assert read(source="en-Latn-GB", target="PT_br").target == "pt-BR"


def test_a_glossary_and_terms_to_keep() -> None:
    request = read(glossary={"Haus": "home"}, do_not_translate=["Acme", "Acme"])
    assert (request.pairs, request.kept) == ({"Haus": "home"}, ("Acme",))
    assert (read().pairs, read().kept) == ({}, ())


def test_details_and_errors() -> None:
    assert not read().has_details
    assert not read().has_errors
    assert read(details=True).has_details
    assert read(errors="per_item", q=["a"]).has_errors
    assert not read(errors="per_item").has_errors, "a text alone fails as ever"


def test_errors_per_item_are_noted_by_number() -> None:
    request = read(q=["a", "b" * 21, None, "\ud800"][:3], errors="per_item")
    assert request.texts == ("a", "", "")
    assert request.faults == {
        1: "Invalid request: request (21) exceeds text limit (20)",
        2: "Invalid request: q[2] must be a string, got null",
    }
    surrogate = read(q=["\ud800"], errors="per_item")
    assert surrogate.faults[0].startswith("Invalid request: q[0] has a lone surrogate")
    with pytest.raises(InputError, match=r"request \(4\) exceeds text limit \(3\)"):
        read(q=["a"] * 4, errors="per_item")


@pytest.mark.parametrize("value", [True, "true", "True", "1"])
def test_on(value: Any) -> None:
    assert read(details=value).has_details


@pytest.mark.parametrize("value", [False, None, "", "false", "0"])
def test_off(value: Any) -> None:
    assert not read(details=value).has_details


PAIRS = {"Haus": "home", "Hof": "yard"}


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("value", [PAIRS, [list(pair) for pair in PAIRS.items()]])
def test_pairs_in_every_form(value: Any, as_json: bool) -> None:
    assert read(glossary=json.dumps(value) if as_json else value).pairs == PAIRS


@pytest.mark.parametrize("value", [None, "", "null", []])
def test_no_terms(value: Any) -> None:
    request = read(glossary=value, do_not_translate=value)
    assert (request.pairs, request.kept) == ({}, ())


def test_terms_to_keep_in_a_form() -> None:
    assert read(do_not_translate='["Acme", "Acme"]').kept == ("Acme",)


NO_TEXT = "q must be a string or an array of strings, got"
SURROGATE = "has a lone surrogate, U+D800, at character"
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"q": ""}, "missing q parameter"),
    ({"q": None}, "missing q parameter"),
    ({"q": []}, "missing q parameter"),
    ({"source": ""}, "missing source parameter"),
    ({"target": None}, "missing target parameter"),
    *(({"alternatives": n}, "alternatives parameter is not a number") for n in NO_NUMBERS),
    ({"alternatives": 3}, "alternatives parameter must be <= 2"),
    ({"q": ["a"] * 4}, "request (4) exceeds text limit (3)"),
    ({"q": "a" * 21}, "request (21) exceeds text limit (20)"),
    ({"q": ["a", "b" * 25]}, "request (25) exceeds text limit (20)"),
    ({"errors": "no"}, "errors must be fail or per_item"),
    ({"errors": []}, "errors must be a string, got an array"),
    ({"source": 7}, "source must be a string, got a number"),
    ({"source": {}}, "source must be a string, got an object"),
    ({"target": ["en"]}, "target must be a string, got an array"),
    ({"format": 1}, "format must be a string, got a number"),
    ({"format": 0}, "format must be a string, got a number"),
    ({"format": {}}, "format must be a string, got an object"),
    ({"formality": 0}, "formality must be a string, got a number"),
    ({"q": 5}, f"{NO_TEXT} a number"),
    ({"q": 0}, f"{NO_TEXT} a number"),
    ({"q": {}}, f"{NO_TEXT} an object"),
    ({"q": [1]}, "q[0] must be a string, got a number"),
    ({"q": ["a", None]}, "q[1] must be a string, got null"),
    ({"q": ["a", ["b"]]}, "q[1] must be a string, got an array"),
    ({"q": [True]}, "q[0] must be a string, got a boolean"),
    ({"q": [1.5]}, "q[0] must be a string, got a number"),
    ({"q": ["a", "a\ud800"]}, f"q[1] {SURROGATE} 1"),
    ({"source": "\ud800"}, f"source {SURROGATE} 0"),
    ({"errors": "\ud800"}, f"errors {SURROGATE} 0"),
    ({"details": "yes"}, "details must be true or false, got a string"),
    ({"details": 0}, "details must be true or false, got a number"),
    ({"details": []}, "details must be true or false, got an array"),
    ({"glossary": 5}, "glossary must be an object or an array of pairs, got a number"),
    ({"glossary": 0}, "glossary must be an object or an array of pairs, got a number"),
    ({"glossary": "{"}, "glossary is a text that is no JSON"),
    ({"glossary": "[" * 100_000}, "glossary is a text that is no JSON"),
    ({"glossary": ["Haus"]}, "glossary[0] must be a term and its translation"),
    ({"glossary": [["a", "b"], ["a", "b", "c"]]}, "glossary[1] must be a term and its translation"),
    ({"glossary": [["a", 1]]}, "glossary[0][1] must be a string, got a number"),
    ({"glossary": {"a": "\ud800"}}, f"glossary[0][1] {SURROGATE} 0"),
    ({"glossary": {" ": "b"}}, "glossary[0] must not have empty texts"),
    ({"glossary": {"b": ""}}, "glossary[0] must not have empty texts"),
    ({"glossary": {"a": "1", "b": "2", "c": "3"}}, "glossary has 3 entries; 2 are allowed"),
    ({"do_not_translate": {"a": "b"}}, "do_not_translate must be an array of terms, got an object"),
    ({"do_not_translate": "Acme"}, "do_not_translate is a text that is no JSON"),
    ({"do_not_translate": [1]}, "do_not_translate[0] must be a string, got a number"),
    ({"do_not_translate": [""]}, "do_not_translate[0] must not be empty"),
    (
        {"do_not_translate": ["x", "a"], "glossary": {"a": "b"}},
        "do_not_translate[1] is in glossary",
    ),
    ({"do_not_translate": ["a", "b", "c"]}, "do_not_translate has 3 entries; 2 are allowed"),
]
UNSUPPORTED: list[tuple[dict[str, Any], str]] = [
    ({"source": "ZZ"}, "zz is not supported"),
    ({"target": "ZZ"}, "zz is not supported"),
    ({"target": "auto"}, "auto is not supported"),
    ({"format": "md"}, "md format is not supported"),
    (
        {"source": "en", "target": "de"},
        "German (de) is not available as a target language from English (en)",
    ),
]


@pytest.mark.parametrize(
    ("changes", "message"),
    [*((changes, f"Invalid request: {text}") for changes, text in REFUSED), *UNSUPPORTED],
)
def test_what_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(**changes)
    assert str(caught.value).startswith(message)


def test_what_is_missing_is_said_first_and_languages_last() -> None:
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
        with pytest.raises(InputError) as caught:
            TranslateRequest.read(fields, LANGUAGES, LIMITS)
        assert message in str(caught.value)
        fields |= repair
    assert TranslateRequest.read(fields, LANGUAGES, LIMITS).texts == ("a",)


def test_formality_is_had_from_languages_that_have_it() -> None:
    german = Language(code="de", name="German", targets=("de", "en"))
    english = Language(code="en", name="English", targets=("de", "en"), formality=("de",))
    both, texts = (german, english), {"q": "You", "target": "de"}

    def formality(source: str, wish: str, **changes: str) -> object:
        fields = {**texts, "source": source, "formality": wish, **changes}
        return TranslateRequest.read(fields, both, ServiceConfig()).formality

    assert formality("en", "more") == {"en": "formal"}
    assert formality("auto", "prefer_less") == {"en": "informal"}
    assert formality("en", "default") == {}
    assert formality("de", "prefer_more", target="en") == {}
    with pytest.raises(InputError, match=r"formality: English \(en\) has no choice here"):
        formality("de", "less", target="en")
    with pytest.raises(InputError, match="formality must be one of default, more"):
        formality("en", "formal")


SHORT = ServiceConfig(char_limit=10)


def test_a_text_and_an_array() -> None:
    assert DetectBody.read({"q": "Hallo"}, SHORT).q == "Hallo"
    assert DetectBody.read({"q": ["a", "b"]}, SHORT).q == "a\nb"


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ("", "missing q parameter"),
        ([], "missing q parameter"),
        (0, f"{NO_TEXT} a number"),
        (["a", 1], "q[1] must be a string, got a number"),
        ("a" * 11, "request (11) exceeds text limit (10)"),
        (["a" * 5] * 2, "request (11) exceeds text limit (10)"),
    ],
)
def test_what_detection_refuses(q: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        DetectBody.read({"q": q}, SHORT)
    assert str(caught.value) == f"Invalid request: {message}"


def test_confidences_are_told_to_a_tenth() -> None:
    found = [Detected(language="de", confidence=99.96), Detected(language="en", confidence=0.04)]
    assert detected_to_json(found) == [
        {"confidence": 100.0, "language": "de"},
        {"confidence": 0.0, "language": "en"},
    ]
    assert isinstance(DetectedLanguage.of(found[0]).confidence, float)


FIELDS = {"q": "Hallo", "s": "Hello", "source": "de", "target": "en"}


CONFIG = ServiceConfig(char_limit=30)


@pytest.mark.parametrize(("name", "limit"), [("q", 30), ("s", 30), ("source", 20), ("target", 20)])
def test_a_suggestion_has_four_fields_with_limits(name: str, limit: int) -> None:
    for value, message in (
        ("", f"missing {name} parameter"),
        (5, f"{name} must be a string, got a number"),
        ("x" * (limit + 1), f"{name} ({limit + 1}) exceeds text limit ({limit})"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            SuggestBody.read({**FIELDS, name: value}, CONFIG)
    assert SuggestBody.read({**FIELDS, name: "x" * limit, "other": 1}, CONFIG)
