"""Days, weekdays and months as a model reads them: in full, and ranges with both their months.

`from May 1-7` is `from 1 to 7 May`, `Mo–Fr` is `von Montag bis Freitag`, and `am 12.2.` is
`am 12. Februar`.
"""

from __future__ import annotations

import re

from translator.text.abbreviations import stop_of
from translator.text.placeholders import PLACEHOLDER

_MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "en": "January February March April May June July August September October November December",
}
_WEEKDAYS = {
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
}
_SHORT_MONTHS = {
    language: {name[:3]: name for name in names.split() if len(name) > 3} | {"Sept": "September"}
    for language, names in _MONTHS.items()
}
_SHORT_MONTHS["de"]["Mrz"] = "März"
_SHORT_WEEKDAYS = {
    "de": {name[:2]: name for name in _WEEKDAYS["de"].split()},
    "en": {name[:3]: name for name in _WEEKDAYS["en"].split()}
    | {"Tues": "Tuesday", "Weds": "Wednesday", "Thur": "Thursday", "Thurs": "Thursday"},
}
_NAME_HINTS = {
    "de": re.compile(
        r"[JFMASOND](?:(?:an|eb|rz|är|pr|un|ul|ug|ept?|kt|ov|ez)(?:[a-z]+)?(?:\.|\s[0-9]|\s?[-–/]|\sbis)"
        r"|(?<=[MDFS])(?:[oira](?![a-zäöüß])|(?:[a-z]+tag|ittwoch)s?(?:,\s[0-9]|\sbis\s|\s?[-–])))"
    ),
    "en": re.compile(
        r"[ADFJMNOSTW](?:an|eb|ar|pr|un|ul|ug|ept?|ct|ov|ec|on|ues?|eds?|hu|hurs?|ri|at)(?![a-zäöü])"
    ),
}
_NUMBER_HINTS = {
    "de": re.compile(r"[0-9]\.\s?[0-9]{1,2}\."),
    "en": re.compile(
        r"[0-9](?:st|nd|rd|th)?(?:,\s[0-9]{4})?(?:\s?[-–—]\s?|\sto\s)[0-9A-Z]"
        r"|[0-9]\s[A-Z][a-z]+\s?[-–—]\s?[0-9A-Z]"
    ),
}
_DASH_HINT = re.compile(r"[hlry]\s?[-–—]\s?[A-Z]")
"""One of them is found in every text that may have something to write otherwise."""

_EN_MONTH, _DE_MONTH = (_MONTHS[language].replace(" ", "|") for language in ("en", "de"))
_EN_SHORT, _DE_SHORT = ("|".join(_SHORT_MONTHS[language]) for language in ("en", "de"))
_EN_WEEKDAY, _DE_WEEKDAY = ("|".join(_SHORT_WEEKDAYS[language]) for language in ("en", "de"))
_EN_FULL, _DE_FULL = (_WEEKDAYS[language].replace(" ", "|") for language in ("en", "de"))
_DE_ANY_WEEKDAY = f"{_DE_FULL}|{_DE_WEEKDAY}"
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])"
_TH = r"(?:st|nd|rd|th)?"

_SHORT_MONTH = {
    "en": re.compile(
        rf"(?P<day>(?<![\w.,:/-])(?:the\s)?{_DAY}{_TH}\s(?:of\s)?)(?P<behind>{_EN_SHORT})\b(?:\.(?P<last>$)?)?"
        rf"|\b(?P<run>(?:(?:{_EN_SHORT})\.?\s?[-–/]\s?|(?<=[Ff]rom\s)(?:{_EN_SHORT})\.?\sto\s)(?:{_EN_SHORT}))\b\.?(?=\s[0-9]{{4}}|[\s,;:)]|$)"
        rf"|\b(?P<month>{_EN_SHORT})\b(?:\.?(?=\s?{_DAY}{_TH}(?![\w:]|[.,][0-9]{{1,2}}\b)|\s[0-9]{{4}}(?!\w))"
        r"|\.(?=[:,)]|\s[a-z]))"
        rf"|(?<=\b[Ii]n )(?P<within>Feb|Apr|Aug|Sept?|Oct|Nov|Dec)\b(?:\.(?P<end>$)?)?"
    ),
    "de": re.compile(
        rf"(?P<day>(?<![\w.,:/-]){_DAY}\.\s?)(?P<behind>{_DE_SHORT})\b(?:\.(?P<last>$)?)?"
        rf"|\b(?P<month>{_DE_SHORT})\b(?:\.?(?=\s[0-9]{{4}}(?!\w))|\.(?=[:,)–-]|\s[a-z0-9]))"
    ),
}
_EN_DAY_NAMES = re.compile(
    rf"\b(?P<run>(?:{_EN_WEEKDAY})\b\.?(?:(?:\s?[-–/&+]\s?|,\s(?:and\s|or\s)?|\s(?:and|or|to|through)\s)"
    rf"(?:{_EN_WEEKDAY})\b(?:\.(?!$))?)+)"
    rf"|\b(?P<before>{_EN_WEEKDAY})\b(?:\.?(?=,?\s(?:{_EN_MONTH}|{_DAY}{_TH}\s(?:of\s)?(?:{_EN_MONTH}))\b)"
    r"|\.?(?=\s(?:morning|afternoon|evening|night|only)s?\b))"
    rf"|(?:(?<=\b[Oo]n )|(?<=\b[Uu]ntil )|(?<=\b[Nn]ext )|(?<=\b[Ll]ast )|(?<=\b[Ee]very ))"
    rf"(?P<alone>{_EN_WEEKDAY})\b(?:\.(?P<last>$)?)?(?![-'’]|\s[A-Z])"
    rf"|^(?P<first>{_EN_WEEKDAY})\.?(?=:|,?\s[0-9]|$)"
)
_SLASH = re.compile(r"\s?/\s?")
"""Between two days; a model does not read the second one well if no space is before it."""

