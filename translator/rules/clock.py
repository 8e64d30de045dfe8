"""Times of day, as a clock of 24 hours shows them, and halves that are spelled out.

`3:30 pm` is `15.30 Uhr`, and `halb vier`. An hour and a half is `anderthalb` hours, or 90 minutes.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from decimal import Decimal

from translator.rules.digits import Reading
from translator.rules.words import number_words
from translator.text.characters import primary_language

_TIME = re.compile(r"(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-5][0-9]))?")
_MARKER = re.compile(
    r"[\s-]?(?:(?P<am>[Aa]\.\s?[Mm]\b\.?|[Aa][Mm]\b)|(?P<pm>[Pp]\.\s?[Mm]\b\.?|[Pp][Mm]\b)"
    r"|(?P<uhr>Uhr\b(?:\s(?P<minute>[0-5][0-9])(?![0-9]))?)|(?P<oclock>o['’]clock\b))"
)
_HALF_DAY = re.compile(
    r"(?i:nachmittag|abend(?!essen|brot|kleid|mahl)|nacht|mittag|afternoon|evening|\bnight|\bp\.?m\b|tonight)"
)
_NIGHT = re.compile(r"(?i:mitternacht|midnight|nacht|\bnight)")
_PART_OF_DAY = re.compile(
    r"\s(?:(?P<morning>morgens|früh|vormittags|am (?:Morgen|Vormittag)|in the morning)"
    r"|(?P<noon>mittags|am Mittag|noon|midday|at noon)"
    r"|(?P<later>nachmittags|abends|am (?:Nachmittag|Abend)|in the (?:afternoon|evening))"
    r"|(?P<night>nachts|in der Nacht|at night))\b"
)
_PM = re.compile(r"\b[Pp]\.?[Mm]\b")
_MINUTE_WORDS = {
    "de": "fünf|zehn|fünfzehn|zwanzig|fünfundzwanzig|dreißig|vierzig|fünfundvierzig|fünfzig",
    "en": "ten|fifteen|twenty-five|twenty|thirty-five|thirty|forty-five|forty|fifty-five|fifty",
}
_IN_WORDS = {
    "de": re.compile(
        r"\b(?:(?P<how>(?:(?:fünf|zehn) (?:nach|vor) )?[Hh]alb|[Vv]iertel (?:nach|vor)"
        r"|[Dd]rei ?viertel|(?:(?<=um )|(?<=ist )|(?<=war )|(?<=gegen ))viertel) (?P<hour>\w+)"
        r"|(?P<about>(?!))|Mitternacht\b|(?P<sharp>[^\W\d]+) Uhr\b"
        rf"(?: (?:und )?(?P<minute>{_MINUTE_WORDS['de']})(?: Minuten)?\b)?)"
    ),
    "en": re.compile(
        r"\b(?:(?P<how>[Hh]alf past|[Qq]uarter (?:past|to)"
        r"|(?:(?<=[Aa]t )|(?<=bout )|(?<=round )|(?<=ntil )|(?<=[Ii]t['’]s )|(?<=[Ii]t is ))half)"
        r" (?P<hour>\w+)"
        r"|[Mm]idnight\b|(?P<sharp>[^\W\d]+) (?:o['’]clock\b|[ap]\.?m\b)"
        r"|(?:[Aa]t|[Aa]round) (?P<about>[^\W\d]+)"
        rf"[ -](?P<minute>{_MINUTE_WORDS['en']})\b(?!-))"
    ),
}
_MIDNIGHT_WORDS = ("mitternacht", "midnight")
_IN_WORDS_HINTS = {
    "de": ("alb ", "tel ", "Uhr", "Mitternacht"),
    "en": (
        *("alf ", "idnight", "clock", "uarter ", "teen", "thirty", "forty"),
        *(" am", " a.m", " pm", " p.m"),
    ),
}
"""One of them is in every text that has such a time."""
_MINUTES = {"halb": -30, "half past": 30, "half": 30, "dreiviertel": -15, "viertel": -45} | {
    "fünf vor halb": -35,
    "fünf nach halb": -25,
    "zehn vor halb": -40,
    "zehn nach halb": -20,
    "drei viertel": -15,
    "viertel nach": 15,
    "viertel vor": -15,
    "quarter past": 15,
    "quarter to": -15,
}
HOW = re.compile(
    r"(?i:halb|(?:fünf|zehn) (?:nach|vor) halb|(?:drei ?)?viertel|half past|half(?= [a-z]+\b)"
    r"|quarter)\b"
)
"""Begins a time that no number by itself says."""

WITH_MINUTES = re.compile(rf"\b(?:{'|'.join(_MINUTE_WORDS.values())})(?: Minuten)?$")
"""Ends a time whose minutes are spelled out."""

HALF_DAY_M = 12 * 60


_QUARTERS = re.compile(r"\b(?i:(?P<three>drei)?viertelstunden?)\b")
_THREE_QUARTERS = re.compile(r"(?i:three[\s-]quarter|forty-five)|\b45\b|¾|3/4")
_ONE_QUARTER = re.compile(r"(?i:quarter|fifteen)|\b15\b|¼|1/4")
_MIXED = {
    "de": re.compile(r"\b(?i:(?P<one>anderthalb)|(?P<whole>[^\W\d_]{3,7})einhalb)[^\W\d_]*"),
    "en": re.compile(r"(?i:\b(?P<whole>[^\W\d_]+)[\s-])?\b(?i:and[\s-](?:a|one)[\s-]half)\b"),
}
_SAID = {
    "de": re.compile(
        r"(?i:einhalb|anderthalb|und (?:ein\w{0,2} )?(?:halb|hälfte))|½|[0-9][.,]5|1/2"
    ),
    "en": re.compile(r"(?i:and[\s-](?:a|one)[\s-]half)|½|[0-9][.,]5|1/2"),
}
"""How a language says a half more."""

_IN_PARTS = {
    1: r"(?i:\b18\b|\b90\b|achtzehn|neunzig|eighteen|ninety)",
    2: r"(?i:\b30\b|\b150\b|dreißig|thirty)",
    3: r"\b42\b|\b210\b",
    4: r"\b54\b|\b270\b",
}
"""By the whole number, how the same and a half is said in months or minutes."""
_OF_TIME = re.compile(r"(?i:stunde|jahr|minute|hour|year)")
_NEXT_WORD = 10  # characters
_IN_ANY_PARTS = "|".join(_IN_PARTS.values())


def clock_readings(
    text: str, start: int, end: int, language: str
) -> tuple[tuple[Reading, ...], int] | None:
    """Return the times that digits may be, and where those end; None if they are none."""
    time, marker = _TIME.fullmatch(text, start, end), _MARKER.match(text, end)
    if not time or int(time["hour"]) > 24:
        return None
    if marker and language == "de" and (marker["am"] or marker["pm"]):
        return None
    hour, minute = int(time["hour"]), int(time["minute"] or 0)
    if marker is None:
        if ":" not in text[start:end]:
            return None
        at_m = 60 * hour + minute
        may_be_later = hour < 12 and _speaks_of(_HALF_DAY, text)
        later: tuple[Reading, ...] = ((_shown(at_m + HALF_DAY_M),),) if may_be_later else ()
        return ((_shown(at_m),), (Decimal(hour), Decimal(minute)), *later), end
    minute = int(marker["minute"] or minute)
    at_m = 60 * hour + minute
    if marker["pm"] or marker["am"]:
        at_m = at_m % HALF_DAY_M + (HALF_DAY_M if marker["pm"] else 0)
        return ((_shown(at_m),),), marker.end()
    parts: Reading = (Decimal(hour), Decimal(minute)) if minute else (Decimal(hour),)
    if hour > 12:
        return ((_shown(at_m),), parts), marker.end()
    part = _PART_OF_DAY.match(text, marker.end())
    if part:
        return ((_shown(_in_part(at_m, part.lastgroup or "")),), parts), marker.end()
    readings: list[Reading] = [(_shown(at_m),), parts]
    later_words = _NIGHT if hour == 12 else _HALF_DAY
    if (marker["oclock"] and hour < 12) or _speaks_of(later_words, text):
        readings.append((_shown(at_m + HALF_DAY_M),))
    return tuple(readings), marker.end()


@functools.lru_cache(maxsize=64)  # each time of a text asks for the words of the same text
def _speaks_of(words: re.Pattern[str], text: str) -> bool:
    return words.search(text) is not None


def _in_part(at_m: int, part: str) -> int:
    """Return the time that a clock of twelve hours shows in a part of the day: 12 at night is 0."""
    hour = at_m // 60
    if hour == 12:
        return at_m - HALF_DAY_M if part == "night" else at_m
    is_later = part == "later" or (part == "noon" and hour < 6) or (part == "night" and hour > 5)
    return at_m + HALF_DAY_M if is_later else at_m


def clocks_in_words(text: str, language: str) -> tuple[tuple[int, int, tuple[Reading, ...]], ...]:
    """Return start, end and readings of times that are spelled out: `halb vier`."""
    if not any(hint in text for hint in _IN_WORDS_HINTS.get(language, ())):
        return ()  # as nearly always
    return _clocks_in_words(text, language)


@functools.lru_cache(maxsize=64)  # each hypothesis asks for those of the same sentence
def _clocks_in_words(text: str, language: str) -> tuple[tuple[int, int, tuple[Reading, ...]], ...]:
    pattern, words = _IN_WORDS[language], number_words(language)
    found = list[tuple[int, int, tuple[Reading, ...]]]()
    for time in pattern.finditer(text):
        if time[0].casefold() in _MIDNIGHT_WORDS:
            found.append((*time.span(), (("0:00",),)))
            continue
        name = (time["hour"] or time["sharp"] or time["about"]).casefold()
        is_written = len(name) <= len("24") and name.isdecimal()
        hour = int(name) if is_written else words.cardinals.get(name, int(name in ("eins", "one")))
        if hour and hour <= 24:
            at_m = 60 * hour + (_MINUTES[time["how"].casefold()] if time["how"] else 0)
            at_m += HALF_DAY_M if at_m < 60 and not _speaks_of(_NIGHT, text) else 0  # `halb eins`
            minute = time["minute"]
            if minute:
                at_m += words.cardinals.get(minute, 45)
            later = _NIGHT if hour == 12 and not time["how"] else _HALF_DAY
            is_said = language == "de" and _speaks_of(_PM, text)
            may_be_later = _speaks_of(later, text) and not is_said
            times = [at_m + HALF_DAY_M, at_m] if may_be_later else [at_m]
            readings = tuple((_shown(time_m),) for time_m in times)
            found.append((time.start(), time.end(), readings))
    return tuple(found)


def half_a_day_later(reading: Reading) -> Reading:
    """Return a time of day such as `8:30` in the other half of the day; as it is if it is none."""
    shown = _TIME.fullmatch(reading[0]) if isinstance(reading[0], str) else None
    if not shown or not shown["minute"]:
        return reading
    return (_shown((60 * int(shown["hour"]) + int(shown["minute"]) + HALF_DAY_M) % (24 * 60)),)


def _shown(at_m: int) -> str:
    return f"{at_m // 60 % 24}:{at_m % 60:02}"


def lost_halves(
    source: str, target: str, languages: tuple[str, str]
) -> Iterator[tuple[int, int, Reading]]:
    """Yield numbers and a half of a sentence whose half is not in its translation.

    Yields:
        start and end of each, and what it says.
    """
    if "half" not in source and "halb" not in source and "viertelst" not in source:
        return  # as nearly always
    ours, theirs = map(primary_language, languages)
    if ours == "de" and theirs == "en":
        for quarters in _QUARTERS.finditer(source):
            pattern = _THREE_QUARTERS if quarters["three"] else _ONE_QUARTER
            if not pattern.search(target):
                yield quarters.start(), quarters.end(), (quarters[0],)
    mixed, said = _MIXED.get(ours), _SAID.get(theirs)
    if mixed is None or said is None or said.search(target):
        return
    for found in mixed.finditer(source):
        name = (found["whole"] or "").casefold()
        is_number = name == "one" or name in number_words(ours).cardinals
        if ours == "en" and "-and-" in found[0] and not is_number:
            continue  # `etch-and-a-half` is a release
        value = 1 if ours == "de" and (not name or name == "ein") else None
        value = value or number_words(ours).cardinals.get(name) or (1 if name == "one" else None)
        parts = _IN_PARTS.get(value, r"(?!)") if value else _IN_ANY_PARTS
        is_time = _OF_TIME.search(source, found.start(), found.end() + _NEXT_WORD)
        if is_time and re.search(parts, target):
            continue
        reading: Reading = (found[0],) if value is None else (Decimal(value) + Decimal("0.5"),)
        yield found.start(), found.end(), reading
