"""A translation's times and ordinals are written as its language writes them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translator.text.numbers.habits import follow_habits, ordinal_suffix


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
        ("from 2 to 4 p.m.", "von 14:00 bis 16 Uhr", "von 14 bis 16 Uhr"),
        (
            "Open from 7:30 p.m., closed from 5 p.m.",
            "Geschlossen ab 5 Uhr, geöffnet ab 7:30 Uhr.",
            "Geschlossen ab 17 Uhr, geöffnet ab 19:30 Uhr.",
        ),
        ("a 65-inch TV", "ein 65-inch-TV", "ein 65-Zoll-TV"),
    ],
)
def test_german_has_24_hours(source: str, translation: str, expected: str) -> None:
    assert follow_habits(translation, source, ("en", "de")) == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("Serves 4–6", "Für 4:6", "Für 4–6"),
        ("Ages 4–6: 5 ml", "Alter 4: 6: 5 ml", "Alter 4–6: 5 ml"),
        ("Serves 4-6", "Für 4:6", "Für 4-6"),
        ("Pages 12–15, 1.5–2 m", "Seiten 12-15, 1,5-2 m", "Seiten 12–15, 1,5–2 m"),
        ("We won 6–2, they lost 0–2", "6:2 gewonnen, 0:2 verloren", "6:2 gewonnen, 0:2 verloren"),
        ("It was 3–1.", "Es stand 3:1.", "Es stand 3:1."),
        ("10–12 cookies at 10:12", "10-12 Kekse um 10:12 Uhr", "10–12 Kekse um 10:12 Uhr"),
    ],
)
def test_a_range_keeps_its_dash_and_is_no_score(
    source: str, translation: str, expected: str
) -> None:
    assert follow_habits(translation, source, ("en", "de")) == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("ihren 22. Geburtstag", "her 22 birthday", "her 22nd birthday"),
        ("ihren 33. Geburtstag", "her 33d birthday", "her 33rd birthday"),
        ("im 35. Stock", "on the 35 floor", "on the 35th floor"),
        ("im 3. Stock", "on the 3rd floor", "on the 3rd floor"),
        ("am 3. Mai", "on 3 may", "on 3 may"),
        ("Es waren 22. Sie ging.", "It was 22. She left.", "It was 22. She left."),
        ("30. Geburtstag", "30. Birthday", "30th birthday"),
        ("4. Advent", "4. Advent", "4th Advent"),
        ("3. Mai", "3. May", "3. May"),
        ("der 1., 2. und 3. Preis", "the 1st, 2. and 3. prize", "the 1st, 2nd and 3rd prize"),
        ("20:15 Uhr: Tatort", "20:15 o'clock: Tatort", "20:15: Tatort"),
        ("die 22. Auflage von 22", "the 22 edition of 22", "the 22 edition of 22"),
        ("um 9 am Main", "at 9 am Main", "at 9 am Main"),
    ],
)
def test_english_ordinals_have_a_suffix(source: str, translation: str, expected: str) -> None:
    assert follow_habits(translation, source, ("de", "en")) == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("Er starb 68 n. Chr.", "He died 68 BCE.", "He died 68 CE."),
        ("im 1. Jahrhundert n. Chr.", "in the 1st century BC", "in the 1st century AD"),
        ("44 v. Chr.", "44 BCE", "44 BCE"),
        ("68 v. Chr. und 12 n. Chr.", "68 BCE and 12 BCE", "68 BCE and 12 CE"),
        ("68 n. Chr.", "AD 68", "AD 68"),
        ("Das war 753 v. Chr.", "That was 753 BCE", "That was 753 BCE."),
    ],
)
def test_years_behind_christ_are_not_before_him(
    source: str, translation: str, expected: str
) -> None:
    assert follow_habits(translation, source, ("de", "en")) == expected


def test_a_range_may_have_digits_of_any_number() -> None:
    many = "8" * 5000
    assert follow_habits(f"Seiten 1-{many}", f"pages 1–{many}", ("en", "de")) == f"Seiten 1–{many}"


def test_suffixes() -> None:
    assert [ordinal_suffix(str(n)) for n in (1, 2, 3, 4, 11, 12, 13, 21, 112)] == [
        *("st", "nd", "rd", "th", "th", "th", "th", "st", "th")
    ]
    assert ordinal_suffix("9" * 5000 + "3") == "rd"


def test_endings_that_no_ordinal_has_are_mended() -> None:
    pair = ("de", "en")
    assert follow_habits("his 33d goal", "sein 33. Tor", pair) == "his 33rd goal"
    assert follow_habits("the 31s and 33th", "der 31. und 33. Tag", pair) == "the 31st and 33rd"
    assert follow_habits("in 31s", "in 31 s", pair) == "in 31s"


def test_german_has_no_short_names_of_english_scales() -> None:
    assert follow_habits("30bn $", "$30bn", ("en", "de")) == "30 Milliarden $"


@pytest.mark.parametrize(
    ("source", "translation", "languages", "expected"),
    [
        ("The odds are 100 to 1.", "Die Chancen sind 100 bis 1.", ("en", "de"), "100 zu 1"),
        ("by 51.2 to 48.8 percent", "um 51,2 auf 48,8 Prozent", ("en", "de"), "51,2 zu 48,8"),
        ("fell from 100 to 1", "fiel von 100 auf 1", ("en", "de"), "100 auf 1"),
        ("takes 3 to 5 days", "dauert 3 bis 5 Tage", ("en", "de"), "3 bis 5"),
        ("51,2 zu 48,8 Prozent", "51.2 on 48.8 percent", ("de", "en"), "51.2 to 48.8"),
        ("um 12 Uhr mittags", "at 12 a.m.", ("de", "en"), "12 p.m."),
        ("um 12:15 Uhr", "at 12:15 AM", ("de", "en"), "12:15 PM"),
        ("um 12 Uhr nachts", "at 12 a.m.", ("de", "en"), "12 a.m."),
        ("auf −5 Grad", "to -5 degrees", ("de", "en"), "−5"),
        ("auf -5 Grad", "to -5 degrees", ("de", "en"), "-5"),
    ],
)
def test_ratios_noon_and_minus_are_written_as_they_should_be(
    source: str, translation: str, languages: tuple[str, str], expected: str
) -> None:
    assert expected in follow_habits(translation, source, languages)


@pytest.mark.parametrize(
    ("source", "translation", "languages", "expected"),
    [
        ("by 19.4 to 80.6 percent", "um 19,4 bis 80,6 Prozent", ("en", "de"), "19,4 zu 80,6"),
        ("19.4 to 70.6 percent", "19,4 bis 70,6 Prozent", ("en", "de"), "19,4 bis 70,6"),
        ("stehen 808 zu 3", "are 808 too 3", ("de", "en"), "808 to 3"),
        ("Es steht 126 zu 8.", "It is 126 to 8th.", ("de", "en"), "126 to 8."),
        ("mit 4000 mAh", "with mAh 4000", ("de", "en"), "with 4000 mAh"),
        ("bei 180 °C (160 °C)", "at °C 180 (°C 160)", ("de", "en"), "at 180 °C (160 °C)"),
        ("It is -5 °C at 20 m.", "Es ist -5 °C bei 20 m.", ("en", "de"), "Es ist -5 °C bei 20 m."),
        ("in GB 4000 Seiten", "in GB 4000 pages", ("de", "en"), "in GB 4000 pages"),
        ("durch Berisha (51.).", "by Berisha (51th).", ("de", "en"), "(51st)"),
        ("up from $950m", "ab 950m", ("en", "de"), "ab 950 Millionen"),
        ("a 950 m run for $3m", "ein 950 m langer Lauf", ("en", "de"), "950 m langer"),
    ],
)
def test_shares_minutes_and_millions_are_written_as_they_should_be(
    source: str, translation: str, languages: tuple[str, str], expected: str
) -> None:
    assert expected in follow_habits(translation, source, languages)


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
    assert follow_habits(translation, source, languages) == translation


NUMBERS = st.integers(2, 400)
MINUTES = st.sampled_from(["", ":05", ":30", ":59"])


@settings(max_examples=300, deadline=None)
@given(
    number=NUMBERS,
    unit=st.sampled_from(["h", "s", "t", "d", "n", "min", " h", " t", " s"]),
    noun=st.sampled_from(["Lauf", "Tag", "Mai", "Versuch", "Stock"]),
    is_first=st.booleans(),
)
def test_a_right_translation_stays_with_ordinals_and_units_of_the_same_number(
    number: int, unit: str, noun: str, is_first: bool
) -> None:
    suffix = ordinal_suffix(str(number))
    both = f"Der {number}. {noun}", f"sind {number}{unit}."
    right = f"The {number}{suffix} run", f"is {number}{unit} long."
    source, translation = (" ".join(one if is_first else one[::-1]) for one in (both, right))
    assert follow_habits(translation, source, ("de", "en")) == translation


@settings(max_examples=300, deadline=None)
@given(
    first=NUMBERS,
    second=NUMBERS,
    names=st.sampled_from([("Pages", "Seiten"), ("Gate", "Tor"), ("from place", "von Platz")]),
)
def test_two_numbers_of_places_are_no_ratio(
    first: int, second: int, names: tuple[str, str]
) -> None:
    source = f"See {names[0]} {first} to {second} here."
    translation = f"Siehe {names[1]} {first} bis {second} hier."
    assert follow_habits(translation, source, ("en", "de")) == translation


@settings(max_examples=300, deadline=None)
@given(
    number=NUMBERS,
    sign=st.sampled_from("$€£"),
    space=st.sampled_from(["", " "]),
    is_first=st.booleans(),
)
def test_metres_are_no_millions(number: int, sign: str, space: str, is_first: bool) -> None:
    parts = f"It is {number}{space}m long.", f"It cost {sign}{number}m."
    right = f"Es ist {number}{space}m lang.", f"Es kostete {number} Millionen {sign}."
    source, translation = (" ".join(one if is_first else one[::-1]) for one in (parts, right))
    assert follow_habits(translation, source, ("en", "de")) == translation


@settings(max_examples=300, deadline=None)
@given(hours=st.lists(st.integers(0, 23), min_size=1, max_size=3, unique=True), minute=MINUTES)
def test_every_time_of_day_stays_itself(hours: list[int], minute: str) -> None:
    """Both clocks of 12 hours are read here by their own rule."""
    english = [f"{hour % 12 or 12}{minute} {'p.m.' if hour > 11 else 'a.m.'}" for hour in hours]
    german = [f"{hour}{minute} Uhr" for hour in hours]
    to_english = f"Zeiten: {', '.join(german)}", f"Times: {', '.join(english)}"
    assert follow_habits(to_english[1], to_english[0], ("de", "en")) == to_english[1]
    copied = f"Zeiten: {', '.join(english)}"
    shown = follow_habits(copied, to_english[1], ("en", "de"))
    assert shown == to_english[0]


@pytest.mark.parametrize(
    ("languages", "source", "translation", "expected"),
    [
        ("en-de", "18–24 March", "18-24. März", "18.–24. März"),
        ("en-de", "18–24 March", "18-24. Stock", "18–24. Stock"),
        ("en-de", "Week 3 (4–8 May)", "Woche 3. (4.-8. Mai)", "Woche 3 (4.-8. Mai)"),
        ("en-de", "the 3rd (4 May)", "der 3. (4. Mai)", "der 3. (4. Mai)"),
        ("de-en", "Vom 1.–5. Mai", "From May 1,-5", "From May 1–5"),
        ("de-en", "Vom 1.–5. Mai", "From 1st-5 May", "From 1–5 May"),
        ("de-en", "Am 1. Mai 5", "On May 1,-5", "On May 1,-5"),
    ],
)
def test_a_range_of_days(languages: str, source: str, translation: str, expected: str) -> None:
    one, two = languages.split("-")
    assert follow_habits(translation, source, (one, two)) == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("Henry VIII had", "Heinrich VIII hatte", "Heinrich VIII. hatte"),
        ("It was Henry VIII.", "Es war Henry VIII.", "Es war Henry VIII."),
        ("George V, king", "George V, König", "George V., König"),
        ("Rocky III is out", "Rocky III ist da", "Rocky III ist da"),
        ("Karl is here", "Karl V ist da", "Karl V ist da"),
    ],
)
def test_numbers_of_rulers_are_ordinals(source: str, translation: str, expected: str) -> None:
    assert follow_habits(translation, source, ("en", "de")) == expected


@pytest.mark.parametrize(
    ("translation", "source"),
    [
        ("8" * 40_000, "$8bn"),
        ("1,8" * 20_000, "8bn"),
        ("2", "1–2 " * 5_000),
        ("3 p.m., " * 1_000, "3 p.m., " * 1_000),
        ("3 p.m., " * 40, "3 p.m., " * 20_000),
    ],
)
def test_no_text_takes_long(translation: str, source: str) -> None:
    """Work that grew with the square of the length would take half a minute."""
    started = time.process_time()
    follow_habits(translation, source, ("en", "de"))
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("Er lebte um 1850.", "He lived at 1850.", "He lived around 1850."),
        ("Um 1900 lebte er.", "At the year 1900 he lived.", "Around 1900 he lived."),
        ("Um 1850 Uhr war er da.", "At 1850 he was there.", "At 1850 he was there."),
    ],
)
def test_years_are_no_times_of_day(source: str, translation: str, expected: str) -> None:
    assert follow_habits(translation, source, ("de", "en")) == expected
