"""What JSON calls values, and strings that UTF-8 can carry."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask, request

from service.schemas.fields import json_of, json_type, read_fields, string_of, truth_of
from translator.errors import InputError


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


def test_json_names_its_types() -> None:
    values: list[Any] = [None, {}, [], "a", True, 1, 1.5]
    names = [json_type(value) for value in values]
    assert names == ["null", "an object", "an array", "a string", "a boolean", *["a number"] * 2]


def test_a_string_must_be_one_and_fit_utf8() -> None:
    assert string_of("q", "schön 😀") == "schön 😀"
    with pytest.raises(InputError, match="q must be a string, got null"):
        string_of("q", None)
    with pytest.raises(InputError, match=r"q\[2\] has a lone surrogate, U\+D83D, at character 1"):
        string_of("q[2]", "a\ud83d")


@pytest.mark.parametrize("value", [True, "true", "True", "1"])
def test_on(value: Any) -> None:
    assert truth_of("details", value)


@pytest.mark.parametrize("value", [False, None, "", "false", "0"])
def test_off(value: Any) -> None:
    assert not truth_of("details", value)


@pytest.mark.parametrize("value", ["yes", 1, 0, [], {}])
def test_neither_on_nor_off(value: Any) -> None:
    with pytest.raises(InputError, match="details must be true or false, got a"):
        truth_of("details", value)


def test_json_in_a_field_of_a_form() -> None:
    assert json_of("glossary", '{"a": "b"}') == {"a": "b"}
    assert json_of("glossary", "") is None
    assert json_of("glossary", ["a"]) == ["a"]
    with pytest.raises(InputError, match="glossary in a form must be written as JSON"):
        json_of("glossary", "a")


@pytest.mark.parametrize("is_json", [True, False])
def test_a_key_by_its_other_name(is_json: bool) -> None:
    fields = {"apiKey": "secret"}
    made = {"json": fields} if is_json else {"data": fields}
    with Flask(__name__).test_request_context(method="POST", **made):
        assert read_fields(request)["api_key"] == "secret"
