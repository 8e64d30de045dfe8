"""Which words are linked, and which phrases."""

from __future__ import annotations

import pytest

from tests.training.data.rewriting.lexicons import small_lexicon
from training.data.rewriting.lexicon import Lexicon, phrases


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return small_lexicon()


def test_words_that_occur_together_are_linked(lexicon: Lexicon) -> None:
    source, target = ["das", "fenster", "heute", "schließen"], ["close", "the", "window", "today"]
    assert lexicon.links(source, target) == {1: 2, 2: 3, 3: 0}


def test_repeated_words_are_not_linked(lexicon: Lexicon) -> None:
    assert lexicon.links(["datei", "oder", "datei"], ["file", "or", "house"]) == {1: 1}


def test_a_lexicon_of_nothing_links_nothing() -> None:
    assert Lexicon([]).links(["haus"], ["house"]) == {}


def test_phrases_are_linked_within_themselves_only() -> None:
    found = set(phrases({1: 2, 2: 3, 3: 0}))
    assert found == {((1, 1), (2, 2)), ((2, 2), (3, 3)), ((3, 3), (0, 0)), ((1, 2), (2, 3))}
