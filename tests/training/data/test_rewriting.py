"""Training pairs are written as people also write, and get marks around translated phrases."""

from __future__ import annotations

import random
import re

import pytest

from training.data.rewriting import (
    Lexicon,
    Marker,
    Sides,
    Varier,
    in_capitals,
    in_lower_case,
    joined,
    phrases,
    with_colon,
    without_stop,
)
from translator.text.characters import placeholders_in, symbols

NAME = symbols(1)[0]
SHORT = ("Straße nach Köln.", "Road to Cologne.")


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (SHORT, ("Straße nach Köln", "Road to Cologne")),
        (("Wer?", "Who?"), ("Wer", "Who")),
        (("Wer?", "Who!"), None),
        (("Und dann...", "And then..."), None),
        (("Titel", "Title"), None),
        (("Titel.", "Title"), None),
    ],
)
def test_the_mark_at_the_end_goes_if_both_have_it(pair: Sides, expected: Sides | None) -> None:
    assert without_stop(pair) == expected


def test_only_full_stops_become_colons() -> None:
    assert with_colon(SHORT) == ("Straße nach Köln:", "Road to Cologne:")
    assert with_colon(("Wer?", "Who?")) is None


def test_capitals_are_for_headings() -> None:
    assert in_capitals(SHORT) == ("STRASSE NACH KÖLN.", "ROAD TO COLOGNE.")
    assert in_capitals((SHORT[0], "Road to Cologne, " * 6)) is None


def test_lower_case_takes_all_capitals() -> None:
    assert in_lower_case(SHORT) == ("straße nach köln.", "road to cologne.")
    assert in_lower_case(("straße", "Road")) is None, "nothing would change on one side"


@pytest.mark.parametrize("code", ["{Name}", "%S", "a@B.de", "C:\\Temp", "</B>", "MAX_SIZE"])
def test_code_keeps_its_case(code: str) -> None:
    assert in_lower_case((f"Nimm {code}", f"Take {code}")) is None
    assert in_capitals((f"Nimm {code}", f"Take {code}")) is None


def test_placeholders_have_no_case() -> None:
    assert in_lower_case((f"Nimm {NAME}", f"Take {NAME}")) == (f"nimm {NAME}", f"take {NAME}")


def test_two_sentences_are_joined_behind_a_full_stop() -> None:
    assert joined(SHORT, ("Wer?", "Who?")) == ("Straße nach Köln. Wer?", "Road to Cologne. Who?")
    assert joined(("Titel", "Title"), SHORT) is None
    assert joined(SHORT, ("lang " * 60, "long " * 60)) is None
    assert joined((f"Nimm {NAME}.", f"Take {NAME}."), SHORT) is None


def vary_all(pairs: list[Sides], share: float) -> list[Sides]:
    varier = Varier(share)
    return [varier.vary(*pair) for pair in pairs]


def test_about_the_share_is_changed_in_every_way_and_always_alike() -> None:
    pairs = [(f"Das Haus Nr. {n} ist alt.", f"The house no. {n} is old.") for n in range(1000)]
    varied = vary_all(pairs, 0.3)
    assert varied == vary_all(pairs, 0.3)
    changed = [(pair, new) for pair, new in zip(pairs, varied, strict=True) if pair != new]
    assert 250 < len(changed) < 350
    seen = {
        "without a stop": sum(new == without_stop(pair) for pair, new in changed),
        "with a colon": sum(new == with_colon(pair) for pair, new in changed),
        "lower case": sum(new[0] == pair[0].lower() for pair, new in changed),
        "lower case, without a stop": sum(new[0] == pair[0][:-1].lower() for pair, new in changed),
        "capitals": sum(new[0] == pair[0].upper() for pair, new in changed),
        "capitals, without a stop": sum(new[0] == pair[0][:-1].upper() for pair, new in changed),
        "joined": sum(len(new[0]) > len(pair[0]) + 5 for pair, new in changed),
    }
    assert sum(seen.values()) == len(changed)
    assert all(count > 10 for count in seen.values()), seen


def test_a_pair_that_fits_no_way_stays() -> None:
    assert vary_all([("{a}", "{a}"), ("b_c", "b_c")], 1.0) == [("{a}", "{a}"), ("b_c", "b_c")]


def test_without_a_share_nothing_changes() -> None:
    assert vary_all([SHORT, SHORT], 0.0) == [SHORT, SHORT]


WORDS = {"fenster": "window", "datei": "file", "haus": "house", "schließen": "close"}
FILLERS = {"sehr": "very", "oder": "or", "aber": "but", "immer": "always", "heute": "today"}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    """Return one from sentences of five random words."""
    chance, known = random.Random(1), {**WORDS, **FILLERS}
    chosen = [chance.sample(sorted(known), 4) for _ in range(300)]
    return Lexicon((" ".join(words), " ".join(known[w] for w in words)) for words in chosen)


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
