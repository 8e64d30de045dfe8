"""Sentences with numbers of many kinds, in German and in English, each with its quantities."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable
from dataclasses import dataclass

from tests.fidelity import spelling
from tests.fidelity.spelling import Quantity

Pair = tuple[str, str]
PAIRS: tuple[Pair, Pair] = (("de", "en"), ("en", "de"))


@dataclass(frozen=True)
class Sample:
    """A sentence, and what its translation must say.

    Attributes:
        kind: of its number.
        source: language of the sentence.
        target: language wanted.
        text: the sentence.
        quantities: that it has.
        units: beside its numbers; of each, the ways to write it.
    """

    kind: str
    source: str
    target: str
    text: str
    quantities: tuple[Quantity, ...]
    units: tuple[tuple[str, ...], ...] = ()


TEMPLATES: dict[str, dict[str, list[str]]] = {
    "whole numbers": {
        "de": [
            "Die Stadt hat {} Einwohner.",
            "Im vergangenen Jahr kamen {} Besucher in das Museum.",
            "Das Unternehmen beschäftigt weltweit {} Menschen.",
            "Bei der Wahl erhielt sie {} Stimmen.",
            "Insgesamt wurden {} Fahrzeuge zurückgerufen.",
            "Die Bibliothek besitzt {} Bücher.",
        ],
        "en": [
            "The city has {} inhabitants.",
            "Last year, {} people visited the museum.",
            "The company employs {} people worldwide.",
            "She received {} votes in the election.",
            "A total of {} vehicles were recalled.",
            "The library owns {} books.",
        ],
    },
    "item numbers": {
        "de": [
            "Artikel {} ist ausverkauft.",
            "Der Zug mit der Nummer {} hat Verspätung.",
            "Bitte geben Sie den Code {} ein.",
            "Zimmer {} liegt im dritten Stock.",
            "Der Fehler {} ist schon bekannt.",
        ],
        "en": [
            "Item {} is sold out.",
            "Train number {} is delayed.",
            "Please enter the code {}.",
            "Room {} is on the third floor.",
            "Error {} is already known.",
        ],
    },
    "decimals": {
        "de": [
            "Die Strecke ist {} km lang.",
            "Die Spieler sind im Durchschnitt {} Jahre alt.",
            "Das Erdbeben hatte eine Stärke von {}.",
            "Das Paket wiegt {} kg.",
            "Er lief die Runde in {} Sekunden.",
        ],
        "en": [
            "The route is {} km long.",
            "The players are {} years old on average.",
            "The earthquake had a magnitude of {}.",
            "The parcel weighs {} kg.",
            "He ran the lap in {} seconds.",
        ],
    },
    "prices": {
        "de": [
            "Das kostet {} Euro im Jahr.",
            "Der Gesamtbetrag beläuft sich auf {} €.",
            "Sie haben uns {} € zu viel berechnet.",
            "Die Miete beträgt {} Euro im Monat.",
            "Die Reparatur hat {} Dollar gekostet.",
        ],
        "en": [
            "This costs {} euros a year.",
            "The total amount is €{}.",
            "You have charged us €{} too much.",
            "The rent is €{} a month.",
            "The repair cost {} dollars.",
        ],
    },
    "percentages": {
        "de": [
            "Die Preise sind um {} Prozent gestiegen.",
            "Nur {} % der Befragten waren dafür.",
            "Der Umsatz sank um {} %.",
            "Die Partei kam auf {} Prozent der Stimmen.",
        ],
        "en": [
            "Prices rose by {} percent.",
            "Only {}% of those surveyed were in favour.",
            "Sales fell by {}%.",
            "The party won {} percent of the vote.",
        ],
    },
    "dates in digits": {
        "de": [
            "Der Betrag ist bis zum {} zu zahlen.",
            "Der Vertrag endet am {}.",
            "Sie wurde am {} in Köln geboren.",
            "Die Rechnung vom {} ist noch offen.",
        ],
        "en": [
            "The amount is due by {}.",
            "The contract ends on {}.",
            "She was born in London on {}.",
            "The invoice of {} is still unpaid.",
        ],
    },
    "dates in words": {
        "de": [
            "Am {} wurde der Vertrag unterzeichnet.",
            "Die Ausstellung ist bis zum {} geöffnet.",
            "Er starb am {} in Wien.",
        ],
        "en": [
            "The contract was signed on {}.",
            "The exhibition is open until {}.",
            "He died in Vienna on {}.",
        ],
    },
    "times": {
        "de": [
            "Wir treffen uns um {} am Bahnhof.",
            "Der Film beginnt um {}.",
            "Der Laden schließt um {}.",
            "Bitte seien Sie vor {} da.",
        ],
        "en": [
            "We meet at {} at the station.",
            "The film starts at {}.",
            "The shop closes at {}.",
            "Please be there before {}.",
        ],
    },
    "bank accounts": {
        "de": [
            "IBAN {}",
            "Bitte überweisen Sie das Geld auf das Konto {}.",
            "Unsere IBAN lautet {}.",
        ],
        "en": ["IBAN {}", "Please transfer the money to account {}.", "Our IBAN is {}."],
    },
    "cards": {
        "de": ["Die Karte {} wurde gesperrt.", "Bitte belasten Sie meine Karte {}."],
        "en": ["The card {} has been blocked.", "Please charge my card {}."],
    },
    "telephones": {
        "de": [
            "Sie erreichen uns unter {}.",
            "Rufen Sie {} an, wenn Sie Fragen haben.",
            "Meine neue Nummer ist {}.",
        ],
        "en": [
            "You can reach us at {}.",
            "Call {} if you have any questions.",
            "My new number is {}.",
        ],
    },
    "versions": {
        "de": [
            "Das Programm braucht Version {} oder neuer.",
            "Seit Version {} gibt es diese Funktion.",
            "Bitte installieren Sie das Release {} erneut.",
        ],
        "en": [
            "The program needs version {} or later.",
            "This feature exists since version {}.",
            "Please install release {} again.",
        ],
    },
    "letters and digits": {
        "de": [
            "Ihre Bestellung {} wurde heute verschickt.",
            "Das Teil {} passt nicht.",
            "Der Rabattcode lautet {}.",
            "Die Rechnung {} liegt bei.",
        ],
        "en": [
            "Your order {} was shipped today.",
            "The part {} does not fit.",
            "The discount code is {}.",
            "The invoice {} is enclosed.",
        ],
    },
    "long digits": {
        "de": [
            "Die Sendungsnummer ist {}.",
            "Bitte nennen Sie die Kundennummer {}.",
            "Das Aktenzeichen {} wurde geschlossen.",
        ],
        "en": [
            "The tracking number is {}.",
            "Please give the customer number {}.",
            "Case {} has been closed.",
        ],
    },
    "ordinals": {
        "de": [
            "Sie wohnt im {} Stock.",
            "Das war sein {} Tor in dieser Saison.",
            "Wir feiern heute ihren {} Geburtstag.",
            "Das Schiff sank im {} Jahrhundert.",
        ],
        "en": [
            "She lives on the {} floor.",
            "It was his {} goal this season.",
            "We are celebrating her {} birthday today.",
            "The ship sank in the {} century.",
        ],
    },
    "numbers in words": {
        "de": [
            "Er hat {} Bücher gekauft.",
            "Im Raum saßen {} Kinder.",
            "Sie musste {} Tage warten.",
            "Das Dorf hat nur {} Häuser.",
        ],
        "en": [
            "He bought {} books.",
            "There were {} children in the room.",
            "She had to wait {} days.",
            "The village has only {} houses.",
        ],
    },
    "millions and billions": {
        "de": [
            "Die Firma hat {} Euro verloren.",
            "Das Projekt kostet {} Dollar.",
            "Mehr als {} Menschen leben dort.",
        ],
        "en": [
            "The company lost {} euros.",
            "The project costs {} dollars.",
            "More than {} people live there.",
        ],
    },
    "units": {
        "de": [
            "Die Temperatur fiel auf {} Grad.",
            "Der Turm ist {} m hoch.",
            "Die Batterie hat {} mAh.",
            "Das Grundstück ist {} Quadratmeter groß.",
            "Die Festplatte hat {} GB.",
        ],
        "en": [
            "The temperature fell to {} degrees.",
            "The tower is {} m high.",
            "The battery has {} mAh.",
            "The plot is {} square metres in size.",
            "The hard disk has {} GB.",
        ],
    },
    "ranges": {
        "de": [
            "Die Lieferung dauert {} bis {} Tage.",
            "Die Seiten {}–{} fehlen.",
            "Das Spiel ist für Kinder von {} bis {} Jahren.",
            "Erwartet werden {} bis {} Gäste.",
        ],
        "en": [
            "Delivery takes {} to {} days.",
            "Pages {}–{} are missing.",
            "The game is for children aged {} to {}.",
            "Between {} and {} guests are expected.",
        ],
    },
    "fractions": {
        "de": [
            "Er hat {} des Kuchens gegessen.",
            "Etwa {} der Mitglieder stimmten zu.",
            "Man braucht {} Liter Milch.",
        ],
        "en": [
            "He ate {} of the cake.",
            "About {} of the members agreed.",
            "You need {} litres of milk.",
        ],
    },
    "years": {
        "de": [
            "Das Haus wurde {} gebaut.",
            "Von {} bis {} lebte er in Paris.",
            "Im Jahr {} begann der Krieg.",
        ],
        "en": [
            "The house was built in {}.",
            "He lived in Paris from {} to {}.",
            "The war began in the year {}.",
        ],
    },
    "ratios": {
        "de": [
            "Die Abstimmung endete mit {} Prozent.",
            "Die Umfrage ergab {} Prozent für die Regierung.",
        ],
        "en": [
            "The vote ended at {} percent.",
            "The poll showed {} percent for the government.",
        ],
    },
    "odds": {
        "de": ["Die Chancen stehen {}.", "Die Wahrscheinlichkeit beträgt {}."],
        "en": ["The odds are {}.", "The probability is {}."],
    },
    "below zero": {
        "de": [
            "Die Temperatur fiel auf {} Grad.",
            "Im Januar waren es oft {} Grad.",
            "Das Wasser hatte {} °C.",
        ],
        "en": [
            "The temperature fell to {} degrees.",
            "In January it was often {} degrees.",
            "The water was at {} °C.",
        ],
    },
    "parts of the day": {
        "de": [
            "Wir treffen uns um {} am Bahnhof.",
            "Der Laden schließt um {}.",
            "Sie kam um {} nach Hause.",
        ],
        "en": ["We meet at {} at the station.", "The shop closes at {}.", "She came home at {}."],
    },
    "feet and inches": {
        "de": ["Er ist {} groß.", "Die Tür ist {} hoch."],
        "en": ["He is {} tall.", "The door is {} high."],
    },
    "mixed fractions": {
        "de": ["Man braucht {} Liter Milch.", "Die Reise dauerte {} Stunden."],
        "en": ["You need {} litres of milk.", "The journey took {} hours."],
    },
    "compounds": {
        "de": ["Die {}-jährige Frau wurde verletzt.", "Nach einer {}-tägigen Reise kam er an."],
        "en": ["The {}-year-old woman was injured.", "After a {}-day trip he arrived."],
    },
}
PROTECTED = {
    "variables": [
        "{{{0}}}",
        "%1$s",
        "{{{{{0}}}}}",
        "%s",
        "%({0})s",
        "${{{0}}}",
        '<x id="1"/>',
        "%d",
    ],
    "addresses": [
        "https://www.example.org/{0}/{1}",
        "{0}.{1}@example.com",
        "http://localhost:{1}/{0}?page={1}",
        "/etc/{0}/{0}.conf",
        "192.168.{1}.17",
    ],
    "code": ["`{0}_{1}`", "`git {0} --all`", "{0}_name", "{0}()", "--{0}-size", "`{0}[{1}]`"],
}
"""What comes back as it is, by kind; each has a word and a number."""

TEMPLATES |= {
    "variables": {
        "de": [
            "Hallo {}, schön, dass Sie da sind.",
            "Der Wert {} fehlt.",
            "Wollen Sie {} löschen?",
        ],
        "en": [
            "Hello {}, nice to see you.",
            "The value {} is missing.",
            "Do you want to delete {}?",
        ],
    },
    "addresses": {
        "de": ["Mehr erfahren Sie unter {}.", "Öffnen Sie {} und melden Sie sich an."],
        "en": ["You can find out more at {}.", "Open {} and log in."],
    },
    "code": {
        "de": ["Rufen Sie {} auf, um es zu ändern.", "Die Option {} ist veraltet."],
        "en": ["Call {} to change it.", "The option {} is deprecated."],
    },
}


def samples(count: int, seed: int = 1) -> list[Sample]:
    """Return sentences of all kinds in both directions, as many of each."""
    chance = random.Random(seed)
    made = list[Sample]()
    kinds = [*TEMPLATES, "two kinds at once"]
    for number in range(count):
        pair = PAIRS[number % 2]
        made.append(sample(kinds[number // 2 % len(kinds)], pair, chance))
    return made


def sample(kind: str, pair: Pair, chance: random.Random) -> Sample:
    """Return a sentence of a kind."""
    if kind == "two kinds at once":
        names = chance.sample([name for name in TEMPLATES if name not in _ALONE], 2)
        one, other = (sample(name, pair, chance) for name in names)
        joint = {"de": " und ", "en": " and "}[pair[0]]
        first, second = one.text.rstrip("."), other.text
        text = first + joint + _lowered(second, pair[0])
        both = (*one.quantities, *other.quantities)
        return Sample(kind, *pair, text, both, (*one.units, *other.units))
    template = chance.choice(TEMPLATES[kind][pair[0]])
    quantities = MAKERS[kind](chance, pair, template.count("{}"))
    text = template.format(*(one.text for one in quantities))
    own: list[Quantity] = []
    if "dritten" in template or "third" in template:
        own.append(spelling.ordinal(3, *pair))
    units = tuple(ways for mark, ways in UNITS.items() if re.search(mark, template))
    return Sample(kind, *pair, text, (*quantities, *own), units)


_ALONE = {"bank accounts"}


def _lowered(text: str, language: str) -> str:
    """Return a sentence as a clause: its first word is no noun in the templates that begin so."""
    starts = {"de": ("Die ", "Das ", "Der ", "Er ", "Sie ", "Am ", "Im ", "Nur ", "Etwa ")}
    own = starts.get(language, ("The ", "He ", "She ", "This ", "A ", "It ", "We ", "You "))
    return text[0].lower() + text[1:] if text.startswith(own) else text


UNITS = {
    "€|[Ee]uro": ("€", "euro", "eur"),
    r"\$|[Dd]ollar": ("$", "dollar", "usd"),
    "%|Prozent|percent": ("%", "prozent", "percent", "per cent"),
    r"\bkm\b": ("km", "kilometer", "kilometre"),
    r"\bkg\b": ("kg", "kilo"),
    r"\bGB\b": ("gb", "gigabyte"),
}
"""What a translation must say too, by what a sentence has."""

Maker = Callable[[random.Random, Pair, int], list[Quantity]]


def _whole(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    return [spelling.whole(chance.randrange(10 ** chance.randint(3, 7), 10**8), *pair)]


def _items(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    return [verbatim_digits(chance, chance.randint(3, 5))]


def verbatim_digits(chance: random.Random, count: int) -> Quantity:
    digits = str(chance.randint(1, 9)) + "".join(chance.choices(string.digits, k=count - 1))
    grouped = [spelling.grouped(digits, language).replace(".", r"\.") for language in ("de", "en")]
    return Quantity(digits, (digits, *grouped)) if count <= 5 else Quantity(digits, (digits,))


def _fraction_digits(chance: random.Random, most: int = 3) -> str:
    return "".join(chance.choices(string.digits, k=chance.randint(1, most)))


def _decimals(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    return [spelling.decimal(chance.randrange(1, 1000), _fraction_digits(chance, 2), *pair)]


def _prices(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    cents = f"{chance.randrange(100):02}"
    return [spelling.decimal(chance.randrange(10 ** chance.randint(1, 5), 10**6), cents, *pair)]


def _percentages(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    return [spelling.decimal(chance.randrange(1, 100), _fraction_digits(chance, 2), *pair)]


def _dates(is_long: bool) -> Maker:
    def make(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
        day, month = chance.randint(13, 28), chance.randint(1, 12)
        return [spelling.date(day, month, chance.randint(1900, 2030), *pair, is_long)]

    return make


def _times(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    minute = chance.choice([0, 0, 5, 15, 20, 25, 30, 40, 45, 50])
    return [spelling.clock(chance.randint(1, 23), minute, *pair)]


def _ibans(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    digits = "DE" + "".join(chance.choices(string.digits, k=20))
    spaced = " ".join(digits[n : n + 4] for n in range(0, len(digits), 4))
    return [spelling.verbatim(chance.choice([digits, spaced]))]


def _cards(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    groups = [f"{chance.randrange(1000, 10_000)}" for _ in range(4)]
    return [spelling.verbatim(chance.choice(" -").join(groups))]


def _telephones(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    digits = "".join(chance.choices(string.digits, k=8))
    forms = [
        f"+49 30 {digits[:6]}",
        f"0{chance.randint(20, 99)}/{digits[:7]}",
        f"+1 {chance.randint(200, 999)} {digits[:3]} {digits[3:7]}",
        f"0{chance.randint(150, 179)} {digits}",
        f"{chance.randint(200, 999)}-{digits[:3]}-{digits[3:7]}",
    ]
    return [spelling.verbatim(chance.choice(forms))]


def _versions(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    parts = [str(chance.randrange(30)) for _ in range(chance.randint(2, 4))]
    return [spelling.verbatim(chance.choice(["", "", "v"]) + ".".join(parts))]


def _codes(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    letters = "".join(chance.choices(string.ascii_uppercase, k=chance.randint(1, 3)))
    digits = "".join(chance.choices(string.digits, k=chance.randint(3, 7)))
    more = "".join(chance.choices(string.ascii_uppercase + string.digits, k=3))
    forms = [
        f"{letters}-{digits}",
        f"{letters}{digits}",
        f"{letters}-{digits}-{more}",
        f"{digits}{letters}",
        f"{letters}/{digits}",
    ]
    return [spelling.verbatim(chance.choice(forms))]


def _long_digits(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    return [verbatim_digits(chance, chance.randint(6, 20))]


def _ordinals(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    return [spelling.ordinal(chance.randint(2, 40), *pair)]


def _words(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    number = chance.randint(3, 99)
    accepted = (str(number), *spelling.spelled_forms(number, pair[1]))
    return [Quantity(spelling.spelled(number, pair[0]), accepted)]


def _scaled(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    number = chance.randrange(2, 900)
    own = (
        spelling.decimal(number, _fraction_digits(chance, 1), *pair)
        if chance.random() < 0.6
        else spelling.whole(number, *pair)
    )
    return [spelling.scaled(own, chance.choice([6, 6, 9, 9, 12]), *pair)]


def _units(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    return [spelling.whole(chance.randrange(11, 10_000), *pair)]


def _ranges(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    low = chance.randrange(2, 400)
    return [spelling.whole(low, *pair), spelling.whole(low + chance.randrange(1, 500), *pair)]


def _fractions(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    bottom = chance.choice([2, 3, 4, 5, 8, 10])
    return [spelling.fraction(chance.randrange(1, bottom), bottom, pair[1])]


def _years(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    first = chance.randrange(1500, 2000)
    years = [first, first + chance.randrange(1, 30)][:count]
    return [Quantity(str(year), (str(year),)) for year in years]


def _ratios(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    first = chance.randrange(501, 900)
    one, other = (
        spelling.decimal(side // 10, str(side % 10), *pair)
        for side in chance.sample([first, 1000 - first], 2)
    )
    return [spelling.ratio(one, other, *pair)]


def _odds(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    first = spelling.whole(chance.randrange(11, 1000), *pair)
    return [spelling.ratio(first, spelling.whole(chance.randint(1, 9), *pair), *pair)]


def _below_zero(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    return [spelling.below_zero(chance.randrange(1, 60), chance.choice("-−"), pair[1])]


def _parts_of_day(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    part, hours = chance.choice(
        [
            ("morning", range(5, 10)),
            ("noon", range(12, 13)),
            ("afternoon", range(2, 6)),
            ("evening", range(7, 11)),
            ("night", [12, 1, 2, 3, 11]),
        ]
    )
    return [spelling.clock_by_part(chance.choice(hours), part, *pair)]


def _feet(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    feet, inches = chance.randrange(3, 9), chance.randrange(12)
    return [spelling.verbatim(f"{feet}{chance.choice(APOSTROPHES).format(inches)}")]


APOSTROPHES = ("'{}\"", "’{}”", "\u2032{}\u2033")


def _mixed(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    return [spelling.verbatim(f"{chance.randrange(1, 30)}{chance.choice('½¼¾⅓⅔')}")]


def _compounds(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    number = chance.randrange(2, 100)
    accepted = [str(number), *spelling.spelled_forms(number, pair[1])]
    if pair[1] == "de":
        accepted.append(f"(?i:{spelling.spelled(number, 'de')})(?=jährig|tägig)")
    return [Quantity(str(number), tuple(accepted))]


def _protected(kind: str) -> Maker:
    def make(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
        word = chance.choice(["name", "config", "status", "commit", "user", "total"])
        return [
            spelling.verbatim(chance.choice(PROTECTED[kind]).format(word, chance.randrange(100)))
        ]

    return make


MAKERS: dict[str, Maker] = {
    **{kind: _protected(kind) for kind in PROTECTED},
    "whole numbers": _whole,
    "item numbers": _items,
    "decimals": _decimals,
    "prices": _prices,
    "percentages": _percentages,
    "dates in digits": _dates(is_long=False),
    "dates in words": _dates(is_long=True),
    "times": _times,
    "bank accounts": _ibans,
    "cards": _cards,
    "telephones": _telephones,
    "versions": _versions,
    "letters and digits": _codes,
    "long digits": _long_digits,
    "ordinals": _ordinals,
    "numbers in words": _words,
    "millions and billions": _scaled,
    "units": _units,
    "ranges": _ranges,
    "fractions": _fractions,
    "years": _years,
    "ratios": _ratios,
    "odds": _odds,
    "below zero": _below_zero,
    "parts of the day": _parts_of_day,
    "feet and inches": _feet,
    "mixed fractions": _mixed,
    "compounds": _compounds,
}
