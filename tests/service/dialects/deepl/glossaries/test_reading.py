"""What requests for glossaries say."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask, request

from service.config import ServiceConfig
from service.dialects.deepl.glossaries.reading import (
    glossary_fields,
    pairs_of,
    read_dictionaries,
    read_dictionary,
    read_name,
    read_pair,
)
from tests.service.conftest import LANGUAGES
from translator.errors import InputError

PART = {"source_lang": "DE", "target_lang": "en", "entries": "a\tb", "entries_format": "tsv"}


def test_fields_of_a_form_are_nested() -> None:
    form = {
        "name": "x",
        "dictionaries[1].entries": "c",
        "dictionaries[0][entries]": "a",
        "dictionaries[0].source_lang": "de",
        "dictionaries[x].entries": "odd",
    }
    with Flask("x").test_request_context(method="POST", data=form):
        fields = glossary_fields(request)
    assert fields["dictionaries"] == [{"entries": "a", "source_lang": "de"}, {"entries": "c"}]
    assert fields["dictionaries[x].entries"] == "odd"


def test_pairs() -> None:
    assert pairs_of(LANGUAGES) == [("DE", "EN"), ("EN", "PT")]
    assert read_pair({"source_lang": "en-US", "target_lang": "PT"}, LANGUAGES) == ("EN", "PT")
    for source, target in (("de", "de"), ("de", "pt"), ("xx", "en"), ("EN-US", "EN-GB")):
        with pytest.raises(InputError, match="Unsupported glossary source and target"):
            read_pair({"source_lang": source, "target_lang": target}, LANGUAGES)


def test_dictionaries() -> None:
    one = read_dictionary(PART, LANGUAGES, ServiceConfig())
    assert (one.source, one.target, one.entries) == ("DE", "EN", {"a": "b"})
    assert read_dictionaries([PART], LANGUAGES, ServiceConfig()) == [one]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a", "Parameter 'dictionaries' must be an array, got a string"),
        ([1], r"Parameter 'dictionaries\[0\]' must be an object, got a number"),
        ([PART, PART], r"Parameter 'dictionaries\[1\]' has the same pair as another"),
        ([{}], "Parameter 'source_lang' not specified"),
    ],
)
def test_what_is_refused(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_dictionaries(value, LANGUAGES, ServiceConfig())


def test_names() -> None:
    assert read_name({"name": " x "}) == "x"
    for name in ("", " ", "a" * 1025):
        with pytest.raises(InputError, match="'name'"):
            read_name({"name": name})
