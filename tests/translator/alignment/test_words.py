"""Words of a translation, where they come from and how sure they are."""

from __future__ import annotations

import numpy as np

from translator.alignment.alignment import Alignment, places_of
from translator.alignment.readable import readable
from translator.alignment.words import translated_words, word_weights, words_in
from translator.text.characters import symbols

[NAME] = symbols(1)


def aligned(source: str, target: str, weights: list[list[float]]) -> Alignment:
    """Return an alignment whose pieces are words; each has a log-probability of minus its place."""
    read, written = places_of(source, source.split()), places_of(target, target.split())
    log_probs = -np.arange(1.0, len(written) + 1, dtype=np.float32)
    return Alignment(np.array(weights, dtype=np.float32), read, written, log_probs)


def test_words_and_placeholders() -> None:
    text = f"E-Mail an O'Neil: {NAME}, ok."
    words = [text[slice(*word)] for word in words_in(text)]
    assert words == ["E-Mail", "an", "O'Neil", NAME, "ok"]


def test_weights_are_shares_of_what_goes_to_words() -> None:
    alignment = aligned("a b .", "x y", [[0.2, 0.2, 0.6], [0.0, 0.5, 0.5]])
    weights = word_weights(words_in("a b ."), words_in("x y"), alignment)
    np.testing.assert_allclose(weights, [[0.5, 0.5], [0.0, 1.0]], atol=1e-6)


def test_a_word_has_its_sources_in_order_and_its_probability() -> None:
    source, target = readable("der Hund", []), readable("the dog", [])
    alignment = aligned("der Hund", "the dog", [[0.7, 0.3], [0.05, 0.95]])
    the, dog = translated_words(source, target, alignment)
    assert (the.start, the.end, the.log_prob) == (0, 3, -1.0)
    assert [(one.start, one.end, round(one.weight, 3)) for one in the.sources] == [
        (0, 3, 0.7),
        (4, 8, 0.3),
    ]
    assert (dog.start, dog.end, dog.log_prob) == (4, 7, -2.0)
    assert [(one.start, one.end) for one in dog.sources] == [(4, 8)]


def test_pieces_of_a_word_are_counted_together() -> None:
    alignment = Alignment(
        np.array([[1.0], [1.0]], dtype=np.float32),
        ((0, 4),),
        ((0, 2), (2, 4)),
        np.array([-0.5, -0.25], dtype=np.float32),
    )
    [word] = translated_words(readable("Hund", []), readable("hund", []), alignment)
    assert (word.start, word.end, word.log_prob) == (0, 4, -0.75)


def test_places_are_those_that_people_see() -> None:
    source = readable("Starte `ls -l` neu", [((7, 14), NAME)])
    target = readable("restart `ls -l`", [((8, 15), NAME)])
    weights = [[0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]
    _, code = translated_words(source, target, aligned(source.text, target.text, weights))
    assert (code.start, code.end) == (8, 15)
    assert [(one.start, one.end) for one in code.sources] == [(7, 14)]


def test_a_sentence_without_words() -> None:
    nothing = aligned("?", "!", [[1.0]])
    assert translated_words(readable("?", []), readable("!", []), nothing) == ()
