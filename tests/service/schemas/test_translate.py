"""POST /translate: checks in order, answers in shape."""

from __future__ import annotations

from typing import Any

import pytest

from service.config import ServiceConfig
from service.schemas.translate import TranslateRequest, TranslateResponse
from tests.service.conftest import LANGUAGES
from translator.errors import InputError
from translator.translate.translation import Translation

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
    assert read(format=value).texts == ("Hallo",)


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
        ({"source": "auto"}, "auto is not supported"),
        ({"target": "auto"}, "auto is not supported"),
        ({"source": 7}, "Invalid request: source must be a string, got a number"),
        ({"target": ["en"]}, "Invalid request: target must be a string, got an array"),
        ({"format": "html"}, "html format is not supported"),
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
    ]
    for message, repair in repairs:
        with pytest.raises(InputError) as caught:
            TranslateRequest.read(fields, LANGUAGES, CONFIG)
        assert message in str(caught.value)
        fields |= repair
    assert TranslateRequest.read(fields, LANGUAGES, CONFIG).texts == ("a",)


def test_response_shapes() -> None:
    one = Translation(text="A", alternatives=("B", "C"), score=-1.0, finish_reasons=("eos",))
    assert TranslateResponse(request=read(), translations=[one]).to_json() == {
        "translatedText": "A"
    }
    assert TranslateResponse(request=read(alternatives=2), translations=[one]).to_json() == {
        "translatedText": "A",
        "alternatives": ["B", "C"],
    }
    batch = TranslateResponse(request=read(q=["x"], alternatives=1), translations=[one])
    assert batch.to_json() == {"translatedText": ["A"], "alternatives": [["B", "C"]]}


def test_flags_are_told_where_there_are_any() -> None:
    good, bad = Translation(text="A"), Translation(text="B", flags=("copied", "retried"))
    both = TranslateResponse(request=read(q=["x", "y"]), translations=[good, bad])
    assert both.to_json() == {"translatedText": ["A", "B"], "flags": [[], ["copied", "retried"]]}
    one = TranslateResponse(request=read(), translations=[bad])
    assert one.to_json()["flags"] == ["copied", "retried"]
