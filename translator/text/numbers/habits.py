"""Numbers of a translation written as its language writes them: signs, times of day, ordinals."""

from __future__ import annotations

import re

from translator.text.characters import primary_language
from translator.text.numbers.signs import digits_of, follow_language
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
_RATIO = re.compile(
    r"(?P<one>(?<![\w.,])[0-9]+(?:[.,][0-9]+)*) (?:zu|to)"
    r" (?P<two>[0-9]+(?:[.,][0-9]+)*)(?!\w|[.,][0-9])"
)
_FROM = re.compile(r"(?i:\b(?:from|between|of|down|von|zwischen)\s\S{0,3})$")
_LOOK_BACK = 12
_MINUS = re.compile(r"(?<![^\s(\[])-(?=[0-9])")
_TWELVE = re.compile(
    r"(?<![\w.,:])12(?:[:.](?P<minute>[0-5][0-9]))?\s?(?P<half>[Aa])(?=\.?\s?[Mm]\b)"
)
_GERMAN_TWELVE = re.compile(r"(?<![\w.,:])12(?:[:.][0-5][0-9])? Uhr\b")
_AT_NIGHT = re.compile(r"(?i:nacht)")
_DIGIT = re.compile("[0-9]")
_DIGIT_AND_POINT = re.compile(r"[0-9]\.")
_SHORT_MILLIONS = re.compile(r"[$€£]\s?(?P<digits>[0-9]+(?:[.,][0-9]+)*)m\b")
_METRES = re.compile(r"(?<![\w.,])(?P<digits>[0-9]+(?:[.,][0-9]+)*)\s?m\b")
_UNIT_FIRST = re.compile(
    r"\b(?P<unit>mAh|kWh|[kMGT]B|[MG]Hz|k[gm]|[cm]m)"
    r" (?P<digits>[0-9]+(?:[.,][0-9]+)*)(?![\w]|[.,][0-9])"
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
    if not _DIGIT.search(source):
        return text  # as mostly
    ours, theirs = map(primary_language, languages)
    if "\u2212" in source:
        text = _MINUS.sub("\u2212", text)
    if _UNIT_FIRST.search(text):
        text = _UNIT_FIRST.sub(lambda found: _behind(found, source), text)
    if {ours, theirs} == {"de", "en"}:
        text = _with_ratios(text, source, theirs)
    if ours == "en" and theirs == "de" and _HALF_DAY_HINT.search(text):
        times = {_day_time(time) for time in _HALF_DAY.finditer(source)}
        text = _HALF_DAY.sub(
            lambda time: shown if (shown := _day_time(time)) in times else time[0], text
        )
    if theirs == "de" and ours == "en":
        text = _with_millions(text, source)
    if theirs == "de" and ours == "en" and _SHORT_SCALE.search(text):
        text = _SHORT_SCALE.sub(lambda found: f"{found[1]} {_SCALES[found[2]]}", text)
    if ours == "de" and theirs == "en" and "12" in source:
        text = _with_noon(text, source)
    if ours == "de" and theirs == "en" and _DIGIT_AND_POINT.search(source):
        text = _with_right_endings(_with_suffixes(text, source), source)
    return text


def _with_millions(text: str, source: str) -> str:
    """Return German text in which `$950m` is no number of metres."""
    amounts = _SHORT_MILLIONS.finditer(source)
    millions = {digits_of(amount["digits"]) for amount in amounts}

    def written(found: re.Match[str]) -> str:
        is_amount = digits_of(found["digits"]) in millions
        return f"{found['digits']} Millionen" if is_amount else found[0]

    return _METRES.sub(written, text) if millions else text


def _with_noon(text: str, source: str) -> str:
    """Return English text in which 12 o'clock of a German source is noon, unless it is at night."""
    if not _GERMAN_TWELVE.search(source) or _AT_NIGHT.search(source):
        return text
    return _TWELVE.sub(lambda time: time[0][:-1] + ("p" if time["half"] == "a" else "P"), text)


def _behind(found: re.Match[str], source: str) -> str:
    """Return `mAh 4000` as `4000 mAh` if the source has it so."""
    digits = re.sub("[.,]", "[.,]?", found["digits"])
    is_behind = re.search(rf"(?<![\w.,]){digits}[\s-]?{found['unit']}\b", source)
    return f"{found['digits']} {found['unit']}" if is_behind else found[0]


def _with_ratios(text: str, source: str, target: str) -> str:
    """Return a translation that sets two numbers against each other: no `100 bis 1` for 100 to 1.

    A range goes up, or the word `from` stands before it. A ratio goes down, or adds up to 100.
    """
    if (" to " if target == "de" else " zu ") not in source:
        return text
    between, wrong = ("zu", "bis|auf|an|nach") if target == "de" else ("to", "on|too")
    for ratio in _RATIO.finditer(source):
        one, two = (re.sub("[.,]", "[.,]?", ratio[name]) for name in ("one", "two"))
        is_range = _FROM.search(source, max(0, ratio.start() - _LOOK_BACK), ratio.start())
        sizes = [
            float(ratio[name].replace(",", ".", 1))
            for name in ("one", "two")
            if _is_plain(ratio[name])
        ]
        goes_up = _size(ratio["one"]) <= _size(ratio["two"]) and sum(sizes) != 100
        if not (is_range or (goes_up and target == "de")):
            text = re.sub(
                rf"(?<![\w.,])({one}) (?:{wrong}) ({two})(?![\w]|[.,][0-9])",
                rf"\1 {between} \2",
                text,
            )
    return text


def _is_plain(number: str) -> bool:
    return len(re.findall("[.,]", number)) < 2


def _size(number: str) -> tuple[int, str]:
    whole = re.split("[.,]", number)[0]
    return len(whole), whole


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
        is_ordinal = re.search(rf"(?<![0-9]){digits}\.[\s),;]", source)
        if not is_ordinal and re.search(rf"[0-9] zu {digits}\.?$", source):
            return digits  # `808 zu 3.` ends a sentence
        return digits + ordinal_suffix(int(digits)) if is_ordinal else ordinal[0]

    return _ORDINAL.sub(right, text)


def ordinal_suffix(number: int) -> str:
    """Return what English puts behind the digits of an ordinal."""
    return "th" if number % 100 in (11, 12, 13) else _SUFFIXES.get(number % 10, "th")
