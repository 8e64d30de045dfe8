"""Times of day, in digits and in words."""

from __future__ import annotations

import re

import pytest

from translator.text.numbers.clock import clock_readings, clocks_in_words, times_as_read


def times(text: str, language: str) -> set[str]:
    digits = re.search(r"[0-9]+(?:[:.][0-9]+)?", text)
    assert digits
    found = clock_readings(text, *digits.span(), language)
    return {str(reading[0]) for reading in found[0] if len(reading) == 1} if found else set()


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("at 3:30 pm", "en", {"15:30"}),
        ("at 3 p.m. sharp", "en", {"15:00"}),
        ("at 12 am", "en", {"0:00"}),
        ("at 12 pm", "en", {"12:00"}),
        ("at 3 o'clock", "en", {"3:00", "15:00", "3"}),
        ("at 3 o'clock in the afternoon", "en", {"15:00", "3"}),
        ("um 15.30 Uhr", "de", {"15:30"}),
        ("um 15 Uhr 30", "de", {"15:30"}),
        ("um 3 Uhr nachmittags", "de", {"15:00", "3"}),
        ("um 3 Uhr nachts", "de", {"3:00", "3"}),
        ("um 11 Uhr nachts", "de", {"23:00", "11"}),
        ("um 12 Uhr mittags", "de", {"12:00", "12"}),
        ("um 12 Uhr nachts", "de", {"0:00", "12"}),
        ("at 12 o'clock at night", "en", {"0:00", "12"}),
        ("um 1 Uhr mittags", "de", {"13:00", "1"}),
        ("um 6 Uhr morgens", "de", {"6:00", "6"}),
        ("um 3 Uhr", "de", {"3:00", "3"}),
        ("um 15:30 los", "de", {"15:30"}),
        ("die 15.30", "de", set()),
        ("die 99 Uhr", "de", set()),
    ],
)
def test_times_in_digits(text: str, language: str, expected: set[str]) -> None:
    assert times(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("um halb vier", "de", "3:30"),
        ("um halb eins", "de", "12:30"),
        ("um halb eins nachts", "de", "0:30"),
        ("um viertel neun", "de", "8:15"),
        ("drei viertel neun", "de", "8:45"),
        ("fünf nach halb drei", "de", "2:35"),
        ("It's half nine", "en", "9:30"),
        ("at six forty", "en", "6:40"),
        ("Viertel nach drei", "de", "3:15"),
        ("um zehn Uhr", "de", "10:00"),
        ("half past three", "en", "3:30"),
        ("a quarter to nine", "en", "8:45"),
        ("at ten o'clock", "en", "10:00"),
    ],
)
def test_times_in_words(text: str, language: str, expected: str) -> None:
    [(start, end, readings)] = clocks_in_words(text, language)
    assert 0 <= start < end <= len(text)
    assert (expected,) in readings


def test_what_is_no_hour_is_no_time() -> None:
    assert clocks_in_words("halb fertig, half past it", "de") == ()
    assert clocks_in_words("half past it", "en") == clocks_in_words("six heures", "fr") == ()


@pytest.mark.parametrize("name", ["²", "⑥", "9" * 5_000])
def test_digits_that_are_no_hour_are_no_time(name: str) -> None:
    assert clocks_in_words(f"um halb {name}", "de") == ()
    assert clocks_in_words(f"at half past {name}", "en") == ()


