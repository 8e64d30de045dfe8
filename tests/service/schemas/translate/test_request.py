"""POST /translate: checks in order, answers in shape."""

from __future__ import annotations

from typing import Any

import pytest

from service.config import ServiceConfig
from service.schemas.translate.request import TranslateRequest
from tests.service.conftest import LANGUAGES
from translator.errors import InputError
from translator.translate.translation import Language

MISSING: list[Any] = ["", None, [], 0, {}]
NO_NUMBERS: list[Any] = ["many", "", "1.5", 1.5, True, [1], {}, "9" * 5000, float("nan")]
CONFIG = ServiceConfig(char_limit=20, batch_limit=3, alternatives_limit=2)
GOOD: dict[str, Any] = {"q": "Hallo", "source": "de", "target": "en"}


def read(**changes: Any) -> TranslateRequest:
    return TranslateRequest.read({**GOOD, **changes}, LANGUAGES, CONFIG)


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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *(({"q": q}, "Invalid request: missing q parameter") for q in MISSING),
        ({"source": ""}, "Invalid request: missing source parameter"),
        ({"target": None}, "Invalid request: missing target parameter"),
        *(
            (
                {"alternatives": value},
                "Invalid request: alternatives parameter is not a number",
            )
            for value in NO_NUMBERS
        ),
        ({"alternatives": 3}, "Invalid request: alternatives parameter must be <= 2"),
        ({"q": ["a"] * 4}, "Invalid request: request (4) exceeds text limit (3)"),
        ({"q": "a" * 21}, "Invalid request: request (21) exceeds text limit (20)"),
        ({"q": ["a", "b" * 25]}, "Invalid request: request (25) exceeds text limit (20)"),
        ({"source": "ZZ"}, "zz is not supported"),
        ({"target": "ZZ"}, "zz is not supported"),
        ({"target": "auto"}, "auto is not supported"),
        ({"errors": "no"}, "Invalid request: errors must be fail or per_item"),
        ({"details": 2}, "Invalid request: details must be true or false, got a number"),
        (
            {"glossary": 5},
            "Invalid request: glossary must be an object or an array of pairs, got a number",
        ),
        ({"source": 7}, "Invalid request: source must be a string, got a number"),
        ({"target": ["en"]}, "Invalid request: target must be a string, got an array"),
        ({"format": "md"}, "md format is not supported"),
        ({"format": 1}, "Invalid request: format must be a string, got a number"),
        (
            {"source": "en", "target": "de"},
            "German (de) is not available as a target language from English (en)",
        ),
        ({"q": 5}, "Invalid request: q must be a string or an array of strings, got a number"),
        (
            {"q": {"a": 1}},
            "Invalid request: q must be a string or an array of strings, got an object",
        ),
        ({"q": [1]}, "Invalid request: q[0] must be a string, got a number"),
        ({"q": ["a", None]}, "Invalid request: q[1] must be a string, got null"),
        ({"q": ["a", ["b"]]}, "Invalid request: q[1] must be a string, got an array"),
        ({"q": [True]}, "Invalid request: q[0] must be a string, got a boolean"),
        (
            {"q": "ab\ud800"},
            "Invalid request: q has a lone surrogate, U+D800, at character 2",
        ),
        (
            {"q": ["a", "\udfffb"]},
            "Invalid request: q[1] has a lone surrogate, U+DFFF, at character 0",
        ),
        (
            {"source": "\ud800"},
            "Invalid request: source has a lone surrogate, U+D800, at character 0",
        ),
    ],
)
def test_what_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(**changes)
    assert str(caught.value) == message


def test_the_order_of_the_checks() -> None:
    """Each fault hides all later ones, so that removing them one by one shows the order."""
    fields: dict[str, Any] = {"source": "zz", "target": "", "alternatives": "x", "format": "md"}
    fields |= {"errors": "x", "glossary": 1, "do_not_translate": 1, "details": "x"}
    repairs: list[tuple[str, dict[str, Any]]] = [
        ("missing q", {"q": ["a" * 21] * 4}),
        ("missing target", {"target": "DE"}),
        ("not a number", {"alternatives": 3}),
        ("must be <= 2", {"alternatives": 1}),
        ("request (4)", {"q": ["a" * 21]}),
        ("request (21)", {"q": "a"}),
        ("zz is not supported", {"source": "en"}),
        ("md format is not supported", {"format": "text"}),
        ("not available as a target", {"target": "en"}),
        ("errors must be", {"errors": None}),
        ("glossary must be", {"glossary": None}),
        ("do_not_translate must be", {"do_not_translate": None}),
        ("details must be", {"details": None}),
    ]
    for message, repair in repairs:
        with pytest.raises(InputError) as caught:
            TranslateRequest.read(fields, LANGUAGES, CONFIG)
        assert message in str(caught.value)
        fields |= repair
    assert TranslateRequest.read(fields, LANGUAGES, CONFIG).texts == ("a",)


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
