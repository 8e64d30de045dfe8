"""How German and English write quantities: one way to put each into a sentence, all ways to accept.

This is the judge's own knowledge. It shares nothing with the library, so that a mistake there
cannot hide here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

UNITS = {
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen",
}
TENS = {
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
}
MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "en": "January February March April May June July August September October November December",
}
ORDINALS = {
    "de": {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"},
    "en": {1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth"},
}
SCALES = {
    "de": {6: "Millionen", 9: "Milliarden", 12: "Billionen"},
    "en": {6: "million", 9: "billion", 12: "trillion"},
}
GROUP = {"de": ".", "en": ","}
POINT = {"de": ",", "en": "."}


@dataclass(frozen=True)
class Quantity:
    """Something that a translation must say.

    Attributes:
        text: as the sentence has it.
        accepted: regular expressions of what a translation may have.
    """

    text: str
    accepted: tuple[str, ...]


def grouped(digits: str, language: str) -> str:
    return re.sub(r"(?<=\d)(?=(?:\d{3})+$)", GROUP[language], digits)


def spelled(number: int, language: str) -> str:
    """Return a number below 100 in words."""
    units, tens = UNITS[language].split(), TENS[language].split()
    if number < 20:
        return units[number]
    ten, unit = tens[number // 10 - 2], number % 10
    if not unit:
        return ten
    if language == "en":
        return f"{ten}-{units[unit]}"
    return f"{'ein' if unit == 1 else units[unit]}und{ten}"


def spelled_forms(number: int, language: str) -> list[str]:
    word = spelled(number, language)
    forms = [word, word.replace("-", " "), word.replace("ß", "ss")]
    return list(dict.fromkeys(f"(?i:{form})" for form in forms))


def whole(number: int, source: str, target: str, has_group: bool = True) -> Quantity:
    """A whole number, with thousands separators if it is long."""
    digits = str(number)
    text = grouped(digits, source) if has_group else digits
    accepted = [re.escape(grouped(digits, target)), digits, grouped(digits, "de").replace(".", " ")]
    if number < 100:
        accepted += spelled_forms(number, target)
    return Quantity(text, tuple(accepted))


def verbatim(text: str) -> Quantity:
    return Quantity(text, (re.escape(text),))


def decimal(whole_part: int, fraction: str, source: str, target: str) -> Quantity:
    def written(language: str) -> list[str]:
        digits = str(whole_part)
        forms = {grouped(digits, language), digits}
        return sorted((form + POINT[language] + fraction for form in forms), key=len)

    short = fraction.rstrip("0")
    accepted = [re.escape(form) for form in written(target)]
    if not short:  # 3.00
        accepted += [re.escape(grouped(str(whole_part), target)), str(whole_part)]
    return Quantity(written(source)[-1], tuple(accepted))


def scaled(quantity: Quantity, power: int, source: str, target: str) -> Quantity:
    word = SCALES[target][power]
    short = {"Millionen": "Mio\\.?", "Milliarden": "Mrd\\.?", "Billionen": "Bio\\.?"}
    endings = {
        "Millionen": "Million(?:en)?",
        "Milliarden": "Milliarden?",
        "Billionen": "Billion(?:en)?",
    }
    names = f"(?i:{endings.get(word, word)}|{short.get(word, word)})"
    return Quantity(
        f"{quantity.text} {SCALES[source][power]}",
        tuple(f"{form}[ -]{names}" for form in quantity.accepted),
    )


def date(day: int, month: int, year: int, source: str, target: str, is_long: bool) -> Quantity:
    own = MONTHS[source].split()[month - 1]
    if is_long:
        text = f"{day}. {own} {year}" if source == "de" else f"{own} {day}, {year}"
    elif source == "de":
        text = f"{day:02}.{month:02}.{year}"
    else:
        text = f"{month:02}/{day:02}/{year}"
    name = MONTHS[target].split()[month - 1]
    names = rf"(?:{name}|{name[:3]}\.?|{name[:4]}\.?)"
    one, two = f"0?{day}", f"0?{month}"
    ordinal = r"(?:st|nd|rd|th)?" if target == "en" else r"\.?"
    return Quantity(
        text,
        (
            rf"{one}{ordinal}(?: of)? {names},? {year}",
            rf"{names} {one}{ordinal},? {year}",
            rf"{one}\. ?{two}\. ?{year}",
            rf"{one}/{two}/{year}",
            rf"{two}/{one}/{year}",
            rf"{year}-0?{month}-0?{day}",
        ),
    )


def clock(hour: int, minute: int, source: str, target: str) -> Quantity:
    if source == "de":
        text = f"{hour}.{minute:02} Uhr" if minute else f"{hour} Uhr"
    else:
        half = "am" if hour < 12 else "pm"
        text = f"{hour % 12 or 12}:{minute:02} {half}" if minute else f"{hour % 12 or 12} {half}"
    if target == "de":
        accepted = [rf"0?{hour}[:.]{minute:02}(?: Uhr)?", rf"{hour} Uhr {minute:02}"]
        if not minute:
            accepted.append(rf"(?:{hour}|(?i:{spelled(hour, 'de')})) Uhr")
        if minute == 30 and hour < 12:
            accepted.append(f"(?i:halb {spelled(hour + 1, 'de').removesuffix('s')}s?)")
        if hour > 12:
            behind = r"Uhr (?:nachmittags|abends|nachts|(?:am )?(?:Nachmittag|Abend))"
            accepted.append(rf"{hour - 12}(?:[:.]{minute:02})? {behind}")
    else:
        accepted = [rf"0?{hour}[:.]{minute:02}(?: (?:hours|o'clock|h))?"]
        half = r"a\.?m\.?" if hour < 12 else r"p\.?m\.?"
        accepted.append(rf"(?i:0?{hour % 12 or 12}[:.]{minute:02} ?{half})")
        if not minute:
            accepted += [
                rf"(?i:{hour % 12 or 12} ?{half})",
                rf"{hour} (?:o'clock|hours|h)",
                rf"{hour}",
            ]
            if hour <= 12:
                accepted.append(rf"(?i:{spelled(hour, 'en')} o'clock)")
    return Quantity(text, tuple(accepted))


def clock_by_part(hour: int, part: str, source: str, target: str) -> Quantity:
    """A time on a clock of twelve hours with its part of the day, such as `3 Uhr nachmittags`."""
    german, english = PARTS_OF_DAY[part]
    text = f"{hour} Uhr {german}" if source == "de" else f"{hour} o'clock {english}"
    later = part in ("afternoon", "evening") or (part == "night" and hour > 5)
    full = hour % 12 + (12 if later or part == "noon" else 0)
    full = 0 if part == "night" and hour == 12 else full
    word = spelled(hour, target)
    own = rf"(?:{hour}|(?i:{word}))"
    if target == "en":
        half = r"p\.?m\.?" if full >= 12 else r"a\.?m\.?"
        day = r"(?:noon|midday|at noon|in the \w+|at night|at midnight|o'clock|tonight)"
        names = {0: "|(?i:midnight)", 12: "|(?i:noon|midday)"}.get(full, "")
        accepted = (
            rf"(?i:{own}(?::00)? ?{half})|{own}(?: o'clock)? {day}|{full}(?::00| o'clock){names}"
        )
    else:
        noun = german.removesuffix("s").capitalize()
        day = rf"(?:{german}|{noun}|am Mittag|am \w+|in der Nacht|mittags|nachts)"
        names = {0: "|(?i:mitternacht)", 12: "|(?i:mittag)"}.get(full, "")
        apart = rf"{german} (?:\w+ ){{0,3}}um {own} Uhr"
        accepted = rf"{own}(?:[:.]00)? Uhr {day}|{apart}|{full}(?:[:.]00)? Uhr{names}"
    return Quantity(text, (accepted,))


PARTS_OF_DAY = {
    "morning": ("morgens", "in the morning"),
    "noon": ("mittags", "noon"),
    "afternoon": ("nachmittags", "in the afternoon"),
    "evening": ("abends", "in the evening"),
    "night": ("nachts", "at night"),
}


def ratio(one: Quantity, other: Quantity, source: str, target: str) -> Quantity:
    """Two numbers set against each other, in their order."""
    to = {"de": "zu", "en": "to"}[source]
    unit = "(?: ?%| percent| per cent| Prozent)?"
    between = rf"{unit}(?: (?:zu|gegen|to|against|versus|vs\.?) | ?[-–:] ?)"
    firsts, seconds = ("|".join(sorted(one.accepted, key=len)) for one in (one, other))
    return Quantity(f"{one.text} {to} {other.text}", (rf"(?:{firsts}){between}(?:{seconds})",))


def below_zero(number: int, sign: str, target: str) -> Quantity:
    own = rf"(?:{number}|{spelled_forms(number, target)[0]})"
    after = {"de": r"Grad unter Null", "en": r"degrees below (?:zero|freezing)"}[target]
    return Quantity(f"{sign}{number}", (rf"(?:[-−–]|(?i:minus) ){own}", rf"{own} (?i:{after})"))


def ordinal(number: int, source: str, target: str) -> Quantity:
    accepted = [rf"{number}\.", rf"{number}(?:st|nd|rd|th)", *ordinal_words(number, target)]
    return Quantity(
        f"{number}." if source == "de" else f"{number}{english_suffix(number)}", tuple(accepted)
    )


def english_suffix(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def ordinal_words(number: int, language: str) -> list[str]:
    word = spelled(number, language)
    if language == "de":
        stem = ORDINALS["de"].get(number, word + ("t" if number < 20 else "st"))
        return [rf"(?i:{stem}(?:e[nrsm]?))"]
    head, sep, last = word.rpartition("-")
    unit = number if number < 20 else number % 10
    if unit and unit in ORDINALS["en"]:
        last = ORDINALS["en"][unit]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return [f"(?i:{head}{sep}{last})", f"(?i:{head} ?{last})"]


def fraction(top: int, bottom: int, target: str) -> Quantity:
    text = f"{top}/{bottom}"
    names = {
        "de": {
            2: "(?:halbe[rsnm]?|Hälfte|halb)",
            3: "Drittel[ns]?",
            4: "Viertel[ns]?",
            5: "Fünftel[ns]?",
        },
        "en": {2: "(?:half|halves)", 3: "thirds?", 4: "(?:quarters?|fourths?)", 5: "fifths?"},
    }[target].get(bottom)
    accepted = [re.escape(text), rf"{top} / {bottom}"]
    if names:
        first = spelled(top, target) if top > 1 else "(?:eine?[nmrs]?|one|an?)"
        accepted += [rf"(?i:{first}[ -]?{names})", *([rf"(?i:{names})"] if top == 1 else [])]
    return Quantity(text, tuple(accepted))
