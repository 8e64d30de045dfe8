"""Regions of a source are found in its translation by attention."""

from __future__ import annotations

import numpy as np
import pytest

from translator.text.spans import Span
from translator.translate.marks.alignment import Alignment
from translator.translate.marks.places import find_places
from translator.translate.marks.regions import Region

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
        ((15, 23), "Asleep is the big dog."),
        ((5, 7), "big"),
    ],
    ids=["word", "phrase", "start", "moved", "end", "part of a word"],
)
def test_a_pair(source: Span, target: str) -> None:
    region = Region(source, "<", ">")
    find_places([region], SOURCE, TARGET, ALIGNMENT)
    start, end = region.target
    assert TARGET[start:end] == target


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
