from __future__ import annotations

import datetime

import pytest
from babel.dates import format_date
from hypothesis import given, settings
from hypothesis import strategies as st

from translator.text.numbers.comparison.agreement import AGREED, disagreement

DATES = st.dates()


@pytest.mark.parametrize(
    ("german", "english", "missing"),
    [
        ("Am 3. Februar 2024", "On 3 March 2024", ["Februar"]),
        ("Am 3. Februar", "On March 3rd", ["Februar"]),
        ("im Mai 2024", "in March 2024", ["Mai"]),
        ("am 3. Feb. 2024", "on Mar. 3, 2024", ["Feb"]),
        ("bis 5. Okt.", "until the 5th of September", ["Okt"]),
        ("vom 3. Februar bis 5. März", "from 3 February to 5 May", ["März"]),
    ],
)
def test_another_month_is_another_date(german: str, english: str, missing: list[str]) -> None:
    found = disagreement(german, english, ("de", "en"))
    assert [one.text for one in found.missing] == missing
    assert disagreement(english, german, ("en", "de")) != AGREED


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Am 3. Februar 2024", "On 3 February 2024"),
        ("am 3. Feb. 2024", "on February 3rd, 2024"),
        ("am 5. Sept.", "on the 5th of September"),
        ("am 3.2.2024", "on 3 February 2024"),
        ("am 3.2.2024, nicht im Mai 2024", "on 3 February 2024, not in May 2024"),
        ("im Februar und März 2024", "in February 2024 and March"),
        ("Am 3. Februar marschierten 20 Leute.", "On 3 February, 20 people were on the march."),
        ("Am 3. Februar darf es 5 Grad haben.", "On 3 February it may 5 degrees."),
        ("Jan hat am 3. Mai 2 Äpfel.", "Jan has 2 apples on 3 May."),
    ],
)
def test_the_same_month_agrees(german: str, english: str) -> None:
    assert disagreement(german, english, ("de", "en")) == AGREED
    assert disagreement(english, german, ("en", "de")) == AGREED


@settings(max_examples=200)
@given(
    DATES, DATES, st.sampled_from(["d. MMMM y", "d. MMM y"]), st.sampled_from(["long", "medium"])
)
def test_two_dates_agree_where_they_are_the_same(
    one: datetime.date, other: datetime.date, german: str, english: str
) -> None:
    one, other = one.replace(year=2024, day=17), other.replace(year=2024, day=17)
    source = f"Es begann am {format_date(one, german, locale='de')}."
    target = f"It began on {format_date(other, english, locale='en')}."
    assert (disagreement(source, target, ("de", "en")) == AGREED) == (one == other)


def test_other_languages_have_their_own_months() -> None:
    assert disagreement("le 3 mars 2024", "on 3 May 2024", ("fr", "en")) != AGREED
    assert disagreement("le 3 mars 2024", "on 3 March 2024", ("fr", "en")) == AGREED
    assert disagreement("em 3 de maio de 2024", "on 3 March 2024", ("pt", "en")) != AGREED
