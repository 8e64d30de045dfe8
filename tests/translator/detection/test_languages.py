"""Scripts and the commonest words tell languages apart."""

from __future__ import annotations

import pytest

from translator.detection.languages import (
    COMMON,
    LATIN,
    WORD,
    base_code,
    scripts_of,
    share_common,
    share_written,
)


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


def test_words_are_counted() -> None:
    assert share_common("i see the dog", ["en", "de"]) == [0.5, 0]
    assert share_common("j'ai, «la» maison!", ["fr", "es"]) == pytest.approx([2 / 3, 1 / 3])


def test_without_words_nothing_is_nor_beside_a_language_without_a_list() -> None:
    assert share_common("123 !?", ["en", "de"]) == [0, 0]
    assert share_common("der hund", ["de", "af"]) == [0, 0]


@pytest.mark.parametrize("language", COMMON)
def test_lists_have_each_word_once_as_texts_are_read(language: str) -> None:
    words = COMMON[language].split()
    assert len(words) == len({*words})
    assert all(WORD.fullmatch(word) and word == word.lower() for word in words)
