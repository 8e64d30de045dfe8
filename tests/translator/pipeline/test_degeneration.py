"""What is flagged, what is not, and which of two searches is believed."""

from __future__ import annotations

import pytest

from translator.config import DecodingOptions
from translator.pipeline.degeneration import Flag, Output, better, find_flags, retry_options
from translator.search.hypothesis import Hypothesis
from translator.text.characters import symbols

CIRCLE: list[Flag] = ["repetition"]
SOURCE = Output(range(100, 112), "Der kleine Hund sieht die grosse Katze und bellt.")
COPY = "Der kleine Hund sieht die grosse Katze und bellt."
TRANSLATION = "The small dog sees the large cat and barks."


def found(
    ids: list[int], text: str = TRANSLATION, log_prob: float = -1.0
) -> tuple[Hypothesis, Output]:
    hypothesis = Hypothesis(ids=tuple(ids), score=log_prob, log_prob=log_prob, finish_reason="eos")
    return hypothesis, Output(ids, text)


@pytest.mark.parametrize(
    ("ids", "is_circle"),
    [
        ([7] * 12, True),
        ([1, 2, *([7] * 12), 9], True),
        ([1, *([7, 8, 9] * 4), 2], True),
        ([*range(20, 28)] * 4, True),
        ([7] * 11, False),  # three dots, a ruler: not long enough
        ([7, 8, 9] * 3, False),
        ([7, 7, 8, 8] * 2, False),
        ([*range(20, 29)] * 4, False),  # a refrain longer than a circle
        ([], False),
    ],
)
def test_circles_are_flagged(ids: list[int], is_circle: bool) -> None:
    assert find_flags(SOURCE, Output(ids, "")) == (("repetition",) if is_circle else ())


@pytest.mark.parametrize(
    ("text", "is_circle"),
    [
        ("zwischen in zwischen in zwischen", True),
        ("He lives in Culture and culture and Culture.", True),
        ("director of the Life's society of the society of the society of the World", True),
        ("Periodische > Anlagen > Anlagen > Anlagen", True),
        ("As a City City City of the East", True),
        ("zwischen in zwischen in", False),
        ("the society of the society of a", False),
        ("City City of the East", False),
        ("a of the big bad old red new b of the big bad old red new c", False),
        ("- - - - 1 1 1 1 ... x x x x", False),  # rulers, numbers and letters are no words
        ("", False),
    ],
)
def test_circles_of_words_are_flagged(text: str, is_circle: bool) -> None:
    target = Output(range(9), text)
    assert find_flags(Output([1], ""), target) == (("repetition",) if is_circle else ())
    assert find_flags(Output([1], "ja ja ja"), target) == (), "the source repeats itself, too"


def test_a_source_that_repeats_itself_may_be_translated_so() -> None:
    assert find_flags(Output([8] * 15, ""), Output([7] * 15, "")) == ()


@pytest.mark.parametrize(
    ("source", "target", "is_circle"),
    [
        ("nein nein nein nein!", "no no no no!", False),
        ("Nein, nein, nein, nein!", "no no no no", False),
        ("nein nein nein nein!", "no no no!", False),
        ("nein nein nein nein!", "no no no no no!", True),
        ("Ho ho ho!", "Ho Ho Ho Ho!", True),
        ("Zeile, Zeile, Zeile", "Row. Row! Row", False),
        ("tick tack tick tack tick tack", "tick tock " * 3, False),
        ("tick tack tick tack tick tack", "tick tock " * 4, True),
        ("dog dog dog dog dog", "Hundhundhundhundhund", False),
        ("dog dog dog dog dog", "Hundhundhundhundhundhund", True),
        ("dog dog dog dog", "Hundhund Hund Hund Hund", True),
        ("hahahaha", "hahahaha", False),
        ("haha", "hahahaha", True),
        ("Aaaah", "Aaaaaaah", True),
        ("Das Teeei im Schifffahrtsamt 00000", "Schifffahrt 00000", False),
        ("- - - -", "- - - - - - - -", False),
    ],
)
def test_a_word_does_not_come_more_often_than_in_its_source(
    source: str, target: str, is_circle: bool
) -> None:
    expected = ("repetition",) if is_circle else ()
    assert find_flags(Output([1], source), Output([2], target)) == expected


def test_ngrams_are_blocked_that_are_longer_than_the_sources_own_circle() -> None:
    for source, size in (("ho ho ho", 3), ("ja, ja, ja, ja, ja, ja", 6), ("ja ja", 4)):
        again = retry_options(DecodingOptions(), ["repetition"], source)
        assert again.no_repeat_ngram_size == size


