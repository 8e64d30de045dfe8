"""A translation's times and amounts are written as its language writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translator.rules.formatting import format_numbers


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("closes at 7:25 pm.", "schließt um 7:25 pm.", "schließt um 19:25 Uhr."),
        ("at 9 p.m. sharp", "um 9 p.m. genau", "um 21 Uhr genau"),
        ("at 9 am", "um 9 am Uhr", "um 9 Uhr"),
        ("at 3:30 pm", "um 3:30 Uhr pm da", "um 15:30 Uhr da"),
        ("at 9 am", "um 8 am", "um 8 am"),
        ("9 am Main", "9 am Main", "9 Uhr Main"),
        ("It costs €3.14", "Es kostet 3.14 €", "Es kostet 3,14 €"),
        (
            "Dinner is at 7:30 p.m.",
            "Das Abendessen ist um 7:30 Uhr.",
            "Das Abendessen ist um 19:30 Uhr.",
        ),
        ("It is 7:45 p.m.", "Es ist 19:45.", "Es ist 19:45 Uhr."),
        ("It is 7:45 p.m.", "Es ist 7:45 Uhr abends.", "Es ist 7:45 Uhr abends."),
        ("at midnight, 12 a.m.", "um Mitternacht, 12 Uhr", "um Mitternacht, 0 Uhr"),
        ("at noon, 12 p.m.", "mittags um 12 Uhr", "mittags um 12 Uhr"),
        ("at 9 a.m. and 9 p.m.", "um 9 Uhr und 21 Uhr", "um 9 Uhr und 21 Uhr"),
        (
            "Open from 7:30 p.m., closed from 5 p.m.",
            "Geschlossen ab 5 Uhr, geöffnet ab 7:30 Uhr.",
            "Geschlossen ab 17 Uhr, geöffnet ab 19:30 Uhr.",
        ),
    ],
)
def test_german_has_24_hours(source: str, translation: str, expected: str) -> None:
    assert format_numbers(translation, source, ("en", "de")) == expected


def test_english_has_no_oclock_behind_minutes() -> None:
    translation = format_numbers("20:15 o'clock: Tatort", "20:15 Uhr: Tatort", ("de", "en"))
    assert translation == "20:15: Tatort"


@pytest.mark.parametrize(
    ("languages", "source", "translation", "expected"),
    [
        ("en-de", "It costs €5.", "Es kostet €5.", "Es kostet 5 €."),
        ("en-de", "$1,250.50 a day", "$1.250,50 am Tag", "1.250,50 $ am Tag"),
        ("en-de", "from $5 million", "von $5 Millionen", "von $5 Millionen"),
        ("en-de", "€60-80", "€60-80", "€60-80"),
        ("en-de", "US$5", "US$5", "US$5"),
        ("de-en", "Es kostet 5 €.", "It costs 5 €.", "It costs €5."),
        ("de-en", "5 bis 8 €", "5 to 8 €", "5 to €8"),
        ("de-en", "2024 2 €", "2024 2 €", "2024 2 €"),
        ("de-fr", "5 €", "€5", "€5"),
        ("en-de", "The year 5", "€5", "€5"),
    ],
)
def test_the_sign_of_a_currency_is_put_in_its_place(
    languages: str, source: str, translation: str, expected: str
) -> None:
    one, two = languages.split("-")
    assert format_numbers(translation, source, (one, two)) == expected


@pytest.mark.parametrize(
    ("source", "translation", "languages"),
    [
        ("Die Tour am 4. Juni ist 4h lang.", "The tour on June 4 is 4h long.", ("de", "en")),
        ("Am 4. Juni dauert es 4 Stunden.", "On June 4 it takes 4h.", ("de", "en")),
        ("Am 4. Juni dauert es vier Stunden.", "On June 4 it takes 4h.", ("de", "en")),
        ("Am 20. Mai kamen 20t Kohle an.", "On 20 May 20t of coal arrived.", ("de", "en")),
        ("Der 30. Lauf dauerte 30s.", "The 30th run took 30s.", ("de", "en")),
        ("um 0 Uhr und um 12 Uhr", "at 12 a.m. and at 12 p.m.", ("de", "en")),
        ("It is 10m long and cost £10m.", "Es ist 10m lang und kostete 10m.", ("en", "de")),
        ("a fence 2 m high beside $2m", "ein 2 m hoher Zaun neben 2 m", ("en", "de")),
        ("See pages 30 to 12.", "Siehe Seiten 30 bis 12.", ("en", "de")),
        ("Gate 12 to 4 is closed.", "Tor 12 bis 4 ist zu.", ("en", "de")),
        ("Place 9 to 2", "Platz 9 bis 2", ("en", "de")),
        ("Exit 9 on the Main, at 9 am", "Ausfahrt 9 am Main, um 9 Uhr", ("en", "de")),
    ],
)
def test_a_number_of_another_kind_is_not_rewritten(
    source: str, translation: str, languages: tuple[str, str]
) -> None:
    assert format_numbers(translation, source, languages) == translation


MINUTES = st.sampled_from(["", ":05", ":30", ":59"])


@given(hours=st.lists(st.integers(0, 23), min_size=1, max_size=3, unique=True), minute=MINUTES)
def test_every_time_of_day_stays_itself(hours: list[int], minute: str) -> None:
    """Both clocks of 12 hours are read here by their own rule."""
    english = [f"{hour % 12 or 12}{minute} {'p.m.' if hour > 11 else 'a.m.'}" for hour in hours]
    german = [f"{hour}{minute} Uhr" for hour in hours]
    to_english = f"Zeiten: {', '.join(german)}", f"Times: {', '.join(english)}"
    assert format_numbers(to_english[1], to_english[0], ("de", "en")) == to_english[1]
    copied = f"Zeiten: {', '.join(english)}"
    shown = format_numbers(copied, to_english[1], ("en", "de"))
    assert shown == to_english[0]
