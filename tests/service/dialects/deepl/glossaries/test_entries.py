"""Terms as lines."""

from __future__ import annotations

import pytest

from service.config import ServiceConfig
from service.dialects.deepl.glossaries.entries import check_terms, read_entries, to_tsv
from translator.errors import InputError

CONFIG = ServiceConfig(glossary_limit=3)


def entries(text: str, kind: str = "tsv") -> dict[str, str]:
    return read_entries({"entries": text, "entries_format": kind}, "DE", "EN", CONFIG)


def test_lines_with_tabs() -> None:
    assert entries("Haus\thome\r\n\n alter  Hut \told hat\n") == {
        "Haus": "home",
        "alter Hut": "old hat",
    }


def test_lines_with_commas() -> None:
    text = 'Haus,home\n"a, ""b""","c\nd",de,en\nHut,hat,en,de\n\nx,y,DE,EN\n'
    assert entries(text, "CSV") == {"Haus": "home", 'a, "b"': "c d", "x": "y"}


def test_the_way_back() -> None:
    found = {"Haus": "home", "Hut": "hat"}
    assert to_tsv(found) == "Haus\thome\nHut\that"
    assert entries(to_tsv(found)) == found


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("Haus", "tsv", "line 1 has no tab"),
        ("a\tb\nHaus\t ", "tsv", "line 2 has an empty term"),
        ("a\tb\na\tc", "tsv", "line 2 has a term again, 'a'"),
        ("\n\n", "tsv", "there are none"),
        ("\n".join(f"{n}\tb" for n in range(4)), "tsv", "there are 4, and 3 are allowed"),
        ("a", "csv", "line 1 has one column only"),
        ('"a', "csv", "unexpected end of data"),
        ("a,b,en,de", "csv", "there are none"),
        ("a" * 201 + "\tb", "tsv", "has 201 characters, 200 at most"),
        ("a\tb", "xml", "Value for 'entries_format' not supported"),
        ("", "tsv", "Parameter 'entries' not specified"),
    ],
)
def test_what_is_refused(text: str, kind: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        entries(text, kind)


def test_terms_that_cannot_be_used() -> None:
    with pytest.raises(InputError, match="Invalid glossary entries provided: glossary: "):
        check_terms({"a\nb": "c"}, ServiceConfig())
