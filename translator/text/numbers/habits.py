"""Numbers of a translation written as its language writes them: signs, times of day, ordinals."""

from __future__ import annotations

import re

from translator.text.characters import primary_language
from translator.text.numbers.signs import follow_language
from translator.text.numbers.words import number_words

_HALF_DAY = re.compile(
    r"(?<![\w.,:/])(?P<hour>1[0-2]|0?[1-9])(?:[:.](?P<minute>[0-5][0-9]))?(?:\sUhr)?\s?"
    r"(?P<half>[AaPp])(?:\.\s?[Mm]\b\.?|[Mm]\b)(?:\sUhr\b)?"
)
_HALF_DAY_HINT = re.compile(r"[0-9](?:\sUhr)?\s?[AaPp](?:\.\s?)?[Mm]\b")
_GERMAN_ORDINAL = re.compile(
    r"\b(?i:de[rmns]|die|das|[ia]m|zu[mr]|beim|vom|(?:ihr|sein|mein|dein|unser|euer|eur|jed|dies)"
    r"(?:e[nrms]?)?)\s(?P<number>[0-9]{1,3})\.\s(?P<noun>[A-ZÄÖÜ]\w+)"
)
_ORDINAL = re.compile(
    r"(?<![\w.,:/-])(?P<digits>[0-9]{1,4})(?P<ending>st|nd|rd|th|[dhnrst]{1,3})\b"
)
_SHORT_SCALE = re.compile(r"(?<=[0-9])()\s?(bn|tn)\b")
_SCALES = {"bn": "Milliarden", "tn": "Billionen"}
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def follow_habits(translation: str, source: str, languages: tuple[str, str]) -> str:
    """Return a translation whose numbers are written as its language writes them.

    Args:
        translation: with placeholders for the spans that must come back verbatim.
        source: what it is a translation of, with the spans in their places.
        languages: codes of the source's and the translation's.
    """
    text = follow_language(translation, source, languages)
    ours, theirs = map(primary_language, languages)
    if ours == "en" and theirs == "de" and _HALF_DAY_HINT.search(text):
        times = {_day_time(time) for time in _HALF_DAY.finditer(source)}
        text = _HALF_DAY.sub(
            lambda time: shown if (shown := _day_time(time)) in times else time[0], text
        )
    if theirs == "de" and ours == "en" and _SHORT_SCALE.search(text):
        text = _SHORT_SCALE.sub(lambda found: f"{found[1]} {_SCALES[found[2]]}", text)
    if ours == "de" and theirs == "en" and ". " in source:
        text = _with_right_endings(_with_suffixes(text, source), source)
    return text


def _day_time(time: re.Match[str]) -> str:
    """Return `3:30 pm` as German writes it."""
    hour = int(time["hour"]) % 12 + (12 if time["half"] in "pP" else 0)
    return f"{hour}:{time['minute']} Uhr" if time["minute"] else f"{hour} Uhr"


def _with_suffixes(text: str, source: str) -> str:
    """Return English text in which a German source's ordinals have a suffix: `22nd birthday`."""
    for ordinal in _GERMAN_ORDINAL.finditer(source):
        if ordinal["noun"].casefold() in number_words("de").months:
            continue
        digits = ordinal["number"]
        alone = list(re.finditer(rf"(?<![\w.,:/-]){digits}(?:d|st|nd|rd|th)?(?=\s[a-z])", text))
        if len(alone) == 1 and len(re.findall(rf"(?<![0-9]){digits}(?![0-9])", source)) == 1:
            [place] = alone
            shown = digits + ordinal_suffix(int(digits))
            text = text[: place.start()] + shown + text[place.end() :]
    return text


def _with_right_endings(text: str, source: str) -> str:
    """Return English text in which no ordinal of a German source is `33d`, `31s` or `33th`."""

    def right(ordinal: re.Match[str]) -> str:
        digits = ordinal["digits"]
        is_ordinal = re.search(rf"(?<![0-9]){digits}\.\s", source)
        return digits + ordinal_suffix(int(digits)) if is_ordinal else ordinal[0]

    return _ORDINAL.sub(right, text)


def ordinal_suffix(number: int) -> str:
    """Return what English puts behind the digits of an ordinal."""
    return "th" if number % 100 in (11, 12, 13) else _SUFFIXES.get(number % 10, "th")