_EN_RANGE = re.compile(rf"\b(?P<one>{_EN_FULL})\s?[-–—]\s?(?=(?:{_EN_FULL})\b)")
_EN_MONTHS = re.compile(
    rf"\b(?P<one>{_EN_MONTH})\s?[-–—]\s?(?=(?:{_EN_MONTH})\b(?!\s[0-9]{{1,2}}\b))"
)

_VERB = "(?:place|held|there|away|us|you|valid|runs?|[Cc]losed|[Oo]pen|is|are|was|were)"
_TWO_MONTHS = re.compile(
    rf"(?:\b(?P<before>[Ff]rom|[Bb]etween)\s|(?P<verb>\b{_VERB}\s))?"
    rf"\b(?:(?P<one>{_EN_MONTH})\s(?P<day_1>{_DAY}){_TH}|(?P<first>{_DAY}){_TH}\s(?P<one_behind>{_EN_MONTH}))"
    rf"(?:,?\s(?P<year_1>[0-9]{{4}}))?"
    rf"(?:(?P<dash>\s?[-–—]\s?)|\s(?:to|until)\s)"
    rf"(?:(?P<two>{_EN_MONTH})\s(?P<day_2>{_DAY}){_TH}|(?P<second>{_DAY}){_TH}\s(?P<two_behind>{_EN_MONTH}))"
    rf"(?:,?\s(?P<year_2>[0-9]{{4}}))?(?![\w:])"
)
_ONE_MONTH = re.compile(
    rf"(?:(?P<before>\b(?:[Ff]rom|[Bb]etween|[Oo]n)|:)\s"
    rf"|(?P<verb>\b{_VERB}\s)|^|(?P<open>\())?"
    rf"(?:\b(?P<month>{_EN_MONTH})\s(?P<one>{_DAY}){_TH}(?P<dash>\s?[-–—]\s?|\s(?P<to>to)\s)(?P<two>{_DAY}){_TH}"
    rf"|(?<![\w.,:/-])(?P<first>{_DAY}){_TH}\s?[-–—]\s?(?P<second>{_DAY}){_TH}\s(?P<behind>{_EN_MONTH}))"
    rf"(?:,?\s(?P<year>[0-9]{{4}}))?(?![\w:]|[.,-][0-9]|\s?[ap]\.?m\b|\s?%)"
)


def days_as_read(text: str, language: str) -> str:
    """Return a text with days, weekdays and months as a model reads them more surely.

    Args:
        text: a sentence.
        language: primary code of its language. There are rules for German and English.
    """
    names, numbers = _NAME_HINTS.get(language), _NUMBER_HINTS.get(language)
    if names is None or numbers is None:
        return text
    has_dash = language == "en" and ("-" in text or "–" in text or "—" in text)
    may_have = names.search(text) or numbers.search(text) or (has_dash and _DASH_HINT.search(text))
    if not may_have:
        return text  # as mostly
    return _english(text) if language == "en" else _german(text)


def _english(text: str) -> str:
    text = _SHORT_MONTH["en"].sub(lambda found: _month(found, "en"), text)
    text = _EN_DAY_NAMES.sub(_weekdays, text)
    text = _EN_RANGE.sub(r"\g<one> to ", text)
    text = _EN_MONTHS.sub(r"\g<one> to ", text)
    text = _TWO_MONTHS.sub(_in_two_months, text)
    return _ONE_MONTH.sub(_in_one_month, text)


