"""Days, weekdays and months as a model reads them."""

from __future__ import annotations

import pytest

from translator.text.numbers.days import days_as_read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The sale lasts from May 1-7.", "The sale lasts from 1 to 7 May."),
        ("From April 1st–15th, 2024, it rains", "From 1 to 15 April 2024, it rains"),
        ("The fair is on June 3–5.", "The fair is from 3 to 5 June."),
        ("On October 5-6 we are away.", "On 5 and 6 October we are away."),
        ("between May 1–7", "between 1 and 7 May"),
        ("It is held March 10-14.", "It is held from 10 to 14 March."),
        ("We were there May 5 to 7.", "We were there from 5 to 7 May."),
        ("Delivery: Nov 5–7", "Delivery: from 5 to 7 November"),
        ("Jan. 5–7", "5–7 January"),
        ("Aries (21 March–20 April)", "Aries (21 March to 20 April)"),
        ("Leo (July 23 – August 22) is", "Leo (23 July to 22 August) is"),
        ("It ends on May 5 to 30% less", "It ends on May 5 to 30% less"),
        ("the June 3–5 meeting", "the June 3–5 meeting"),
        ("open from May 5-7 p.m.", "open from May 5-7 p.m."),
        ("open from May 30–June 5.", "open from May 30 to June 5."),
        ("from 30 May–5 June 2024", "from May 30 to June 5, 2024"),
        ("between May 30–June 5", "between May 30 and June 5"),
        ("June 30–July 2", "June 30 – July 2"),
        ("The trip is June 28–July 3.", "The trip is from June 28 to July 3."),
        ("July 30 to August 5", "July 30 – August 5"),
        ("It runs July 30 to August 5", "It runs from July 30 to August 5"),
        ("We rest July 30 to August 5", "We rest July 30 to August 5"),
        ("Dec. 28, 2024–Jan. 3, 2025", "December 28, 2024 – January 3, 2025"),
        ("from Dec 28, 2024–Jan 3, 2025", "from 28 December 2024 to 3 January 2025"),
    ],
)
def test_ranges_of_days_have_their_months(text: str, read: str) -> None:
    assert days_as_read(text, "en") == read


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "Tue 5 Nov", "Tuesday 5 November"),
        ("en", "On 12 Nov. we leave.", "On 12 November we leave."),
        ("en", "It ends on 31 Oct.", "It ends on 31 October."),
        ("en", "the invoice of Nov 12, 2024", "the invoice of November 12, 2024"),
        ("en", "Joined Mar 2019", "Joined March 2019"),
        ("en", "Jan.–Mar. 2020", "January to March 2020"),
        ("en", "From Jan to Mar it is cold.", "From January to March it is cold."),
        ("en", "I met Jan and Mar Smith.", "I met Jan and Mar Smith."),
        (
            "en",
            "Open Mon–Fri and on Sat from 9 to 1.",
            "Open Monday to Friday and on Saturday from 9 to 1.",
        ),
        ("en", "Closed on Sun.", "Closed on Sunday."),
        ("en", "Mon, Wed, Fri", "Monday, Wednesday, Friday"),
        ("en", "Wed", "Wednesday"),
        (
            "en",
            "He sat on Sun Microsystems, Sat and wed.",
            "He sat on Sun Microsystems, Sat and wed.",
        ),
        ("en", "Sun", "Sun"),
        ("de", "gilt ab 1. Jan. 2024", "gilt ab 1. Januar 2024"),
        ("de", "Die Messe ist vom 3. bis 5. Feb.", "Die Messe ist vom 3. bis 5. Februar."),
        ("de", "24. Dez.", "24. Dezember"),
        ("de", "Stand: Dez. 2023", "Stand: Dezember 2023"),
        ("de", "Er heißt Jan. Er kommt.", "Er heißt Jan. Er kommt."),
        ("de", "Mo–Fr 9 Uhr", "Von Montag bis Freitag 9 Uhr"),
        ("de", "Er ist Mo.–Fr. da.", "Er ist von Montag bis Freitag da."),
        ("de", "von Okt. bis Dez. 2020", "von Oktober bis Dezember 2020"),
        ("de", "Sa/So zu, Mo u. Di auf", "Samstag / Sonntag zu, Montag und Dienstag auf"),
        (
            "de",
            "So/Mo Ruhetag, Sa + So Brunch",
            "Sonntag / Montag Ruhetag, Samstag + Sonntag Brunch",
        ),
        ("en", "Open Sat/Sun only, weds", "Open Saturday / Sunday only, weds"),
        ("en", "Weds only, Weds and Thurs", "Wednesday only, Wednesday and Thursday"),
        ("de", "Di + Do: 8 Uhr", "Dienstag + Donnerstag: 8 Uhr"),
        ("de", "Am Mo. komme ich.", "Am Montag komme ich."),
        ("de", "So. geschlossen", "Sonntag geschlossen"),
        ("de", "Do. 9–12 Uhr", "Donnerstag 9–12 Uhr"),
        ("de", "Wir öffnen Di–So.", "Wir öffnen von Dienstag bis Sonntag."),
        ("de", "So ist es, Mo und ich, am So-Platz", "So ist es, Mo und ich, am So-Platz"),
        ("de", "So, Fr. Müller kommt.", "So, Fr. Müller kommt."),
        ("en", "It runs on Sun's servers.", "It runs on Sun's servers."),
        ("fr", "Mo–Fr, 12 Nov", "Mo–Fr, 12 Nov"),
    ],
)
def test_names_of_days_and_months_are_read_in_full(language: str, text: str, read: str) -> None:
    assert days_as_read(text, language) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "Am 12.2., 13.2. und 14.2. ist frei.",
            "Am 12. Februar, 13. Februar und 14. Februar ist frei.",
        ),
        ("Mo 5 €, Di. 6,50 €, So 8 €", "Montag 5 €, Dienstag 6,50 €, Sonntag 8 €"),
        ("So 20 € kostet das, Mi am 3. nicht.", "So 20 € kostet das, Mi am 3. nicht."),
        ("am Mo., 12.2., ist frei", "am Montag, dem 12. Februar, ist frei"),
        ("Die Frist endet am 31.3.", "Die Frist endet am 31. März."),
        ("Die Fahrt vom 3.–5.6. fällt aus.", "Die Fahrt vom 3.–5. Juni fällt aus."),
        ("Ferien: 20.12.–6.1.", "Ferien: vom 20. Dezember bis 6. Januar"),
        ("Ihr Brief v. 03.04. kam.", "Ihr Brief vom 3. April kam."),
        ("am 12.2.2024", "am 12.2.2024"),
        ("siehe Abschnitt 3.2. und der 2.1. Release", "siehe Abschnitt 3.2. und der 2.1. Release"),
        ("am 40.2. und ab 3.14.", "am 40.2. und ab 3.14."),
    ],
)
def test_german_days_are_read_with_the_names_of_their_months(text: str, read: str) -> None:
    assert days_as_read(text, "de") == read
