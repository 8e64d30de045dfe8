"""Fields that several requests have."""

from __future__ import annotations

from typing import Any

import pytest

from service.dialects.deepl.parameters import (
    check_style,
    not_supported,
    one_of,
    read_formality,
    read_languages,
    required,
    strings,
    tag_names,
    truth,
)
from tests.service.conftest import LANGUAGES
from translator.errors import InputError
from translator.translate.translation import Language


def test_a_missing_field() -> None:
    for value in (None, ""):
        with pytest.raises(InputError, match=r"^Parameter 'a' not specified\.$"):
            required({"a": value}, "a")
    assert required({"a": 0}, "a") == 0
    assert str(not_supported("a")) == "Value for 'a' not supported."


@pytest.mark.parametrize(
    ("value", "expected"),
    [("1", True), ("true", True), (True, True), ("0", False), (False, False), (None, None)],
)
def test_truths(value: Any, expected: bool | None) -> None:
    assert truth({"a": value}, "a") is expected


def test_words() -> None:
    assert one_of({"a": "x"}, "a", ("x",)) == "x"
    assert one_of({}, "a", ("x",)) is None
    with pytest.raises(InputError, match="Value for 'a' not supported"):
        one_of({"a": "y"}, "a", ("x",))


def test_strings_and_tags() -> None:
    assert strings({"a": "x,y"}, "a") == ("x,y",)
    assert strings({"a": ["x", "y"]}, "a") == ("x", "y")
    assert tag_names({"a": ["x, y", "", "z"]}, "a") == {"x", "y", "z"}


def test_languages() -> None:
    source, target = read_languages({"target_lang": "en-US"}, LANGUAGES)
    assert (source, target.code) == (None, "en")
    source, _ = read_languages({"source_lang": "DE", "target_lang": "EN"}, LANGUAGES)
    assert source is LANGUAGES[0]


@pytest.mark.parametrize("wish", ["default", "Prefer_More", "prefer_less", "", None])
def test_a_wish_for_formality_may_be_taken(wish: str | None) -> None:
    fields: dict[str, Any] = {"target_lang": "EN", "formality": wish, "custom_instructions": []}
    check_style(fields)
    assert read_formality(fields, None, LANGUAGES[1], LANGUAGES) == {}


def test_an_order_for_formality_is_refused() -> None:
    fields = {"target_lang": "EN", "formality": "Less"}
    with pytest.raises(InputError, match=r"^Target language 'EN' doesn't support formality\.$"):
        read_formality(fields, None, LANGUAGES[1], LANGUAGES)
    with pytest.raises(InputError, match="Value for 'formality' not supported"):
        read_formality({"formality": "odd"}, None, LANGUAGES[1], LANGUAGES)


def test_formality_is_had_from_languages_that_have_it() -> None:
    german = Language(code="de", name="German", targets=("de",))
    english = Language(code="en", name="English", targets=("de", "en"), formality=("de",))
    both = (german, english)
    assert read_formality({"formality": "Less"}, None, german, both) == {"en": "informal"}
    assert read_formality({"formality": "prefer_more"}, english, german, both) == {"en": "formal"}
