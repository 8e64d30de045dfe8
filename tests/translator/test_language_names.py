"""English names of languages."""

from __future__ import annotations

import pytest

from translator.language_names import english_name


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
