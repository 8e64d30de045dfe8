"""What travels between a job and its actors arrives as it was."""

from __future__ import annotations

from collections import Counter

from translator.bulk.actor import Tally, as_outcome, as_part, as_row, as_table
from translator.bulk.formats.rows import Span
from translator.bulk.job import Outcome
from translator.bulk.plan import Part
from translator.bulk.work import Counts


def test_a_part_travels_as_a_row() -> None:
    part = Part(number=3, url="s3://a/b.csv", span=Span(5, 99, 7))
    assert as_part(as_row(part, "part-000003.csv")) == (part, "part-000003.csv")


def test_an_outcome_travels_as_a_row() -> None:
    counts = Counts(rows=7, errors=1, flags=Counter({"numbers": 2}))
    for outcome in (
        Outcome(number=3, counts=counts),
        Outcome(number=4, counts=Counts(), error="no"),
    ):
        assert as_outcome(as_table(outcome, is_fatal=True)) == (outcome, True)


def test_a_tally_tells_what_is_new() -> None:
    tally = Tally()
    tally.tell(1, 10)
    tally.tell(1, 20)
    assert tally.read() == {1: 20}
    assert tally.read() == {}
    assert [tally.begin(1), tally.begin(1), tally.begin(2)] == [1, 2, 1]
