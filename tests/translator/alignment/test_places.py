"""Regions of a source are found in its translation by attention."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from translator.alignment.alignment import Alignment
from translator.alignment.places import find_places
from translator.alignment.regions import Region
from translator.text.spans import Span

SOURCE, TARGET = "Der große Hund schläft.", "Asleep is the big dog."
SOURCE_PIECES = ((0, 3), (4, 9), (10, 14), (15, 22), (22, 23))
TARGET_PIECES = ((0, 6), (7, 9), (10, 13), (14, 17), (18, 21), (21, 22))
ALIGNMENT = Alignment(
    np.array(
        [
            [0.0, 0.0, 0.1, 0.9, 0.0],
            [0.1, 0.0, 0.1, 0.8, 0.0],
            [0.9, 0.1, 0.0, 0.0, 0.0],
            [0.1, 0.8, 0.1, 0.0, 0.0],
            [0.0, 0.1, 0.6, 0.0, 0.3],
            [0.0, 0.0, 0.0, 0.1, 0.9],
        ],
        dtype=np.float32,
    ),
    SOURCE_PIECES,
    TARGET_PIECES,
)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ((10, 14), "dog"),
        ((4, 14), "big dog"),
        ((0, 14), "Asleep is the big dog"),
        ((15, 22), "Asleep is"),
        ((15, 23), "Asleep is"),
        ((0, 23), "Asleep is the big dog."),
        ((5, 7), "big"),
    ],
    ids=["word", "phrase", "start", "moved", "end, moved", "all", "part of a word"],
)
def test_a_pair(source: Span, target: str) -> None:
    region = Region(source, "<", ">")
    find_places([region], SOURCE, TARGET, ALIGNMENT)
    start, end = region.target
    assert TARGET[start:end] == target


def test_a_full_stop_by_itself_takes_in_no_word() -> None:
    regions = [Region((0, 9)), Region((22, 23))]
    find_places(regions, SOURCE, TARGET, ALIGNMENT)
    assert TARGET[slice(*regions[1].target)] == "."


def test_neighbours_do_not_overlap() -> None:
    regions = [Region((4, 9)), Region((10, 14))]
    find_places(regions, SOURCE, TARGET, ALIGNMENT)
    assert [TARGET[slice(*region.target)] for region in regions] == ["big", "dog"]


def test_what_is_inside_stays_inside() -> None:
    outer = Region((4, 14), inner=[Region((10, 14))])
    find_places([outer], SOURCE, TARGET, ALIGNMENT)
    assert TARGET[slice(*outer.inner[0].target)] == "dog"


def test_a_single_mark_stands_before_the_word_that_followed_it() -> None:
    image, at_start = Region((10, 10)), Region((0, 0))
    find_places([at_start, image], SOURCE, TARGET, ALIGNMENT)
    assert (at_start.target, image.target) == ((0, 0), (18, 18))


def test_without_alignment_places_are_in_proportion() -> None:
    region = Region((10, 14))
    find_places([region], SOURCE, "a b c d", None)
    assert 0 < region.target[0] < region.target[1] < 7


@pytest.mark.parametrize("target", ["", "…"])
def test_a_translation_without_words(target: str) -> None:
    region = Region((4, 9), inner=[Region((5, 5))])
    find_places([region], SOURCE, target, None)
    assert region.target[0] == region.target[1] <= len(target)
    nothing = Alignment(np.zeros((0, 5), dtype=np.float32), SOURCE_PIECES, ())
    find_places([region], SOURCE, target, nothing)
    assert region.target == (len(target), len(target))


def test_a_very_long_sentence_without_alignment() -> None:
    source, target = "Hund " * 50_000, "dog " * 50_000
    regions = [Region((number * 50, number * 50 + 4)) for number in range(5_000)]
    find_places(regions, source, target, None)
    assert {target[slice(*region.target)].strip() for region in regions} <= {"dog", ""}


def even(source: str, target: str) -> Alignment:
    """Align the words of a sentence and of its translation one by one; others look everywhere."""
    words = [
        tuple(found.span() for found in re.finditer(r"\w+", text)) for text in (source, target)
    ]
    weights = np.full((len(words[1]), len(words[0])), 0.01, dtype=np.float32)
    np.fill_diagonal(weights, 0.9)
    return Alignment(weights, words[0], words[1])


def placed(source: str, region: Span, target: str) -> str:
    one = Region(region, "<", ">")
    find_places([one], source, target, even(source, target))
    start, end = one.target
    return f"{target[:start]}<{target[start:end]}>{target[end:]}"


@given(
    number=st.integers(1, 400),
    suffix=st.sampled_from(["st", "nd", "rd", "th", "er", "e", "."]),
    written=st.sampled_from([".", "th", "º", "er"]),
    before=st.sampled_from(["", "am ", "im Haus 1234 am "]),
)
def test_the_suffix_of_an_ordinal_number_stays_one(
    number: int, suffix: str, written: str, before: str
) -> None:
    source, place = f"the {number}{suffix} house", 4 + len(str(number))
    target = f"{before}{number}{written} Haus"
    found = placed(source, (place, place + len(suffix)), target)
    assert found == f"{before}{number}<{written}> Haus"


@pytest.mark.parametrize(
    ("source", "inner", "target", "expected"),
    [
        ("it costs $5.00 now", "$5.00", "es kostet 5,00 $ nun", "es kostet <5,00 $> nun"),
        ("es kostet 5,00 € nun", "5,00 €", "it costs €5.00 now", "it costs <€5.00> now"),
        ("es kostet 5,00 nun", "5,00", "it costs €5.00 now", "it costs €<5.00> now"),
        ("nur 1.250 Stück", "1.250", "only 1,250 pieces", "only <1,250> pieces"),
        ("nur 1.250 Stück sind da", "1.250", "we have only 1,250", "we have only <1,250>"),
        ("nun 5,00 € 6,00 €", "5,00 €", "now €5.00 €6.00", "now <€5.00> €6.00"),
    ],
)
def test_a_number_is_not_parted_and_keeps_the_sign_of_its_currency(
    source: str, inner: str, target: str, expected: str
) -> None:
    start = source.index(inner)
    assert placed(source, (start, start + len(inner)), target) == expected


def test_a_number_without_a_suffix_has_it_behind() -> None:
    assert placed("the 21st house", (6, 8), "das Haus 21 ist") == "das Haus 21<> ist"
    assert placed("only 3km far", (6, 8), "nur 3km weit") == "nur <3km> weit"
    assert placed("water H2O is", (7, 8), "Wasser H2O ist") == "Wasser <H2O> ist"


@given(
    quotes=st.sampled_from(["''", '""', "„“", "»«"]),
    there=st.sampled_from(["''", '""', "„“", "“”", "«»"]),
    words=st.lists(st.sampled_from(["Open", "File", "Save"]), min_size=1, max_size=2).map(" ".join),
    wide=st.sampled_from(["on ", "on the "]),
)
def test_what_stands_in_quotes_stays_in_quotes(
    quotes: str, there: str, words: str, wide: str
) -> None:
    source = f"click {quotes[0]}{words}{quotes[1]} now"
    target = f"click {wide}{there[0]}{words}{there[1]} now"
    found = placed(source, (7, 7 + len(words)), target)
    assert found == f"click {wide}{there[0]}<{words}>{there[1]} now"


def test_a_single_mark_that_touches_a_word_stays_behind_it() -> None:
    assert placed("my house and", (8, 8), "mein Haus und") == "mein Haus<> und"
    assert placed("my house, and", (9, 9), "mein Haus, und") == "mein Haus,<> und"
    assert placed("my house.", (8, 8), "mein Haus.") == "mein Haus<>."


def test_no_region_stays_empty_if_there_are_words_enough() -> None:
    source, target = "big, loud, noisy, small", "a b c d"
    alignment = Alignment(
        np.array(
            [[0.6, 0.4, 0, 0], [0, 0.7, 0.3, 0], [0, 0, 0.9, 0.1], [0, 0, 0.6, 0.4]],
            dtype=np.float32,
        ),
        tuple(found.span() for found in re.finditer(r"\w+", source)),
        tuple(found.span() for found in re.finditer(r"\w+", target)),
    )
    regions = [Region(found.span()) for found in re.finditer(r"\w+", source)]
    find_places(regions, source, target, alignment)
    assert [target[slice(*region.target)] for region in regions] == ["a", "b", "c", "d"]
