"""Glossaries in requests."""

from __future__ import annotations

from typing import Any

import pytest

from service.config import ServiceConfig
from service.schemas.translate.glossary import read_kept, read_pairs
from translator.errors import InputError

CONFIG = ServiceConfig(glossary_limit=2)


@pytest.mark.parametrize(
    "value",
    [
        {"Haus": "home", "Hof": "yard"},
        [["Haus", "home"], ["Hof", "yard"]],
        '{"Haus": "home", "Hof": "yard"}',
        '[["Haus", "home"], ["Hof", "yard"]]',
    ],
)
def test_pairs_in_every_form(value: Any) -> None:
    assert read_pairs(value, CONFIG) == {"Haus": "home", "Hof": "yard"}


@pytest.mark.parametrize("value", [None, "", {}, []])
def test_none(value: Any) -> None:
    assert read_pairs(value, CONFIG) == {}
    if not isinstance(value, dict):
        assert read_kept(value, {}, CONFIG) == ()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (5, "glossary must be an object or an array of pairs, got a number"),
        ("{", "glossary in a form must be written as JSON"),
        ("[" * 100_000, "glossary in a form must be written as JSON"),
        (["Haus"], "glossary[0] must be a term and its translation"),
        ([["a", "b"], ["a", "b", "c"]], "glossary[1] must be a term and its translation"),
        ([["a", 1]], "glossary[0][1] must be a string, got a number"),
        ({"a": "\ud800"}, "glossary[0][1] has a lone surrogate, U+D800, at character 0"),
        ({" ": "b"}, "glossary[0] must not have empty texts"),
        ({"b": ""}, "glossary[0] must not have empty texts"),
        ({"a": "1", "b": "2", "c": "3"}, "glossary has 3 entries; 2 are allowed"),
    ],
)
def test_wrong_pairs(value: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_pairs(value, CONFIG)
    assert str(caught.value) == f"Invalid request: {message}"


def test_terms_to_keep_come_once() -> None:
    assert read_kept(["Acme", "Acme"], {}, CONFIG) == ("Acme",)
    assert read_kept('["Acme"]', {}, CONFIG) == ("Acme",)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": "b"}, "do_not_translate must be an array of terms, got an object"),
        ("Acme", "do_not_translate in a form must be written as JSON"),
        ([1], "do_not_translate[0] must be a string, got a number"),
        ([""], "do_not_translate[0] must not be empty"),
        (["x", "Haus"], "do_not_translate[1] is in glossary too"),
        (["a", "b", "c"], "do_not_translate has 3 entries; 2 are allowed"),
    ],
)
def test_wrong_terms_to_keep(value: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_kept(value, {"Haus": "home"}, CONFIG)
    assert str(caught.value) == f"Invalid request: {message}"