def _month(found: re.Match[str], language: str) -> str:
    names, parts = _SHORT_MONTHS[language], found.groupdict()
    if parts.get("run"):
        return " to ".join(
            names[one.strip(". ")] for one in re.split(r"[-–/]|\sto\s", parts["run"])
        )
    name = names[parts["behind"] or parts["month"] or parts["within"]]
    is_last = parts["last"] is not None or parts.get("end") is not None
    return (parts["day"] or "") + name + stop_of(found.string, language, is_last=is_last)


def _weekdays(found: re.Match[str]) -> str:
    names = _SHORT_WEEKDAYS["en"]
    if found["run"]:
        return _SLASH.sub(
            " / ", re.sub(rf"\b({_EN_WEEKDAY})\b\.?", lambda one: names[one[1]], found["run"])
        )
    name = names[found["before"] or found["alone"] or found["first"]]
    if found["first"] in ("Sat", "Sun") and found[0] == found.string:
        return found[0]
    return name + ("." if found["last"] is not None else "")


def _in_two_months(days: re.Match[str]) -> str:
    """Return `from May 30 to June 5` for `from May 30–June 5`; elsewhere `May 30 – June 5`.

    In brackets, where a model loses the dash, it is `30 May to 5 June`.
    """
    one, two = (
        " ".join(filter(None, (days[month] or days[behind], days[day] or days[early])))
        for month, behind, day, early in (
            ("one", "one_behind", "day_1", "first"),
            ("two", "two_behind", "day_2", "second"),
        )
    )
    before = days["before"] or (days["verb"] and f"{days['verb']}from")
    if before:
        word = "and" if before.casefold() == "between" else "to"
        if days["year_1"]:
            one = f"{' '.join(reversed(one.split()))} {days['year_1']}"
            two = " ".join(reversed(two.split()))
        end = (" " if days["year_1"] else ", ") + days["year_2"] if days["year_2"] else ""
        return f"{before} {one} {word} {two}{end}"
    if not days["dash"] and days.start() > 0:
        return days[0]
    is_in_brackets = days.string[days.start() - 1 : days.start()] == "("
    if is_in_brackets and not (days["year_1"] or days["year_2"]):
        one, two = (f"{day} {month}" for month, day in (one.split(), two.split()))
        return f"{one} to {two}"
    one, two = (
        f"{day}, {year}" if year else day
        for day, year in ((one, days["year_1"]), (two, days["year_2"]))
    )
    return f"{one} – {two}"


def _in_one_month(days: re.Match[str]) -> str:
    """Return `from 1 to 7 May` for `from May 1-7`, and `on 5 and 6 May` for `on May 5–6`."""
    one, two = days["one"] or days["first"], days["two"] or days["second"]
    month = (days["month"] or days["behind"]) + (f" {days['year']}" if days["year"] else "")
    before = days["before"] or ""
    if int(one) >= int(two):
        return days[0]
    if before.casefold() == "between":
        return f"{before} {one} and {two} {month}"
    if before.casefold() == "on" and int(two) == int(one) + 1:
        return f"{before} {one} and {two} {month}"
    if before == ":":
        return f": from {one} to {two} {month}"
    if before:
        return f"{'From' if before[0].isupper() else 'from'} {one} to {two} {month}"
    if days["verb"]:
        return f"{days['verb']}from {one} to {two} {month}"
    is_alone = days["open"] or (days.start() == 0 and days.end() == len(days.string))
    if is_alone and not days["to"]:
        return f"{days['open'] or ''}{one}–{two} {month}"
    return days[0]


_DATE = rf"(?:{_DAY})\.(?:1[0-2]|0?[1-9])\.(?![0-9])"
_AND = (
    r"(?:,\s(?:und\s|oder\s)?|\s(?:und|oder|bis(?:\szum)?|auf\sden|und\sam|und\sdem)\s|\s?[-–]\s?)"
)
_DATES = re.compile(
    rf"(?:(?P<before>\b(?:(?i:[au]m|vom|zum|bis|ab|seit|v\.)|(?:{_DE_ANY_WEEKDAY})\.?,)\s"
    rf"|\b(?i:de[mn])\s|\b[Dd]er\s(?!{_DATE}\s[A-ZÄÖÜ]))(?P<run>(?:{_DAY}\.\s?[-–]\s?)?{_DATE}(?:{_AND}{_DATE})*)"
    rf"|(?<![\w.,:/-])(?P<list>{_DATE}(?:{_AND}{_DATE})+))(?P<last>$)?"
)
_EACH_DATE = re.compile(rf"(?<![0-9.])(?P<day>{_DAY})\.(?P<month>1[0-2]|0?[1-9])\.")
_FROM = r"(?<![\w.-])(?<!\b[Vv]om )(?<!\b[Aa]m )(?:(?P<from>[Vv]on)\s)?"
_TO = r"(?:\s?[-–]\s?|\sbis\s)"
_DE_RUN = re.compile(
    rf"{_FROM}(?P<one>{_DE_ANY_WEEKDAY})s?\.?{_TO}(?P<two>{_DE_ANY_WEEKDAY})s?\b(?!-)(?:\.(?!$))?"
)
_DE_MONTHS = re.compile(
    rf"{_FROM}(?P<one>{_DE_MONTH}|{_DE_SHORT})\b\.?{_TO}(?P<two>{_DE_MONTH}|{_DE_SHORT})\b(?![\w-])"
    r"(?:\.(?!$))?"
)
_PRICE = rf"(?:[0-9]{{1,4}}(?:,[0-9]{{2}})?\s?(?:€|EUR\b|Euro\b)|{PLACEHOLDER.pattern}(?:[,;]\s|$))"
"""A placeholder is mostly one of money."""

