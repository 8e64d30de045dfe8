"""Words that say a number, by language: cardinals, ordinals, fractions, multiples, months, scales.

German and English have tables here. Month names of all languages are CLDR's. Where there is no
table, a small number may be missing from a translation, since it may be spelled out there.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from babel import Locale, UnknownLocaleError

from translator.text.characters import primary_language


@dataclass(frozen=True, kw_only=True, slots=True)
class NumberWords:
    """Words of a language, in lower case.

    Attributes:
        cardinals: from 2: what counts. One that is replaced by another is a fault.
        related: other words that may stand for a number: ordinals, fractions, `both`, articles.
        months: names and abbreviations, without dots.
        scales: what multiplies the number before it.
        prefixes: how compounds begin that may stand for a number, such as `zweispurig`.
        has_tens_first: whether two words may be one number below 100, such as `twenty-one`.
        is_known: whether there is a table of the language.
        counting: all cardinals, scales, and ordinals from the third on.
    """

    cardinals: dict[str, int] = field(default_factory=dict)
    related: dict[str, tuple[int, ...]] = field(default_factory=dict)
    months: dict[str, int] = field(default_factory=dict)
    scales: dict[str, int] = field(default_factory=dict)
    prefixes: dict[str, int] = field(default_factory=dict)
    has_tens_first: bool = False
    is_known: bool = False
    counting: frozenset[str] = frozenset()

    def value_of_prefix(self, word: str) -> int | None:
        """Return the number that a compound such as `zwölfjährige` begins with."""
        found = _beginnings(tuple(self.prefixes)).match(word) if self.prefixes else None
        return self.prefixes[found[0]] if found else None


@functools.cache
def _beginnings(prefixes: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(prefixes, key=len, reverse=True)))


_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_LETTERS = dict(zip("MDCLXVI", (1000, 500, 100, 50, 10, 5, 1), strict=True))


def roman_number(word: str) -> int | None:
    """Return the value of a Roman number such as `XIV`; None if it is none."""
    if not _ROMAN.fullmatch(word):
        return None
    values = [_ROMAN_LETTERS[letter] for letter in word]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )


_SCALES = {
    "de": {
        "dutzend": 12,
        "hundert": 100,
        "tausend": 10**3,
        "tsd": 10**3,
        **dict.fromkeys(("million", "millionen", "mio", "mill"), 10**6),
        **dict.fromkeys(("milliarde", "milliarden", "mrd"), 10**9),
        **dict.fromkeys(("billion", "billionen"), 10**12),
        **dict.fromkeys(("billiarde", "billiarden"), 10**15),
    },
    "en": {
        "dozen": 12,
        "hundred": 100,
        "thousand": 10**3,
        **dict.fromkeys(("million", "mn"), 10**6),
        **dict.fromkeys(("billion", "bn"), 10**9),
        **dict.fromkeys(("trillion", "tn"), 10**12),
        "quadrillion": 10**15,
    },
}

SCALE_NAMES = {
    "de": {
        10**12: ("Billion", "Billionen"),
        10**9: ("Milliarde", "Milliarden"),
        10**6: ("Million", "Millionen"),
    },
    "en": {
        10**12: ("trillion", "trillion"),
        10**9: ("billion", "billion"),
        10**6: ("million", "million"),
    },
}
"""Singular and plural, by what they multiply."""

_GERMAN_UNITS = ["null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
_GERMAN_STEMS = ("vier", "fünf", "sech", "sieb", "acht", "neun")
_GERMAN_TEENS = ["zehn", "elf", "zwölf", *(f"{stem}zehn" for stem in ("drei", *_GERMAN_STEMS))]
_GERMAN_TENS = ["zwanzig", "dreißig", *(f"{stem}zig" for stem in _GERMAN_STEMS)]
_GERMAN_ENDINGS = ("e", "en", "er", "es", "em")
_GERMAN_RELATED = {
    **dict.fromkeys(("ein", "eine", "einen", "einem", "einer", "eines", "eins", "einmal"), (1,)),
    **dict.fromkeys(("einzig", "einzige", "einzigen", "einziger", "einziges", "erstens"), (1,)),
    **dict.fromkeys(("beide", "beiden", "beider", "beides", "zweier", "paar", "doppelt"), (2,)),
    **dict.fromkeys(("doppelte", "doppelten", "doppelter", "zweifach", "zweitens", "zwo"), (2,)),
    **dict.fromkeys(("halb", "halbe", "halben", "halber", "halbes", "hälfte"), (1, 2, 30)),
    **dict.fromkeys(("anderthalb", "eineinhalb"), (1, 2)),
    **dict.fromkeys(("viertel", "vierteln", "viertelstunde"), (4, 15)),
    **dict.fromkeys(("dritteln", "dreier"), (3,)),
    **dict.fromkeys(("hälften", "verdoppelt", "verdoppelte", "verdoppeln", "dual"), (2,)),
    "verdreifacht": (3,),
    "verdreifachen": (3,),
    "vierteljahr": (3,),
    "halbjahr": (6,),
    **dict.fromkeys(("jahrzehnt", "jahrzehnte", "jahrzehnten", "jahrzehnts"), (10,)),
    **dict.fromkeys(("jahrhundert", "jahrhunderte", "jahrhunderten", "jahrhunderts"), (100,)),
    **dict.fromkeys(("hunderte", "hunderten", "hunderter"), (100,)),
    **dict.fromkeys(("jahrtausend", "jahrtausende", "tausende", "tausenden"), (1000,)),
    **dict.fromkeys(("null", "nullen"), (0,)),
    "achtelfinale": (16,),
    "achtelfinales": (16,),
    "viertelfinale": (8, 4),
    "halbes": (1, 2),
    "quartal": (3,),
    "mittag": (12,),
    "mitternacht": (0, 24, 12),
    "keine": (0,),
    "kein": (0,),
    "keinen": (0,),
}

_ENGLISH_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_ENGLISH_STEMS = ("thir", "four", "fif", "six", "seven", "eigh", "nine")
_ENGLISH_TEENS = ["ten", "eleven", "twelve", *(f"{stem}teen" for stem in _ENGLISH_STEMS)]
_ENGLISH_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ENGLISH_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth"} | {
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_ENGLISH_RELATED = {
    **dict.fromkeys(("a", "an", "one", "once", "single", "sole", "only", "each", "per"), (1,)),
    **dict.fromkeys(("both", "twice", "double", "doubled", "doubling", "couple", "pair"), (2,)),
    **dict.fromkeys(("twins", "twin", "dual", "either", "seconds", "secondly"), (2,)),
    **dict.fromkeys(("half", "halves", "halved"), (1, 2, 30)),
    **dict.fromkeys(("quarter", "quarters"), (4, 15, 3)),
    **dict.fromkeys(("triple", "tripled", "thrice", "trio", "thirds"), (3,)),
    "fortnight": (14,),
    "decade": (10,),
    "decades": (10,),
    "century": (100,),
    "centuries": (100,),
    "millennium": (1000,),
    "hundreds": (100,),
    "thousands": (1000,),
    "noon": (12,),
    "midnight": (0, 24, 12),
    "no": (0,),
    "none": (0,),
    "quad": (4,),
}


@functools.cache
def number_words(language: str) -> NumberWords:
    """Return the words of a language, by its code; of an unknown one, there are none."""
    code = primary_language(language)
    tables = {"de": _german, "en": _english}.get(code)
    if tables is None:
        return NumberWords(months=_months(code))
    cardinals, related, prefixes = tables()
    return NumberWords(
        cardinals=cardinals,
        related=related,
        months=_months(code),
        scales=_SCALES[code],
        prefixes=prefixes,
        has_tens_first=code == "en",
        is_known=True,
        counting=frozenset(cardinals.keys() | _SCALES[code].keys() | _ordinals(related)),
    )


def _ordinals(related: dict[str, tuple[int, ...]]) -> set[str]:
    ends = ("te", "ten", "ter", "tes", "tem", "th", "third")
    return {word for word, values in related.items() if values[0] > 2 and word.endswith(ends)}


def _months(code: str) -> dict[str, int]:
    """Source: Unicode CLDR, by way of Babel."""
    try:
        months = Locale(code).months
    except (UnknownLocaleError, ValueError):
        return {}
    names = {
        name.strip(".").casefold(): number
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for number, name in months[context][width].items()
    }
    names = {name: number for name, number in names.items() if name.isalpha() and len(name) > 2}
    if code == "en":
        names["sept"] = 9
    return names


def _german() -> tuple[dict[str, int], dict[str, tuple[int, ...]], dict[str, int]]:
    cardinals, related = dict[str, int](), dict[str, tuple[int, ...]]()
    for value, word in _german_cardinals():
        for spelled in {word, word.replace("ß", "ss")}:
            if value > 1:
                cardinals[spelled] = value
            stem = {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"}.get(value)
            stem = stem or f"{spelled}{'t' if value < 20 else 'st'}"
            related |= {stem + ending: (value,) for ending in _GERMAN_ENDINGS}
            related |= {f"{spelled}mal": (value,), f"{spelled}fach": (value,)}
            related |= {f"{spelled}{end}": (value,) for end in ("er", "ern", "fache", "fachen")}
            related |= {f"{stem}el{end}": (1, value) for end in ("", "n", "s")}
            related[stem] = (value,)
    related |= _GERMAN_RELATED
    for word in cardinals:
        related.pop(word, None)
    prefixes = {word: value for word, value in cardinals.items() if value <= 100}
    return cardinals, related, {**prefixes, "ein": 1, "halb": 2, "doppel": 2}


def _german_cardinals() -> Iterator[tuple[int, str]]:
    """Yield 1 to 999 and the full thousands below 1,000,000, spelled as one word."""
    below = dict(enumerate([*_GERMAN_UNITS, *_GERMAN_TEENS]))
    for tens, word in enumerate(_GERMAN_TENS, start=2):
        below[10 * tens] = word
        below |= {10 * tens + n: f"{_GERMAN_UNITS[n]}und{word}" for n in range(1, 10)}
    for hundreds in range(1, 10):
        head = "hundert" if hundreds == 1 else f"{_GERMAN_UNITS[hundreds]}hundert"
        below[100 * hundreds] = head
        below |= {100 * hundreds + n: head + below[n] for n in range(1, 100)}
    del below[0]
    yield from below.items()
    yield 100, "einhundert"
    yield from ((1000 * value, f"{word}tausend") for value, word in below.items())


def _english() -> tuple[dict[str, int], dict[str, tuple[int, ...]], dict[str, int]]:
    units = dict(enumerate([*_ENGLISH_UNITS, *_ENGLISH_TEENS]))
    units |= {10 * tens: word for tens, word in enumerate(_ENGLISH_TENS, start=2)}
    related = dict[str, tuple[int, ...]]()
    for value, word in units.items():
        ordinal = _ENGLISH_ORDINALS.get(word) or f"{word.removesuffix('y')}{_th(word)}"
        related |= {ordinal: (value,), f"{ordinal}s": (1, value), f"{word}fold": (value,)}
        if value % 10 == 0:
            related[f"{word.removesuffix('y')}ies"] = (value,)
    related |= _ENGLISH_RELATED | {"zero": (0,), "nonzero": (0,)}
    cardinals = {word: value for value, word in units.items() if value > 1}
    return cardinals, related, {}


def _th(word: str) -> str:
    return "ieth" if word.endswith("y") else "th"
