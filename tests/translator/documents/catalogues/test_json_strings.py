"""Catalogues in JSON keep everything but their values."""

from __future__ import annotations

import json

import pytest

from tests.documents import shouted, texts, unchanged
from translator.documents.catalogues.json_strings import read_arb, read_json
from translator.documents.kinds import read_file
from translator.errors import InputError

CATALOGUE = rb"""{
    "title" : "Hello, {{name}}!",
    "nested": {"b": ["one", 2.50, null, true, "42", ""], "a": "Say \"hi\"\n"},
  "count": "{n, plural, one {# day} other {# days}}",
  "format": "MM/DD/YYYY",
  "@title": {"description": "a note", "type": "text"}
}
"""


def test_values_are_translated_and_all_else_stays() -> None:
    document = read_json("a.json", CATALOGUE)
    assert texts(document)[:3] == ["Hello, {{name}}!", "one", 'Say "hi"\n']
    assert unchanged(document) == CATALOGUE
    expected = CATALOGUE
    for old, new in [
        (b"Hello", b"HELLO"),
        (b'"one"', b'"ONE"'),
        (rb"Say \"hi\"\n", rb"SAY \"HI\"\n"),
        (b"# day}", b"# DAY}"),
        (b"# days", b"# DAYS"),
    ]:
        expected = expected.replace(old, new)
    assert shouted(document) == expected


@pytest.mark.parametrize(
    ("data", "translated"),
    [
        (rb'["caf\u00e9"]', rb'["CAF\u00c9"]'),
        ('["café"]'.encode(), '["CAFÉ"]'.encode()),
        (rb'["a\/b c"]', rb'["A\/B C"]'),
        (b'["a/b c"]', b'["A/B C"]'),
        (b'"text"', b'"TEXT"'),
        ("\ufeff{\r\n\t'a': 'b'\r\n}\r\n".replace("'", '"').encode(), None),
    ],
)
def test_strings_are_escaped_as_the_file_does(data: bytes, translated: bytes | None) -> None:
    document = read_json("a.json", data)
    assert unchanged(document) == data
    assert shouted(document) == (translated or data.replace(b'"b"', b'"B"'))


def test_messages_of_icu_have_a_sentence_in_each_branch() -> None:
    data = rb'{"a": "{n, plural, one {# \"file\"} other {# files}} of {name}"}'
    expected = (
        rb'{"a": "{n, plural, one {# \"FILE\" OF {name}} few {# FILES OF {name}} '
        rb'many {# FILES OF {name}} other {# FILES OF {name}}}"}'
    )
    assert shouted(read_json("a.json", data, "pl")) == expected
    assert read_file("a.json", data, "de").units[0].text == '1 "file" of {name}'


def test_strings_with_half_a_character_stay() -> None:
    data = rb'{"a": "bad \ud83d text", "b": "\ud83d\ude00 good"}'
    document = read_json("a.json", data)
    assert texts(document) == ["😀 good"]
    assert unchanged(document) == data


def test_an_extension_has_its_messages_translated_only() -> None:
    catalogue = {
        "name": {"message": "Hi $who$", "description": "a note", "placeholders": {"who": {}}},
        "other": {"message": "There"},
    }
    document = read_json("messages.json", json.dumps(catalogue).encode())
    assert texts(document) == ["Hi $who$", "There"]


def test_json_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(InputError, match=r"^a\.json: is nested too deeply to be a catalogue"):
        read_json("a.json", b"[" * 200_000)


def test_a_large_catalogue_is_read() -> None:
    catalogue = {f"key{number}": "some words " * 20 for number in range(10_000)}
    data = json.dumps(catalogue, indent=1).encode()
    document = read_json("a.json", data)
    assert len(document.units) == 10_000
    assert unchanged(document) == data


def test_a_catalogue_of_flutter_names_its_language() -> None:
    data = (
        b'{"@@locale": "en", "a": "{n, plural, one {dog} other {dogs}}", "@a": {"@@locale": "x"}}'
    )
    document = read_arb("a.arb", data, "pt-BR")
    assert texts(document) == ["dog", "dogs"]
    assert unchanged(document) == data.replace(b'"en"', b'"pt_BR"')
    assert unchanged(read_arb("a.arb", data)) == data
