"""Names of languages, and which way they are written."""

from __future__ import annotations

import pytest

from translator.language_names import english_name, is_right_to_left, language_name


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("de", "German"),
        ("en", "English"),
        ("cs", "Czech"),
        ("nb", "Norwegian Bokmål"),
        ("pt-BR", "Portuguese (Brazil)"),
        ("zh-Hans", "Chinese (Simplified)"),
        ("sr-Latn-RS", "Serbian (Latin, Serbia)"),
    ],
)
def test_names(code: str, name: str) -> None:
    assert english_name(code) == name


@pytest.mark.parametrize("code", ["xx", "toy language", "", "-", "12"])
def test_what_is_no_language_is_named_by_its_code(code: str) -> None:
    assert english_name(code) == code


def test_names_in_another_language() -> None:
    assert language_name("en", "de") == "Englisch"
    assert language_name("pt-BR", "de") == "Portugiesisch (Brasilien)"
    assert language_name("xx", "de") == "xx"


@pytest.mark.parametrize(
    ("code", "is_so"),
    [("ar", True), ("he", True), ("fa-AF", True), ("de", False), ("xx", False), ("-", False)],
)
def test_which_way_a_language_is_written(code: str, is_so: bool) -> None:
    assert is_right_to_left(code) is is_so
