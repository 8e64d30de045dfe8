"""The commonest words tell languages apart where nothing else does."""

from __future__ import annotations

import pytest

from translator.detection.words import COMMON, WORD, share_common


def test_words_are_counted() -> None:
    assert share_common("i see the dog", ["en", "de"]) == [0.5, 0]
    assert share_common("j'ai, «la» maison!", ["fr", "es"]) == pytest.approx([2 / 3, 1 / 3])


def test_without_words_nothing_is() -> None:
    assert share_common("123 !?", ["en", "de"]) == [0, 0]


def test_a_language_without_a_list_is_not_at_a_disadvantage() -> None:
    assert share_common("der hund", ["de", "af"]) == [0, 0]


@pytest.mark.parametrize("language", COMMON)
def test_lists_have_each_word_once_as_texts_are_read(language: str) -> None:
    words = COMMON[language].split()
    assert len(words) == len({*words})
    assert all(WORD.fullmatch(word) and word == word.lower() for word in words)