@pytest.mark.parametrize(
    ("text", "language", "read"),
    [
        ("Call me between 3 and 5 p.m.", "en", "Call me between 3 pm and 5 pm."),
        ("Come 2–4 p.m. on Monday.", "en", "Come 2 pm to 4 pm on Monday."),
        ("open from 6 to 7:30 PM today", "en", "open from 6 pm to 7:30 pm today"),
        ("from 12 to 2 p.m. daily", "en", "from 12 pm to 2 pm daily"),
        ("open from 9 to 5 p.m. daily", "en", "open from 9 to 5 p.m. daily"),
        ("open from 9 to 11 a.m. daily", "en", "open from 9 to 11 a.m. daily"),
        ("It costs $3 to 5 p.m. daily", "en", "It costs $3 to 5 p.m. daily"),
        ("The shop closes at 9 p.m.", "en", "The shop closes at 9 pm."),
        ("It left at 6 a.m. We missed it.", "en", "It left at 6 am. We missed it."),
        ("We met at 6 p.m. Monday night.", "en", "We met at 6 p.m. Monday night."),
        ("Opening: 9 p.m.", "en", "Opening: 9 pm"),
        ("It starts at 7.30. Tuesday, 8.15", "en", "It starts at 7:30. Tuesday, 8:15"),
        ("He left at 6.45 on Monday.", "en", "He left at 6:45 on Monday."),
        ("It starts at 7.50 euros, at 1.00 each", "en", "It starts at 7.50 euros, at 1.00 each"),
        ("Shift: 10 p.m. to 6 a.m.", "en", "Shift: 10 pm until 6 am"),
        ("She left 9 p.m.", "en", "She left 9 pm."),
        ("Back by 9 p.m.", "en", "Back by 9 pm."),
        ("It's 9 p.m.", "en", "It's 9 p.m."),
        ("Wir essen gegen 19 Uhr 30.", "de", "Wir essen um etwa 19:30 Uhr."),
        ("Um 19 Uhr 30 Gäste", "de", "Um 19 Uhr 30 Gäste"),
        ("Von 22 bis 6 Uhr ist Ruhe.", "de", "Von 22:00 bis 6:00 Uhr ist Ruhe."),
        ("Von 8 bis 16 Uhr", "de", "Von 8:00 bis 16:00 Uhr"),
        ("Von 8 bis 11 Uhr", "de", "Von 8 bis 11 Uhr"),
        ("für 18 bis 21.30 Uhr", "de", "für 18:00 bis 21:30 Uhr"),
        ("Office hours: 9 a.m.–5 p.m.", "en", "Office hours: 9 am – 5 pm"),
        ("It starts at 7 p.m. local time.", "en", "It starts at 7 pm local time."),
        ("Die Probe ist am Freitag, 19 Uhr.", "de", "Die Probe ist am Freitag, 19:00 Uhr."),
        ("am 3. Mai, 9 Uhr, und um 9 Uhr", "de", "am 3. Mai, 9:00 Uhr, und um 9 Uhr"),
        ("Geöffnet 8.30–17.00 Uhr", "de", "Geöffnet 8:30–17:00 Uhr"),
        ("Von 8.30 bis 17.00 Uhr", "de", "Von 8:30 bis 17:00 Uhr"),
        ("1.25–3.50 Euro", "de", "1.25–3.50 Euro"),
        ("Geöffnet 9–18 Uhr", "de", "Geöffnet 9:00–18:00 Uhr"),
        ("Er fährt um 7.05 Uhr.", "de", "Er fährt um 7:05 Uhr."),
        ("Gegen 15 Uhr, 1.15 Uhren", "de", "Um etwa 15:00 Uhr, 1.15 Uhren"),
        ("Er kam gegen 3 Uhr.", "de", "Er kam um etwa 3 Uhr."),
        ("Wir essen gegen sieben.", "de", "Wir essen um etwa sieben Uhr."),
        ("gegen eins oder gegen ein Uhr", "de", "um etwa ein Uhr oder um etwa ein Uhr"),
        ("gegen halb vier, gegen viertel neun", "de", "um etwa 3:30, um etwa 8:15"),
        ("Es geht bis gegen Mitternacht.", "de", "Es geht bis etwa Mitternacht."),
        ("Sie stimmten gegen zwei.", "de", "Sie stimmten gegen zwei."),
        ("Drei gegen sieben.", "de", "Drei gegen sieben."),
        ("Er ist gegen zwei Gesetze.", "de", "Er ist gegen zwei Gesetze."),
        ("Der Bus kommt um 5 nach 6.", "de", "Der Bus kommt um 6:05 Uhr."),
        ("Ich rufe um 10 nach neun an.", "de", "Ich rufe um 9:10 Uhr an."),
        ("Es ist jetzt 25 nach 4 Uhr.", "de", "Es ist jetzt 4:25 Uhr."),
        ("Es war kurz nach drei, als er ging.", "de", "Es war ein wenig nach drei, als er ging."),
        ("Er bleibt bis kurz nach halb acht.", "de", "Er bleibt bis ein wenig nach 7:30."),
        ("Er war kurz nach drei Siegen da.", "de", "Er war kurz nach drei Siegen da."),
        ("Er stieg um 5 nach 6 im Mai.", "de", "Er stieg um 5 nach 6 im Mai."),
        ("Der Kurs stieg um 5 nach 6.", "de", "Der Kurs stieg um 5 nach 6."),
        ("Wir essen um halb eins.", "de", "Wir essen um 12:30."),
        ("Um halb eins nachts kam er.", "de", "Um 0:30 nachts kam er."),
        ("Es ist halb neun abends.", "de", "Es ist 20:30."),
        ("um halb vier am Nachmittag", "de", "um 15:30"),
        ("Es ist fünf vor halb drei.", "de", "Es ist 2:25."),
        ("um viertel neun, dreiviertel acht", "de", "um 8:15, 7:45"),
        (
            "Das Glas ist halb voll, um viertel Liter.",
            "de",
            "Das Glas ist halb voll, um viertel Liter.",
        ),
        ("It's ten to six.", "en", "It's ten before six."),
        ("at twenty minutes to one when", "en", "at twenty minutes before one when"),
        ("It's five to six hours away.", "en", "It's five to six hours away."),
        ("It's ten to one he will come.", "en", "It's ten to one he will come."),
        ("It's half nine.", "en", "It's half past nine."),
        ("Let's meet at eight thirty.", "en", "Let's meet at 8:30."),
        ("It left at six forty-five sharp.", "en", "It left at 6:45 sharp."),
        (
            "at six thirty-year-olds, at seven fifty people",
            "en",
            "at six thirty-year-olds, at seven fifty people",
        ),
        ("um 24 Uhr war Schluss", "de", "um Mitternacht war Schluss"),
        ("Entre 3 et 5 p.m.", "fr", "Entre 3 et 5 p.m."),
    ],
)
def test_a_model_reads_times_that_say_all(text: str, language: str, read: str) -> None:
    assert times_as_read(text, language) == read


def test_midnight_is_a_time() -> None:
    assert clocks_in_words("um Mitternacht", "de") == ((3, 14, (("0:00",),)),)
    assert clocks_in_words("at midnight", "en") == ((3, 11, (("0:00",),)),)
