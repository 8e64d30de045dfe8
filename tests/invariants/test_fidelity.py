"""No number is changed silently, whatever numbers there are.

The same seed makes a German sentence and its English twin, with the same quantities. Twins agree;
a twin with another digit does not.
"""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.fidelity.judge import faults
from tests.fidelity.samples import MAKERS, PAIRS, PROTECTED, sample
from translator.rules.comparison import AGREED, disagreement
from translator.text.protection import protect_pair

KINDS = [kind for kind in MAKERS if kind not in PROTECTED]
IN_WORDS = {"numbers in words"}


def twins(kind: str, seed: int) -> tuple[str, str]:
    """Return a sentence in German and in English."""
    german, english = (sample(kind, pair, random.Random(seed)).text for pair in PAIRS)
    return german, english


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(seed=st.integers(0, 10**9))
def test_the_numbers_of_twins_agree(kind: str, seed: int) -> None:
    german, english = twins(kind, seed)
    for source, target, pair in ((german, english, PAIRS[0]), (english, german, PAIRS[1])):
        assert disagreement(*protect_pair(source, target, 8), pair) == AGREED, (source, target)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in IN_WORDS])
@settings(max_examples=25)
@given(seed=st.integers(0, 10**9), place=st.integers(0, 10**9))
def test_another_digit_is_told(kind: str, seed: int, place: int) -> None:
    german, english = twins(kind, seed)
    digits = [found.start() for found in re.finditer("[1-9]", english)]
    assume(digits)  # but not of version 0.0
    at = digits[place % len(digits)]
    other = str((int(english[at]) + 4) % 9 + 1)
    wrong = english[:at] + other + english[at + 1 :]
    assert disagreement(*protect_pair(german, wrong, 8), PAIRS[0]) != AGREED, (german, wrong)


@pytest.mark.parametrize("kind", [*MAKERS, "two kinds at once"])
@settings(max_examples=12)
@given(seed=st.integers(0, 10**9))
def test_the_judge_knows_right_from_wrong(kind: str, seed: int) -> None:
    english = sample(kind, PAIRS[1], random.Random(seed))
    german = sample(kind, PAIRS[0], random.Random(seed))
    assert faults(german.quantities, english.text, german.units) == [], (german.text, english.text)
    assert faults(english.quantities, german.text, english.units) == [], (english.text, german.text)
    assert faults(german.quantities, "Nothing is said here.") != []
    assert faults(german.quantities, f"{english.text} 77123") != []
