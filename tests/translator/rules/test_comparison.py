"""Quantities are compared, not characters."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from translator.rules.comparison import AGREED, disagreement
from translator.rules.digits import Mention

GERMAN_ENGLISH = ("de", "en")


def shown(mentions: Sequence[Mention]) -> list[str]:
    return [mention.text for mention in mentions]


EQUAL = [
    ("Die Stadt hat 5.592.260 Einwohner.", "The city has 5,592,260 inhabitants."),
    ("Es kostet 1.200,50 $.", "It costs $1,200.50."),
    ("Es kostet 1.200,50 Dollar.", "It costs $1,200.50."),
    ("Das sind 3,5 %.", "That is 3.5 percent."),
    ("am 27.12.2020", "on 27 December 2020"),
    ("am 27.12.2020", "on 12/27/2020"),
    ("um 15.30 Uhr", "at 3:30 pm"),
    ("um 15 Uhr", "at 3 p.m."),
    ("um 3 Uhr nachmittags", "at 3 pm"),
    ("um halb vier", "at 3:30"),
    ("zwölf Eier", "12 eggs"),
    ("12 Eier", "a dozen eggs"),
    ("beide Hunde", "two dogs"),
    ("zwei Hunde", "both dogs"),
    ("der 3. Stock", "the third floor"),
    ("im 21. Jahrhundert", "in the twenty-first century"),
    ("2,5 Millionen", "2,500,000"),
    ("3 Milliarden", "3bn"),
    ("2 bis 3 Millionen", "two to three million"),
    ("eine halbe Million", "500,000"),
    ("zwei Drittel", "2/3"),
    ("die 90er Jahre", "the 1990s"),
    ("im 19. Jahrhundert", "in the 1800s"),
    ("970 Millionen US-$", "$US970 million"),
    ("das 12-jährige Mädchen", "the twelve-year-old girl"),
    ("eine Zwölfjährige", "a 12-year-old"),
    ("bei -5 Grad", "at 5 degrees below zero"),
    ("Ludwig XIV.", "Louis 14"),
    ("50 km/h", "50 kilometres an hour"),
    ("70 kg schwer", "weighs 70 kilos"),
    ("Version 3.14", "version 3.14"),
    ("zwei Wochen", "a fortnight"),
    ("Das Kind schläft.", "The child is asleep."),
    ("Sie gewannen 3:1.", "They won 3-1."),
    ("Sie gewannen 3 zu 1.", "They won 3:1."),
    ("anderthalb Stunden", "an hour and a half"),
    ("zweieinhalb Jahre", "two and a half years"),
    ("zweitausendvierundzwanzig", "2024"),
    ("im Jahr neunzehnhundertvierundachtzig", "in nineteen eighty-four"),
    ("um halb neun", "at half past eight"),
    ("um Viertel vor acht", "at 7:45"),
    ("am 31.1.", "on 31.1."),
    ("10 bis 20 Euro", "€10 to 20"),
    ("auf 20 Millionen Pfund", "to £20m"),
    ("auf 20 Mio. £", "to £20m"),
    ("auf 20m £", "to £20m"),
    ("1,2 Milliarden Dollar", "$1.2bn"),
    ("350.000 $", "$350k"),
    ("20 Millionen Euro", "20m euros"),
    ("2,5 bis 3 Mio. £", "£2.5m-£3m"),
    ("1 bis 2 Milliarden Euro", "€1-2bn"),
    ("3 Milliarden", "3 bn"),
    ("10 m lang", "10m long"),
    ("Er wiegt 180 Pfund.", "He weighs 180 lbs."),
    ("ein Sack von 5 Pfund", "a 5-lb bag"),
    ("180 lb", "180 pounds"),
    ("180 Pfund", "180 pounds"),
    ("180 Pfund", "£180"),
    ("10 Millionen Menschen", "10m people"),
    # half a day, and a minus before the currency
    ("zwischen 15 und 17 Uhr", "between 3 and 5 p.m."),
    ("zwischen 3 und 5 Uhr nachmittags", "between 3 and 5 p.m."),
    ("geöffnet von 9 bis 17 Uhr", "open 9 to 5 p.m."),
    ("Es gibt abends um 7:30 Uhr Essen.", "Dinner is at 7:30 p.m."),
    ("um 15:30 Uhr", "at 3:30 pm"),
    ("um 24 Uhr", "at midnight"),
    ("Es fiel auf -1.000 €.", "It fell to -€1,000."),
    # said otherwise
    ("zwei Drittel der Leute", "two thirds of the people"),
    ("drei Viertel der Leute", "three quarters of the people"),
    ("zwei Drittel der Leute", "2/3 of the people"),
    ("fünfzehn Minuten", "a quarter of an hour"),
    ("auf Platz drei", "in third place"),
    ("um halb zehn", "at half nine"),
    ("im einundzwanzigsten Jahrhundert", "in the twenty-first century"),
    ("hundertvierundvierzig Seiten", "one hundred forty-four pages"),
    ("zwei Millionen vierhunderttausend", "two million four hundred thousand"),
    ("sechshundertundfünfzigtausend", "six hundred and fifty thousand"),
    ("einhunderttausend Menschen", "one hundred thousand people"),
    ("20 000 Dollar Strafe", "a fine of USD 20 000"),
    ("im Verhältnis 2,5:1", "at a ratio of 2.5:1"),
    ("seit Version 1.0.1", "since v1.0.1"),
    ("500 m2 Fläche", "an area of 500 m²"),
    ("zehn Tonnen CO2", "ten tonnes of CO₂"),
    ("von 25 auf 55 Mrd.", "from 25 billion to 55 billion"),
    ("24 Stunden am Tag", "24hr a day"),
    ("3¾ Prozent", "3 3/4 percent"),
    ("zweieinhalb Tassen", "2½ cups"),
    ("um halb drei", "around two thirty"),
    ("um zwei Uhr dreißig", "at 2:30"),
    ("um 21:00 Uhr heute Abend", "at 9:00 tonight"),
    ("um 12 Uhr nachts", "at midnight"),
    # equal times
    ("in 14 Tagen", "in two weeks"),
    ("vor zwei Jahrtausenden", "two thousand years ago"),
    ("nach fünfzig Jahren", "after half a century"),
    ("seit eineinhalb Jahren", "for eighteen months"),
    ("2,5 Tassen", "two and a half cups"),
    ("1985-87", "1985-1987"),
    # months
    ("Am 3. Februar 2024", "On 3 February 2024"),
    ("am 3. Feb. 2024", "on February 3rd, 2024"),
    ("am 5. Sept.", "on the 5th of September"),
    ("am 3.2.2024", "on 3 February 2024"),
    ("am 3.2.2024, nicht im Mai 2024", "on 3 February 2024, not in May 2024"),
    ("im Februar und März 2024", "in February 2024 and March"),
    ("Am 3. Februar marschierten 20 Leute.", "On 3 February, 20 people were on the march."),
    ("Am 3. Februar darf es 5 Grad haben.", "On 3 February it may 5 degrees."),
    ("Jan hat am 3. Mai 2 Äpfel.", "Jan has 2 apples on 3 May."),
    # the same order
    ("Es stand 51,2 zu 48,8 Prozent.", "It was 51.2–48.8 percent."),
    ("Mit 206 zu 227 Stimmen abgelehnt.", "Rejected by 227 to 206."),
    ("um 15:30 oder 30:15", "at 15:30 or 30:15"),
    ("von 30 auf 40", "to 40 from 30"),
    ("5 bis 7, 7 bis 5", "7 to 5, 5 and 7"),
    ("ohne Zahlen", "no numbers"),
    ("Alter: 12", "age: 12"),
]

DIFFERENT = [
    ("Das kostet Fr. 107.00.", "That costs Fr. 107,0.", "107.00"),
    ("Das kostet Fr. 107,00.", "That costs Fr. 107.000.", "107,00"),
    ("Die Stadt hat 5.592.260 Einwohner.", "The city has 5,59260 inhabitants.", "5.592.260"),
    ("Die Stadt hat 5.592 Einwohner.", "The city has 5.592 inhabitants.", "5.592"),
    ("Das kostet 1.200,50 $ im Jahr.", "This will cost $200.50 in the year.", "1.200,50"),
    ("bis zum 27.12.2020 zu zahlen", "to pay up to 27,12,20", "27.12.2020"),
    ("um 15 Uhr", "at 5 pm", "15 Uhr"),
    ("um 3 Uhr", "at 3 pm", "3 Uhr"),
    ("um 15 Uhr", "at three o'clock", "15 Uhr"),
    ("1,3 Milliarden Euro", "1.3 million euros", "1,3 Milliarden"),
    ("5 Billionen Euro", "5 billion euros", "5 Billionen"),
    ("Es kostet 5 $.", "It costs 5 €.", "5"),
    ("Das sind 5 %.", "That is 5.", "5"),
    ("50 km weiter", "50 miles further", "50"),
    ("bei -5 Grad", "at 5 degrees", "5"),
    ("zwölf Eier", "two eggs", "zwölf"),
    ("achtundfünfzig Kinder", "eighty-five children", "achtundfünfzig"),
    ("achtundfünfzig Kinder", "some children", "achtundfünfzig"),
    ("am 3. Mai", "in May", "3"),
    ("Version 3.14", "version 3,14", "3.14"),
    ("Konto 0815", "account 815", "0815"),
    ("neunundneunzig Kinder", "ninety-ninth children", "neunundneunzig"),
    ("Seiten 13–455", "pages 13:455", "13"),
    ("um 21.20 Uhr", "at 21st20", "21.20 Uhr"),
    ("anderthalb Stunden", "half an hour", "anderthalb"),
    ("Das Kind ist zweieinhalb.", "The child is two.", "zweieinhalb"),
    ("Mai zweitausendvierundzwanzig", "May", "zweitausendvierundzwanzig"),
    ("neunzehnhundertvierundachtzig", "1948", "neunzehnhundertvierundachtzig"),
    ("eine Dreiviertelstunde", "a triple hour", "Dreiviertelstunde"),
    ("12 Stück à 4,99 €", "€12 pieces à 4.99", "4,99"),
    ("auf 20 £", "to £20m", "20"),
    ("3 $", "$3bn", "3"),
    ("350 $", "$350k", "350"),
    ("15 €", "€15m", "15"),
    ("20 Euro", "20m euros", "20"),
    ("3 $", "$3 m", "3"),
    ("180 £", "180 lbs", "180"),
    ("3 Menschen", "3bn people", "3"),
]

UNEQUAL = [
    # half a day, and a minus before the currency
    ("zwischen 3 und 17 Uhr", "between 3 and 5 p.m."),
    ("Das Abendessen ist um 7:30 Uhr.", "Dinner is at 7:30 p.m."),
    ("um 3:30 Uhr", "at 3:30 pm"),
    ("Es fiel auf 1.000 €.", "It fell to -€1,000."),
    ("Es fiel auf 5 €.", "It fell to €-5."),
    # said otherwise
    ("zwei Drittel der Leute", "three quarters of the people"),
    ("der dritte Mann", "the fourth man"),
    ("um halb neun", "at half nine"),
    ("im einundzwanzigsten Jahrhundert", "in the twenty-second century"),
    ("hundertvierundvierzig Seiten", "one hundred forty-five pages"),
    ("20 000 Dollar Strafe", "a fine of USD 2 000"),
    ("im Verhältnis 2,5:1", "at a ratio of 2.6:1"),
    ("seit Version 1.0.1", "since v1.0.2"),
    ("3¾ Prozent", "3 1/4 percent"),
    ("zweieinhalb Tassen", "3½ cups"),
    ("10³ Teilchen", "10 particles"),
    ("um zwei Uhr dreißig", "at 2:15"),
    ("um 18:30 Uhr", "at 6:30"),
    ("um 12 Uhr mittags", "at 12 a.m."),
    ("um 3 Uhr nachmittags", "at 3 a.m."),
    # equal times
    ("in 14 Tagen", "in three weeks"),
    ("in 15 Tagen", "in two weeks"),
    ("nach 14 Jahren", "after two weeks"),
    ("seit eineinhalb Jahren", "for nineteen months"),
    ("3,5 Tassen", "two and a half cups"),
    ("1985-87", "1985-1988"),
    # an ordinal is no measure
    ("Die Tour am 4. Juni ist 4h lang.", "On June 4 the tour is 4th long."),
    ("Am 20. Mai kamen 20t Kohle an.", "On 20 May, 20th coal arrived."),
    ("Der 30. Lauf dauerte 30s.", "The 30th run took 30th."),
    ("auf der 3. Etage", "on the 3h floor"),
    ("Alter: 12", "Age: 12 hours"),
    # pounds
    ("180 Alben", "180 lbs"),
    ("180 Kilo", "180 lbs"),
    # the value of a field is no time
    ("Alter: 12 Uhr", "age: 12"),
    ("Alter: 12 kg", "age: 12"),
    ("12 Euro alt", "age: 12"),
]


@pytest.mark.parametrize(("german", "english"), EQUAL)
def test_what_counts_as_equal(german: str, english: str) -> None:
    assert disagreement(german, english, GERMAN_ENGLISH) == AGREED
    assert disagreement(english, german, ("en", "de")) == AGREED


@pytest.mark.parametrize(("german", "english", "missing"), DIFFERENT)
def test_what_does_not(german: str, english: str, missing: str) -> None:
    found = disagreement(german, english, GERMAN_ENGLISH)
    assert missing in shown(found.missing)
    assert disagreement(english, german, ("en", "de")) != AGREED


@pytest.mark.parametrize(("german", "english"), UNEQUAL)
def test_what_is_another_number(german: str, english: str) -> None:
    assert disagreement(german, english, GERMAN_ENGLISH) != AGREED
    assert disagreement(english, german, ("en", "de")) != AGREED


def test_a_year_may_be_filled_up_but_not_cut() -> None:
    assert disagreement("am 27.12.20", "on December 27, 2020", GERMAN_ENGLISH) == AGREED
    assert disagreement("am 27.12.1919", "on 12/27/19", GERMAN_ENGLISH) != AGREED


def test_a_winner_and_a_loser_have_one_score() -> None:
    for german, english in (
        ("HSV schlägt Gladbach 1:0", "Hamburg SV 1, Gladbach 0"),
        ("Bayern verlor 1:3.", "Bayern lost 3-1."),  # English has the winner's score first
    ):
        assert disagreement(german, english, GERMAN_ENGLISH) == AGREED


def test_a_number_that_only_the_translation_has_is_told() -> None:
    found = disagreement("Es regnet.", "It has rained since 2013.", GERMAN_ENGLISH)
    assert shown(found.added) == ["2013"]
    assert found.missing == ()


def test_each_number_has_a_partner_of_its_own() -> None:
    found = disagreement("5 von 5 Äpfeln", "5 apples", GERMAN_ENGLISH)
    assert [mention.start for mention in found.missing] == [6]


def test_where_number_words_are_not_known_small_numbers_may_be_spelled_out() -> None:
    assert disagreement("12 eggs", "douze œufs", ("en", "fr")) == AGREED
    assert disagreement("in 1987", "en 1978", ("en", "fr")) != AGREED
    assert disagreement("1,200.50 m", "1\u202f200,50 m", ("en", "fr")) == AGREED


def test_numbers_may_be_of_any_size() -> None:
    scales = "million " * 5
    one, two = f"3 {scales}- 4 {scales}", f"4 {scales}- 3 {scales}"
    assert disagreement(one, one, ("en", "de")) == AGREED
    assert shown(disagreement(one, two, ("en", "en")).missing) == [one.split(" -")[0]]
    many = "9" * 5000
    assert disagreement(f"{many}-87", f"{many}-87", GERMAN_ENGLISH) == AGREED
    assert shown(disagreement(f"{many}-87", many, GERMAN_ENGLISH).missing) == ["87"]


def test_what_is_wrong_in_one_direction_only() -> None:
    pages = disagreement("Pages 11-62 are missing.", "Die Seiten 11:62 fehlen.", ("en", "de"))
    assert shown(pages.missing) == ["11", "62"]
    assert disagreement("They won 3-1.", "Sie gewannen 3:1.", ("en", "de")) == AGREED
    for wrong in ("pages 11:62", "pages 11.62"):
        found = disagreement("Seiten 11–62", wrong, GERMAN_ENGLISH)
        assert shown(found.missing) == ["11", "62"]
    invented = disagreement("sein 33. Tor", "his 33d goal", GERMAN_ENGLISH)
    assert shown(invented.missing) == ["33"]
    day = disagreement("bis zum 31.1.", "until 31,1", GERMAN_ENGLISH)
    assert shown(day.missing) == ["31.1"]
    time = disagreement("um halb neun", "at half nine", GERMAN_ENGLISH)
    assert shown(time.missing) == ["halb neun"]
    evening = disagreement("um halb elf abends", "at 10:30 am in the evening", GERMAN_ENGLISH)
    assert shown(evening.missing) == ["halb elf"]
    afternoon = disagreement("at 2:30 pm", "um halb drei pm", ("en", "de"))
    assert shown(afternoon.missing) == ["2:30 pm"]


def test_the_day_of_a_month_does_not_say_a_half() -> None:
    source, target = "a two-for-one split on April 30", "eine zweieinhalb Spaltung am 30. April"
    assert shown(disagreement(source, target, ("en", "de")).added) == ["zweieinhalb"]


KINDS = {
    "ordinal": (["am {}. Tag der Reise", "der {}. Lauf war"], ["the {}th run", "on the {}th day"]),
    "hours": (["dauert {}h lang", "dauert {} Stunden"], ["takes {}h", "takes {} hours"]),
    "clock": (["um {} Uhr", "ab {} Uhr"], ["at {} a.m.", "from {} a.m. on"]),
    "money": (["kostet {} €", "für {} Euro"], ["costs €{}", "for {} euros"]),
    "weight": (["wiegt {}t", "wiegt {} Tonnen"], ["weighs {}t", "weighs {} tonnes"]),
    "place": (["steht auf Seite {}", "in Kapitel {}"], ["is on page {}", "in chapter {}"]),
}
"""By kind, how both languages say a number of it; any two of the same kind are translations."""

OPPOSED = [(one, other) for one in KINDS for other in KINDS if other not in (one, "place")]
ALIKE = {("place", "ordinal")}
"""The page 3 may be the third page."""


@given(number=st.integers(4, 11), data=st.data())
def test_the_same_digits_of_another_kind_are_another_number(
    number: int, data: st.DataObject
) -> None:
    german_kind, english_kind = data.draw(st.sampled_from(OPPOSED))
    german = data.draw(st.sampled_from(KINDS[german_kind][0])).format(number)
    twin = data.draw(st.sampled_from(KINDS[german_kind][1])).format(number)
    other = data.draw(st.sampled_from(KINDS[english_kind][1])).format(number)
    for source, target, pair in ((german, twin, ("de", "en")), (twin, german, ("en", "de"))):
        assert disagreement(source, target, pair) == AGREED, (source, target)
    if (german_kind, english_kind) not in ALIKE:
        for source, target, pair in ((german, other, ("de", "en")), (other, german, ("en", "de"))):
            assert disagreement(source, target, pair) != AGREED, (source, target)


def test_a_language_without_words_for_times_has_years_only() -> None:
    assert disagreement("1985-87 ans", "1985-1987 years", ("fr", "en")) == AGREED
    assert disagreement("1985-87 ans", "1985-1988 years", ("fr", "en")) != AGREED


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Es stand 51,2 zu 48,8 Prozent.", "It was 48.8 to 51.2 percent."),
        ("Die Chancen stehen 100 zu 1.", "The odds are 1 to 100."),
        ("Das Verhältnis ist 1:3.", "The ratio is 3:1."),
        ("Das Verhältnis ist 1:3.", "The ratio is 3 to 1."),
        ("die Seiten 5–7", "pages 7–5"),
        ("Wir verloren mit 51,2 zu 48,8 Prozent.", "We lost by 48.8 to 51.2 percent."),
    ],
)
def test_two_numbers_in_the_other_order_are_told(german: str, english: str) -> None:
    found = disagreement(german, english, GERMAN_ENGLISH)
    assert (len(found.missing), len(found.added)) == (1, 1)


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
    assert shown(found.missing) == missing
    assert disagreement(english, german, ("en", "de")) != AGREED


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


@pytest.mark.parametrize(
    ("german", "english", "expected"),
    [
        ("Es hat -5 Grad.", "It is 5 degrees.", ["5"]),
        ("Es hat −5 Grad.", "It is −5 degrees.", []),
        ("Es hat minus 5 Grad.", "It is 5 degrees below zero.", []),
        ("12 Stück à 4,99 €", "€12 pieces at 4.99", ["4,99"]),
        ("3,2 Mrd. Euro", "3.2 billion", ["3,2 Mrd."]),
    ],
)
def test_the_minus_and_the_unit_must_be_there(
    german: str, english: str, expected: list[str]
) -> None:
    assert shown(disagreement(german, english, GERMAN_ENGLISH).missing) == expected


@pytest.mark.parametrize(
    ("languages", "source", "translation", "missing"),
    [
        ("de-en", "Es steht 829 zu 2.", "It is 829 too 2.", "829"),
        ("de-en", "51,2 zu 48,8 Prozent", "51.2 on 48.8 percent", "51,2"),
        ("de-en", "Es steht 829 zu 2.", "It is 829 to 2.", ""),
        ("de-en", "Es steht 829 zu 2.", "It is 829:2.", ""),
        ("en-de", "by 78.1 to 21.9 percent", "um 78,1 auf 21,9 Prozent", "78.1"),
        ("en-de", "The odds are 100 to 1.", "Die Chancen sind 100 bis 1.", "100"),
        ("en-de", "78.1 to 90 percent", "78,1 bis 90 Prozent", ""),
        ("en-de", "fell from 100 to 1", "fiel von 100 auf 1", ""),
    ],
)
def test_a_ratio_must_stay_one(languages: str, source: str, translation: str, missing: str) -> None:
    one, two = languages.split("-")
    found = disagreement(source, translation, (one, two)).missing
    assert shown(found) == ([missing] if missing else [])
