"""Codes of languages, and which of them are written in a text's letters."""

from __future__ import annotations

import pytest

from translator.detection.scripts import LATIN, base_code, scripts_of, share_written


@pytest.mark.parametrize(
    ("language", "code"),
    [
        *(("de", "de"), ("pt-BR", "pt"), ("zh-Hans", "zh"), ("zh_Hant", "zh"), ("zt", "zh")),
        *(("nb", "no"), ("EN", "en"), ("", "")),
    ],
)
def test_regions_and_other_names_are_left_out(language: str, code: str) -> None:
    assert base_code(language) == code


def test_languages_have_scripts() -> None:
    assert scripts_of("de") == scripts_of("a language of tomorrow") == {LATIN}
    assert scripts_of("ru") == {"CYRILLIC"}
    assert scripts_of("sr") == {"CYRILLIC", LATIN}
    assert scripts_of("ja") == {"CJK", "HIRAGANA", "KATAKANA"}


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("Hallo, 123!", [1, 0, 0, 0]),
        ("Привет", [0, 1, 0, 0]),
        ("中文", [0, 0, 1, 1]),
        ("コーヒーを中", [0, 0, 1, 1 / 6]),
        ("abДд", [0.5, 0.5, 0, 0]),
        ("123 !? 🙂 \ud800", [0, 0, 0, 0]),
        ("", [0, 0, 0, 0]),
    ],
)
def test_the_share_of_letters_is_counted(text: str, shares: list[float]) -> None:
    assert share_written(text, ["de", "ru", "ja", "zh"]) == pytest.approx(shares)
