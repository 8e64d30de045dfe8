"""Numbers of each category that a language has."""

from __future__ import annotations

import pytest

from translator.text.icu.categories import samples


@pytest.mark.parametrize(
    ("language", "kind", "keywords"),
    [
        ("de", "plural", ["one", "other"]),
        ("en-GB", "selectordinal", ["one", "two", "few", "other"]),
        ("de", "selectordinal", ["other"]),
        ("fr", "plural", ["one", "other"]),  # its `many` begins with a million
        ("pl", "plural", ["one", "few", "many", "other"]),
        ("ja", "plural", ["other"]),
        ("ar", "plural", ["zero", "one", "two", "few", "many", "other"]),
        ("tlh", "plural", []),
        ("", "plural", []),
    ],
)
def test_categories(language: str, kind: str, keywords: list[str]) -> None:
    assert [*samples(language, kind)] == keywords


def test_numbers_are_of_their_categories() -> None:
    assert samples("pl", "plural")["few"][:2] == (23, 22)
    assert samples("pl", "plural")["one"] == (1,)
    assert samples("pl", "plural")["other"] == samples("pl", "plural")["many"]
    assert samples("de", "selectordinal")["other"][0] != 1