@pytest.mark.parametrize(
    ("source", "target", "is_copy"),
    [
        (COPY, COPY, True),
        (COPY, COPY.replace("Hund", "Dog"), True),
        (COPY, "Der kleine Hund", False),
        (COPY, TRANSLATION, False),
        ("Windows PowerShell 5.1 und .NET", "Windows PowerShell 5.1 and .NET", False),
        ("horizontaler Tabulator (HT)", "horizontal tab (HT)", False),
        ("William Woodruff", "William Woodruff", False),
        ("git clone URL", "git clone URL", False),  # too few words to tell
        (
            "A FAQ: http://one.de/two/three/four.txt",
            "Die FAQ: http://one.de/two/three/four.txt",
            False,
        ),
        ("der hund und " * 3, "der hund und " * 3, True),
        ("ab bc cd de ef fg gh hi ij jk", "ab bc cd de ef fg gh hi ij xx", True),  # just so
        ("ab bc cd de ef fg gh hi ij jk", "ab bc cd de ef fg gh hi yy xx", False),
        ("", "", False),
    ],
)
def test_copies_are_flagged(source: str, target: str, is_copy: bool) -> None:
    expected = ("copied",) if is_copy else ()
    assert find_flags(Output([1], source), Output([2], target)) == expected


def test_a_single_word_is_a_copy_where_it_is_one_of_the_source_only() -> None:
    source = Output([1], "Speichern", lambda word: word == "Speichern")
    assert find_flags(source, Output([1], "Speichern")) == ("copied",)
    assert find_flags(source, Output([1], "Save")) == ()
    assert find_flags(Output([1], "Berlin"), Output([1], "Berlin")) == ()
    copy, other = found([1], "Speichern", -1.0), found([2], "Save", -1.5)
    likeness, rare = found([3], "speichern", -1.2), found([4], "Salt", -9.0)
    assert [*better(source, copy[0], ["copied"], [likeness, rare, other])] == [other[0]]


def test_lost_and_repeated_placeholders_are_flagged() -> None:
    one, two = symbols(2)
    source = Output(range(9), f"Kopiere {one} nach {two}")
    for text, is_whole in (
        (f"To {two} copy {one}", True),
        (f"Copy {one}", False),
        (f"Copy {one} {one} to {two}", False),
    ):
        assert find_flags(source, Output(range(9), text)) == (() if is_whole else ("placeholders",))
    whole, other = found([1, 2], f"copy {one} to {two}", -8.0), found([1, 3], f"copy {one}", -1.0)
    assert [*better(source, found([1])[0], ["placeholders"], [other, whole])] == [whole[0]]


def test_the_second_search_is_wider_and_blocks_ngrams_only_after_a_circle() -> None:
    again = retry_options(DecodingOptions(beam_size=1, alpha=0.7), ["repetition"], "Ja.")
    assert (again.beam_size, again.num_hypotheses, again.alpha) == (5, 5, 0.7)
    assert again.no_repeat_ngram_size == 4
    assert retry_options(DecodingOptions(beam_size=10), ["copied"], "Ja.").beam_size == 20
    assert retry_options(DecodingOptions(beam_size=64), ["copied"], "").no_repeat_ngram_size == 0


def test_anything_without_flags_is_better_than_a_circle() -> None:
    circle, good, empty = found([7] * 30), found([20, 21], log_prob=-30.0), found([])
    assert [*better(SOURCE, circle[0], CIRCLE, [circle, empty, good, good])] == [good[0]]


def test_the_most_probable_comes_first() -> None:
    circle, one, two = found([7] * 30), found([20], log_prob=-3.0), found([21], log_prob=-2.0)
    assert [*better(SOURCE, circle[0], CIRCLE, [one, two])] == [two[0], one[0]]


@pytest.mark.parametrize(
    ("other", "is_better"),
    [
        (found([20] * 9, TRANSLATION, -4.0), True),
        (found([20] * 9, TRANSLATION, -20.0), False),  # far less probable than the copy
        (found([20] * 9, "Der kleine Hund sieht.", -1.0), False),  # a copy cut short
        (found([20] * 9, "Foo", -1.0), False),
    ],
)
def test_a_copy_is_replaced_only_by_a_translation_that_is_nearly_as_probable(
    other: tuple[Hypothesis, Output], is_better: bool
) -> None:
    copy = found(list(range(100, 112)), COPY)
    assert [*better(SOURCE, copy[0], ["copied"], [other])] == ([other[0]] if is_better else [])


def test_a_part_in_brackets_that_is_lost_is_told() -> None:
    source = Output(range(3), "Er zahlt (bar).", has_lost=lambda text: "(" not in text)
    wrong, _ = found([1, 2, 3], "He pays.", -4.0)
    assert find_flags(source, Output([1], "He pays.")) == ("brackets",)
    right, unlikely = found([4, 5, 6], "He pays (cash).", -5.0), found([7], "(he)", -9.0)
    assert [*better(source, wrong, ["brackets"], [unlikely, right])] == [right[0]]
