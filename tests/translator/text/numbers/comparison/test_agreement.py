"""Quantities are compared, not characters."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translator.text.numbers.comparison.agreement import AGREED, compare, disagreement, shown
from translator.text.numbers.mentions import mentions_in

GERMAN_ENGLISH = ("de", "en")

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
]

DIFFERENT = [
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


@pytest.mark.parametrize(("german", "english"), EQUAL)
def test_what_counts_as_equal(german: str, english: str) -> None:
    assert disagreement(german, english, GERMAN_ENGLISH) == AGREED
    assert disagreement(english, german, ("en", "de")) == AGREED


@pytest.mark.parametrize(("german", "english", "missing"), DIFFERENT)
def test_what_does_not(german: str, english: str, missing: str) -> None:
    found = disagreement(german, english, GERMAN_ENGLISH)
    assert missing in [mention.text for mention in found.missing]
    assert disagreement(english, german, ("en", "de")) != AGREED


def test_a_number_that_only_the_translation_has_is_told() -> None:
    found = disagreement("Es regnet.", "It has rained since 2013.", GERMAN_ENGLISH)
    assert [mention.text for mention in found.added] == ["2013"]
    assert found.missing == ()


@pytest.mark.parametrize("german", ["180 Alben", "180 Kilo"])
def test_pounds_become_nothing_else(german: str) -> None:
    assert disagreement("180 lbs", german, ("en", "de")) != AGREED
    assert disagreement(german, "180 lbs", GERMAN_ENGLISH) != AGREED


def test_each_number_has_a_partner_of_its_own() -> None:
    found = disagreement("5 von 5 Äpfeln", "5 apples", GERMAN_ENGLISH)
    assert [mention.start for mention in found.missing] == [6]


def test_a_year_may_be_filled_up_but_not_cut() -> None:
    assert disagreement("am 27.12.20", "on December 27, 2020", GERMAN_ENGLISH) == AGREED
    assert disagreement("am 27.12.1919", "on 12/27/19", GERMAN_ENGLISH) != AGREED


def test_afternoon_may_not_be_lost() -> None:
    assert disagreement("at 3:30 pm", "um 3:30 Uhr", ("en", "de")) != AGREED
    assert disagreement("at 3:30 pm", "um 15:30 Uhr", ("en", "de")) == AGREED


def test_where_number_words_are_not_known_small_numbers_may_be_spelled_out() -> None:
    assert disagreement("12 eggs", "douze œufs", ("en", "fr")) == AGREED
    assert disagreement("in 1987", "en 1978", ("en", "fr")) != AGREED
    assert disagreement("1,200.50 m", "1\u202f200,50 m", ("en", "fr")) == AGREED


def test_mentions_can_be_compared_by_themselves() -> None:
    one, other = mentions_in("5", "de"), mentions_in("6", "en")
    assert compare(one, one, GERMAN_ENGLISH) == AGREED
    assert compare(one, other, GERMAN_ENGLISH) == ((one[0],), (other[0],))


def test_what_is_wrong_in_one_direction_only() -> None:
    pages = disagreement("Pages 11-62 are missing.", "Die Seiten 11:62 fehlen.", ("en", "de"))
    assert [mention.text for mention in pages.missing] == ["11", "62"]
    assert disagreement("They won 3-1.", "Sie gewannen 3:1.", ("en", "de")) == AGREED
    for wrong in ("pages 11:62", "pages 11.62"):
        found = disagreement("Seiten 11–62", wrong, GERMAN_ENGLISH)
        assert [mention.text for mention in found.missing] == ["11", "62"]
    invented = disagreement("sein 33. Tor", "his 33d goal", GERMAN_ENGLISH)
    assert [mention.text for mention in invented.missing] == ["33"]
    day = disagreement("bis zum 31.1.", "until 31,1", GERMAN_ENGLISH)
    assert [mention.text for mention in day.missing] == ["31.1"]
    time = disagreement("um halb neun", "at half nine", GERMAN_ENGLISH)
    assert [mention.text for mention in time.missing] == ["halb neun"]
    evening = disagreement("um halb elf abends", "at 10:30 am in the evening", GERMAN_ENGLISH)
    assert [mention.text for mention in evening.missing] == ["halb elf"]
    afternoon = disagreement("at 2:30 pm", "um halb drei pm", ("en", "de"))
    assert [mention.text for mention in afternoon.missing] == ["2:30 pm"]


@pytest.mark.parametrize(
    ("german", "english", "is_right"),
    [
        ("zwei Drittel der Leute", "three quarters of the people", False),
        ("zwei Drittel der Leute", "two thirds of the people", True),
        ("drei Viertel der Leute", "three quarters of the people", True),
        ("zwei Drittel der Leute", "2/3 of the people", True),
        ("fünfzehn Minuten", "a quarter of an hour", True),
        ("der dritte Mann", "the fourth man", False),
        ("auf Platz drei", "in third place", True),
        ("um halb neun", "at half nine", False),
        ("um halb zehn", "at half nine", True),
        ("im einundzwanzigsten Jahrhundert", "in the twenty-first century", True),
        ("im einundzwanzigsten Jahrhundert", "in the twenty-second century", False),
        ("hundertvierundvierzig Seiten", "one hundred forty-four pages", True),
        ("hundertvierundvierzig Seiten", "one hundred forty-five pages", False),
        ("zwei Millionen vierhunderttausend", "two million four hundred thousand", True),
        ("sechshundertundfünfzigtausend", "six hundred and fifty thousand", True),
        ("einhunderttausend Menschen", "one hundred thousand people", True),
        ("20 000 Dollar Strafe", "a fine of USD 20 000", True),
        ("20 000 Dollar Strafe", "a fine of USD 2 000", False),
        ("HSV schlägt Gladbach 1:0", "Hamburg SV 1, Gladbach 0", True),
        ("im Verhältnis 2,5:1", "at a ratio of 2.5:1", True),
        ("im Verhältnis 2,5:1", "at a ratio of 2.6:1", False),
        ("seit Version 1.0.1", "since v1.0.1", True),
        ("seit Version 1.0.1", "since v1.0.2", False),
        ("500 m2 Fläche", "an area of 500 m²", True),
        ("zehn Tonnen CO2", "ten tonnes of CO₂", True),
        ("von 25 auf 55 Mrd.", "from 25 billion to 55 billion", True),
        ("24 Stunden am Tag", "24hr a day", True),
        ("3¾ Prozent", "3 3/4 percent", True),
        ("3¾ Prozent", "3 1/4 percent", False),
        ("zweieinhalb Tassen", "2½ cups", True),
        ("zweieinhalb Tassen", "3½ cups", False),
        ("10³ Teilchen", "10 particles", False),
        ("um halb drei", "around two thirty", True),
        ("um zwei Uhr dreißig", "at 2:30", True),
        ("um zwei Uhr dreißig", "at 2:15", False),
        ("um 21:00 Uhr heute Abend", "at 9:00 tonight", True),
        ("um 18:30 Uhr", "at 6:30", False),
        ("um 12 Uhr mittags", "at 12 a.m.", False),
        ("um 12 Uhr nachts", "at midnight", True),
        ("um 3 Uhr nachmittags", "at 3 a.m.", False),
    ],
)
def test_what_is_said_otherwise_is_equal(german: str, english: str, is_right: bool) -> None:
    assert (disagreement(german, english, ("de", "en")) == AGREED) is is_right, (german, english)


def test_the_day_of_a_month_does_not_say_a_half() -> None:
    source, target = "a two-for-one split on April 30", "eine zweieinhalb Spaltung am 30. April"
    assert shown(disagreement(source, target, ("en", "de")).added) == ("zweieinhalb",)


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


@settings(max_examples=400, deadline=None)
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


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Die Tour am 4. Juni ist 4h lang.", "On June 4 the tour is 4th long."),
        ("Am 20. Mai kamen 20t Kohle an.", "On 20 May, 20th coal arrived."),
        ("Der 30. Lauf dauerte 30s.", "The 30th run took 30th."),
        ("auf der 3. Etage", "on the 3h floor"),
        ("Alter: 12", "Age: 12 hours"),
    ],
)
def test_an_ordinal_agrees_with_no_measure(source: str, target: str) -> None:
    assert disagreement(source, target, GERMAN_ENGLISH) != AGREED


def test_the_value_of_a_field_is_no_time() -> None:
    for wrong in ("Alter: 12 Uhr", "Alter: 12 kg", "12 Euro alt"):
        assert disagreement("age: 12", wrong, ("en", "de")) != AGREED
    assert disagreement("age: 12", "Alter: 12", ("en", "de")) == AGREED
