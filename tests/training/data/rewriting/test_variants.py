"""Pairs written otherwise: what changes, on both sides alike, and what is left alone."""

from __future__ import annotations

import pytest

from training.data.rewriting.variants import (
    Pair,
    Varier,
    in_capitals,
    in_lower_case,
    joined,
    with_colon,
    without_stop,
)
from translator.text.placeholders import symbols

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
def test_the_mark_at_the_end_goes_if_both_have_it(pair: Pair, expected: Pair | None) -> None:
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


def vary_all(pairs: list[Pair], share: float) -> list[Pair]:
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
