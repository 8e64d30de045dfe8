"""Numbers that are names come back as they are; quantities and dates are none."""

from __future__ import annotations

import time

import pytest

from translator.text.spans import find_spans


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in find_spans(text)]


@pytest.mark.parametrize(
    "name",
    [
        "DE62752049294792929459",
        "DE95 4383 9667 3899 5172 94",
        "GB29 NWBK 6016 1331 9268 19",
        "9074 1316 6098 1618",
        "4387-3321-9937-1520",
        "+49 30 021587",
        "+49 (0)30 1234567",
        "041/8472271",
        "0158 20645031",
        "(555) 123-4567",
        "555-123-4567",
        "PG-9146308-KKI",
        "IU18526",
        "QFI/973676",
        "9146308KKI",
        "12345678",
        "2020-12-27",
        "978-3-16-148410-0",
        "4.27.6",
    ],
)
def test_a_name_is_a_span(name: str) -> None:
    assert found(f"Nummer {name}, bitte.") == [name]
    assert found(f"Nummer {name}") == [name]


@pytest.mark.parametrize(
    "text",
    [
        "5.592.260 Einwohner",
        "am 27.12.2020 oder 27.12.20",
        "im Jahr 2020 500 Leute",
        "von 1990 bis 2000",
        "2019/20 und 12/27/2020",
        "COVID-19, G20, A4, MP3, die 1990er",
        "das WM-2014-Finale",
        "007 und 15000",
        "05 April 2012",
        "1.200,50 und 1,200.50",
    ],
)
def test_what_is_written_differently_is_none(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("unit", ["1", "1 ", "1-", "A1-", "0123 ", "+1 ", "1.1.", "A", "1234 "])
def test_no_text_takes_long(unit: str) -> None:
    """Work that grew with the square of the length would take minutes, not seconds."""
    started = time.process_time()
    find_spans(unit * 20_000 + "!")
    assert time.process_time() - started < 10


@pytest.mark.parametrize("label", ["Table", "Tabelle", "section", "Cell", "Abb.", "Kapitel"])
@pytest.mark.parametrize("part", ["5.1", "1.0", "10.3.2"])
def test_a_part_of_a_text_is_a_span(label: str, part: str) -> None:
    assert found(f"See {label} {part}, too.") == [part]
    assert found(f"{label} {part}") == [part]


@pytest.mark.parametrize(
    "text",
    ["in part 1.5 million", "Zeile 12.30 Uhr", "Teil 2.500 davon", "Stables 1.2", "about 5.1"],
)
def test_a_quantity_behind_such_a_word_is_none(text: str) -> None:
    assert found(text) == []
