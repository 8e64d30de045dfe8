"""Sentences with numbers of many kinds, in German and in English, each with its quantities."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

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


@cache
def templates() -> dict[str, dict[str, list[str]]]:
    """Return sentences with `{}` in the place of quantities, by kind and language."""
    found: dict[str, dict[str, list[str]]] = {}
    for line in Path(__file__).with_name("templates.tsv").read_text(encoding="utf-8").splitlines():
        kind, language, template = line.split("\t")
        found.setdefault(kind, {}).setdefault(language, []).append(template)
    return found


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
        *("https://www.example.org/{0}/{1}", "{0}.{1}@example.com"),
        *("http://localhost:{1}/{0}?page={1}", "/etc/{0}/{0}.conf", "192.168.{1}.17"),
    ],
    "code": ["`{0}_{1}`", "`git {0} --all`", "{0}_name", "{0}()", "--{0}-size", "`{0}[{1}]`"],
}
"""What comes back as it is, by kind; each has a word and a number."""


def samples(count: int, seed: int = 1) -> list[Sample]:
    """Return sentences of all kinds in both directions, as many of each."""
    chance = random.Random(seed)
    made = list[Sample]()
    kinds = [*templates(), "two kinds at once"]
    for number in range(count):
        pair = PAIRS[number % 2]
        made.append(sample(kinds[number // 2 % len(kinds)], pair, chance))
    return made


def sample(kind: str, pair: Pair, chance: random.Random) -> Sample:
    """Return a sentence of a kind."""
    if kind == "two kinds at once":
        names = chance.sample([name for name in templates() if name not in _ALONE], 2)
        one, other = (sample(name, pair, chance) for name in names)
        joint = {"de": " und ", "en": " and "}[pair[0]]
        first, second = one.text.rstrip("."), other.text
        text = first + joint + _lowered(second, pair[0])
        both = (*one.quantities, *other.quantities)
        return Sample(kind, *pair, text, both, (*one.units, *other.units))
    template = chance.choice(templates()[kind][pair[0]])
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


def verbatim_digits(chance: random.Random, count: int) -> Quantity:
    digits = str(chance.randint(1, 9)) + "".join(chance.choices(string.digits, k=count - 1))
    grouped = [spelling.grouped(digits, language).replace(".", r"\.") for language in ("de", "en")]
    return Quantity(digits, (digits, *grouped)) if count <= 5 else Quantity(digits, (digits,))


def _fraction_digits(chance: random.Random, most: int = 3) -> str:
    return "".join(chance.choices(string.digits, k=chance.randint(1, most)))


def _prices(chance: random.Random, pair: Pair, count: int) -> list[Quantity]:
    cents = f"{chance.randrange(100):02}"
    return [spelling.decimal(chance.randrange(10 ** chance.randint(1, 5), 10**6), cents, *pair)]


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
    "whole numbers": lambda chance, pair, _: [
        spelling.whole(chance.randrange(10 ** chance.randint(3, 7), 10**8), *pair)
    ],
    "item numbers": lambda chance, pair, _: [verbatim_digits(chance, chance.randint(3, 5))],
    "decimals": lambda chance, pair, _: [
        spelling.decimal(chance.randrange(1, 1000), _fraction_digits(chance, 2), *pair)
    ],
    "prices": _prices,
    "percentages": lambda chance, pair, _: [
        spelling.decimal(chance.randrange(1, 100), _fraction_digits(chance, 2), *pair)
    ],
    "dates in digits": _dates(is_long=False),
    "dates in words": _dates(is_long=True),
    "times": _times,
    "bank accounts": _ibans,
    "cards": _cards,
    "telephones": _telephones,
    "versions": _versions,
    "letters and digits": _codes,
    "long digits": lambda chance, pair, _: [verbatim_digits(chance, chance.randint(6, 20))],
    "ordinals": lambda chance, pair, _: [spelling.ordinal(chance.randint(2, 40), *pair)],
    "numbers in words": _words,
    "millions and billions": _scaled,
    "units": lambda chance, pair, _: [spelling.whole(chance.randrange(11, 10_000), *pair)],
    "ranges": _ranges,
    "fractions": _fractions,
    "years": _years,
    "ratios": _ratios,
    "odds": _odds,
    "below zero": lambda chance, pair, _: [
        spelling.below_zero(chance.randrange(1, 60), chance.choice("-−"), pair[1])
    ],
    "parts of the day": _parts_of_day,
    "feet and inches": _feet,
    "mixed fractions": lambda chance, pair, _: [
        spelling.verbatim(f"{chance.randrange(1, 30)}{chance.choice('½¼¾⅓⅔')}")
    ],
    "compounds": _compounds,
}