_DE_DAY_NAMES = re.compile(
    rf"(?<![\w.-])(?P<run>(?:{_DE_WEEKDAY})\b\.?"
    rf"(?:(?:\s?[/&+]\s?|,\s|\s(?:und|oder|u\.)\s)(?:{_DE_WEEKDAY})\b(?:\.(?!$))?)+)"
    r"(?:(?<=/[A-Z][a-z])|(?<=[+]\s[A-Z][a-z])|(?!\.?\s[A-ZÄÖÜ][a-zäöüß]))"
    rf"|(?<![\w.-])(?P<before>{_DE_WEEKDAY})\b\.?"
    rf"(?=,?\s{_DAY}\.\s?(?:{_DE_MONTH}|(?:1[0-2]|0?[1-9])\.))"
    rf"|(?:(?<=\b[Aa]m )|(?<=\b[Bb]is )|(?<=\b[Aa]b )|(?<=\b[Jj]eden ))(?P<alone>{_DE_WEEKDAY})"
    r"(?![\w-])(?:\.(?P<last>$)?)?(?!\s[A-Z][a-z]+\b(?!\s[a-z]))"
    rf"|(?<![\w.-])(?P<priced>{_DE_WEEKDAY})\b\.?(?=:?\s{_PRICE})(?!(?<=So)[^,;]*[a-z])"
    rf"|^(?P<first>{_DE_WEEKDAY})(?:\.?(?=:)|\.(?=\sgeschlossen)"
    r"|\.?(?=\s[0-9]{1,2}(?:[:.][0-5][0-9])?\s?(?:[-–]|bis|Uhr)))"
)
_ON_A_DAY = re.compile(
    rf"\b(?P<day>[Aa]m (?:{_DE_FULL})), (?=(?:den\s)?{_DAY}\.\s(?:{_DE_MONTH})\b)"
)


def _german(text: str) -> str:
    text = _DE_RUN.sub(lambda found: _from_to(found, _SHORT_WEEKDAYS["de"]), text)
    text = _DE_MONTHS.sub(lambda found: _from_to(found, _SHORT_MONTHS["de"]), text)
    text = _SHORT_MONTH["de"].sub(lambda found: _month(found, "de"), text)
    text = _DATES.sub(_in_words, text)
    text = _DE_DAY_NAMES.sub(_german_weekdays, text)
    return _ON_A_DAY.sub(r"\g<day>, dem ", text)


def _from_to(found: re.Match[str], names: dict[str, str]) -> str:
    """Return `von Montag bis Freitag` for `Mo–Fr`: a model takes `bis` without `von` for a date."""
    one, two = (names.get(found[part], found[part]) for part in ("one", "two"))
    von = found["from"] or ("Von" if found.start() == 0 else "von")
    return f"{von} {one} bis {two}"


def _in_words(dates: re.Match[str]) -> str:
    """Return `am 12. Februar` for `am 12.2.`."""
    words = _EACH_DATE.sub(
        lambda date: f"{int(date['day'])}. {_MONTHS['de'].split()[int(date['month']) - 1]}",
        dates["run"] or dates["list"],
    )
    if between := re.fullmatch(r"(\d+\. \w+)\s?[-–]\s?(\d+\. \w+)", words):
        words = f"{'' if dates['before'] else 'vom '}{between[1]} bis {between[2]}"
    stop = stop_of(dates.string, "de", is_last=dates["last"] is not None)
    before = dates["before"] or dates[0][: dates[0].index(dates["run"] or dates["list"])]
    return ("vom " if before == "v. " else before) + words + stop


def _german_weekdays(found: re.Match[str]) -> str:
    names = _SHORT_WEEKDAYS["de"]
    if found["run"]:
        days = re.sub(rf"\b({_DE_WEEKDAY})\b\.?", lambda one: names[one[1]], found["run"])
        return _SLASH.sub(" / ", days).replace(" u. ", " und ")
    name = names[found["before"] or found["alone"] or found["priced"] or found["first"]]
    return name + ("." if found["last"] is not None else "")
