"""A bounded part of a text, without what is not language."""

from __future__ import annotations

import pytest

from translator.detection import sample as module
from translator.detection.sample import (
    MAX_READ,
    SAMPLE_CHARACTERS,
    sample,
    sample_without_names,
)


def test_what_is_not_language_is_left_out() -> None:
    text = "Siehe <b>https://example.com/the-page</b> und `make it so`, ${user_name}!"
    words = sample(text).split()
    assert words == ["siehe", "und", ",", "!"]


def test_names_are_words_with_capitals_but_for_the_first() -> None:
    text = "Gestern war ich mit `x` bei McDonald, NATO und Mu\u0308ller; gru\u0308n!"
    assert sample_without_names(text) == "gestern war ich mit bei und gr\u00fcn!"
    assert sample_without_names(" \n") == ""


def test_it_is_lower_cased_and_composed() -> None:
    assert sample("GRU\u0308SSE") == "gr\u00fcsse"


def test_it_is_bounded_even_where_lower_case_is_longer() -> None:
    assert len(sample("words " * 100_000)) == SAMPLE_CHARACTERS
    assert len(sample("\u0130" * 100_000)) == SAMPLE_CHARACTERS


def test_code_at_the_beginning_does_not_hide_the_language() -> None:
    code = "https://example.com/a " * 300
    assert sample(code + "Guten Morgen").split() == ["guten", "morgen"]


def test_no_more_than_the_first_characters_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def find_spans(text: str) -> list[tuple[int, int]]:
        read.append(len(text))
        return [(0, len(text))]

    monkeypatch.setattr(module, "find_spans", find_spans)
    assert sample("x" * 1_000_000).strip() == ""
    assert sum(read) == MAX_READ
    assert max(read) < MAX_READ, "a little at a time"


def test_white_space_in_front_does_not_count() -> None:
    assert sample("\n" * 100_000 + "Hallo") == "hallo"
