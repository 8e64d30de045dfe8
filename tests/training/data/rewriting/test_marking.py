"""Marked pairs: what is linked, which phrases are marked, and that nothing else changes."""

from __future__ import annotations

import re

import pytest

from tests.training.data.rewriting.lexicons import small_lexicon
from training.data.rewriting.lexicon import Lexicon
from training.data.rewriting.marking import Marker
from translator.text.placeholders import placeholders_in, symbols


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return small_lexicon()


def bare(text: str) -> str:
    return "".join(char for char in text if char not in placeholders_in(text))


def marked(text: str) -> str:
    first, inner, _ = re.split("|".join(placeholders_in(text)), text)
    assert first is not None
    assert inner.startswith(" "), "the first word keeps its pieces"
    return inner[1:]


def test_a_phrase_and_its_translation_are_marked(lexicon: Lexicon) -> None:
    marker = Marker(lexicon, 1.0, 8)
    filler = "und so weiter und so fort bis an das"
    source, target = marker.mark(f"{filler} Fenster.", "and so on and so forth up to the Window.")
    assert marked(source) == "Fenster"
    assert marked(target) == "Window"
    assert bare(source) == f"{filler}  Fenster."
    assert placeholders_in(source) == placeholders_in(target)


def test_a_title_is_marked(lexicon: Lexicon) -> None:
    source, target = Marker(lexicon, 1.0, 8).mark("Hinweis: Die Datei.", "Please note: The file.")
    assert (marked(source), marked(target)) == ("Hinweis", "Please note")


def test_short_sentences_are_also_marked_as_a_whole(lexicon: Lexicon) -> None:
    marker, found = Marker(lexicon, 1.0, 8), set()
    for number in range(20):
        sides = marker.mark(f"Haus {number}!", f"House {number}.")
        found.add(tuple(re.sub(r"\d+", "n", marked(side)) for side in sides))
    assert found == {("Haus n", "House n"), ("Haus", "House")}


def test_placeholders_that_are_there_are_numbered_anew_alike(lexicon: Lexicon) -> None:
    names = symbols(8)
    source, target = f"Öffne {names[5]} im Haus: jetzt", f"Open {names[5]} in the house: now"
    ours, theirs = Marker(lexicon, 1.0, 8).mark(source, target)
    assert len(placeholders_in(ours)) == 3
    assert placeholders_in(ours) == placeholders_in(theirs)
    order = [names.index(char) for char in ours if char in names]
    assert [(number - order[0]) % 8 for number in order] == [0, 1, 2]
    assert bare(ours) == f" {bare(source)}"


def test_every_kind_of_mark_occurs_with_every_number(lexicon: Lexicon) -> None:
    marker, names, found = Marker(lexicon, 1.0, 4), symbols(4), set()
    for number in range(400):
        source, _ = marker.mark(f"Haus oder Datei {number}!", f"House or file {number}.")
        first = min(source.index(name) for name in names if name in source)
        found.add((names.index(source[first]), len(marked(source).split())))
    assert found == {(name, words) for name in range(4) for words in (1, 2, 3, 4)}


def test_what_is_equal_or_has_other_placeholders_is_not_marked(lexicon: Lexicon) -> None:
    marker, name = Marker(lexicon, 1.0, 8), symbols(8)[0]
    for pair in (
        ("Windows: so", "Windows: as"),
        ("12: so", "13: as"),
        (f"Haus: {name}", "House: 1"),
        (f"Das {name} Haus: 1", f"The house: {name}"),
    ):
        assert marker.mark(*pair) == pair


def test_only_a_share_is_marked_and_no_more_than_there_are_placeholders(lexicon: Lexicon) -> None:
    pairs = [(f"Haus {n}: so", f"House {n}: so") for n in range(500)]
    changed = sum(Marker(lexicon, 0.2, 8).mark(*pair) != pair for pair in pairs)
    assert 60 < changed < 140
    assert Marker(lexicon, 0.0, 8).mark(*pairs[0]) == pairs[0]
    assert Marker(lexicon, 1.0, 1).mark(*pairs[0]) == pairs[0]
