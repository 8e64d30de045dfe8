"""Times of day, as a clock of 24 hours shows them, and halves that are spelled out.

`3:30 pm` is `15.30 Uhr`, and `halb vier`. An hour and a half is `anderthalb` hours, or 90 minutes.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from decimal import Decimal

from translator.text.characters import primary_language, word_set
from translator.text.numbers.digits import Reading
from translator.text.numbers.words import number_words
from translator.text.rewriting import Rule, RuleTable, read_as

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


_12_HOURS = r"(?:1[0-2]|0?[1-9])(?:[:.][0-5][0-9])?"
_NEXT_SENTENCE = (
    r"(?=\s+(?:After|All|And|At|But|He|I|If|In|It|My|No|On|Our|Please|She|So|That|The|Then"
    r"|There|They|This|We|When|You)\b)"
)
_EVENT = (
    r"(?:\b(?i:starts|begins|began|opens|closes|doors?|ends|finish(?:es)?|meets?|met|leaves?|left"
    r"|arrives?|arrived|departs?|departed|breakfast(?: is)?|lunch(?: is)?|dinner(?: is)?|served) at"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?:,| at|, at))\s"
)
_FEWEST_WORDS = 4
"""Of a sentence with a full stop; a line with fewer may end with `p.m.` and have none."""

_OF_HOURS = word_set("a p am pm and closed daily from hours noon open or through till to until")
_SMALL_WORD = re.compile(r"(?<![\w.])[a-z]+\b")
"""A line with no other words in small letters is no sentence: `Office hours: 9 a.m.–5 p.m.`"""

_EN_HOUR = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_EN_TIME = (
    r"(?P<before>\b(?:[Ii]t(?:['’]s| is| was)|[Aa]t|[Aa]bout|[Aa]round|[Bb]y|[Uu]ntil|[Tt]ill"
    r"|[Ss]ince|[Bb]efore|[Aa]fter) (?:about |around |almost |nearly |only )?)"
)
_GOES_ON = (
    r"(?=[.,;:!?)]|$| (?:o['’]clock|and|but|when|in the|at night|on|by|today|tomorrow|tonight|sharp"
    r"|already|now|because|so|from|every)\b)"
)

_DE_HOUR_WORD = "eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf"
_DE_HOUR = rf"{_DE_HOUR_WORD}|1[0-2]|[1-9]"
_DE_GOES_ON = (
    r"(?=[.,;:!?)]|$| (?:ab|an|auf|da|hier|los|oder|und|weg|zurück|morgens|abends|nachts|am|als|in"
    r" der Nacht|beg[ai]nn\w*|bin|brach|endete|fahren|fährt|fuhr|gehen|geht|gibt|ging|habe|hat"
    r"|hörte|ist|kam|kommen|kommt|klingelte|öffnete|rief|ruft|sind|stand|startete|traf|trafen|treffen"
    r"|war|wird|wurde)\b)"
)
_BY_HOW_MUCH = re.compile(
    r"(?i:stieg|stiegen|sank|sanken|sunken|fiel|fielen|gefallen|wuchs|wachsen|erhöh|verringer|zunahm"
    r"|genommen|prozent|punkt|%)"
)
"""Words of sentences in which `um 5` is no time."""

_AGAINST = re.compile(
    r"(?i:\b(?:stimm|kämpf|spiel|sieg|gew[aio]nn|verl[aio]|tausch|[0-9]+ |einer |"
    rf"(?:{_DE_HOUR_WORD}) ))"
)
"""Is in sentences in which a number behind `gegen` may be one of people."""

_LATE = re.compile("nachmittags|abends|am (?:Nachmittag|Abend)")


def _about(time: re.Match[str]) -> str:
    """Return `um etwa 22 Uhr` for `gegen 22 Uhr`, which a model takes for `against`."""
    if time["bare"] and _AGAINST.search(time.string, 0, time.start()):
        return time[0]
    hour = time["hour"] or time["bare"]
    shown = f"{'ein' if hour == 'eins' else hour} Uhr" if hour else time["time"]
    before = time["until"] or ("um" if time["first"] == "g" else "Um")
    return f"{before} etwa {shown}"


def _past(time: re.Match[str]) -> str:
    """Return `um 6:05 Uhr` for `um 5 nach 6`, which a model takes for 5 to 6."""
    minutes = int(time["minutes"])
    if not minutes or _BY_HOW_MUCH.search(time.string):
        return time[0]
    return f"{time['before']}{_german_hour(time['hour'])}:{minutes:02} Uhr"


def _german_hour(name: str) -> int:
    return int(name) if name.isdigit() else number_words("de").cardinals.get(name, 1)


def _in_digits(time: re.Match[str]) -> str:
    """Return `at 7:45` for `at seven forty-five`."""
    words = number_words("en").cardinals
    minute = sum(words[word] for word in time["minute"].split("-"))
    return f"{time['before']}{words.get(time['hour'], 1)}:{minute}"


def _shown_in_words(time: re.Match[str]) -> str:
    """Return a time of day as a clock shows it, such as `12:30` for `halb eins`.

    It is at noon if the words say so.
    """
    part = (time["part"] or "").strip()
    at_m = 60 * _german_hour(time["hour"]) + _MINUTES[time["how"].casefold()]
    if part in ("nachts", "in der Nacht"):
        return f"{_shown(at_m)}{time['part']}"
    if at_m < 60 or _LATE.fullmatch(part):
        at_m = at_m % HALF_DAY_M + HALF_DAY_M
    return _shown(at_m)


def _first_half(times: re.Match[str]) -> str:
    """Return the `10 pm until ` of `10 p.m. to 6 a.m.`: a model may lose that half."""
    return f"{times['one']} {times['half']}m {'until' if times['word'] else '–'} "


def _half_at_an_end(half: re.Match[str]) -> str:
    if half["end"] is not None:
        words = half.string.split()
        if _OF_HOURS.issuperset(_SMALL_WORD.findall(half.string)):
            return f"{half['gap']}{half['half']}m{half['end']}"
        if len(words) < _FEWEST_WORDS:
            return half[0]
    return f"{half['gap']}{half['half']}m.{half['end'] or ''}"


def _range_with_minutes(times: re.Match[str]) -> str:
    one, two = (times[name] or "00" for name in ("minute_1", "minute_2"))
    return f"{times['one']}:{one}–{times['two']}:{two}"


def _with_both_halves(times: re.Match[str]) -> str:
    """Return `3 pm and 5 pm` for `3 and 5 p.m.`; a range beyond noon stays."""
    one, two = (_minutes_of_12_hours(times[name]) for name in ("one", "two"))
    if one >= two:
        return times[0]
    return f"{times['one']} pm {times['word'] or 'to'} {times['two']} pm"


def _minutes_of_12_hours(shown: str) -> int:
    """Return the minutes since noon or midnight of a time such as `7:30` or `12`."""
    hour, _, minute = shown.replace(".", ":").partition(":")
    return 60 * (int(hour) % 12) + int(minute or 0)


_AS_READ = {
    "de": RuleTable(
        Rule(
            "egen ",
            r"\b(?:(?P<until>[Bb]is) )?(?P<first>[Gg])egen"
            r" (?P<time>(?:[01]?[0-9]|2[0-4])(?:[.:][0-5][0-9])? Uhr\b"
            rf"|Mitternacht\b|(?P<hour>{_DE_HOUR_WORD}) Uhr\b"
            r"|(?:(?:(?:fünf|zehn) (?:nach|vor) )?halb|(?:drei ?)?viertel(?: nach| vor)?)"
            rf" (?:{_DE_HOUR})\b|(?P<bare>{_DE_HOUR_WORD}){_DE_GOES_ON})",
            _about,
        ),
        Rule(
            " nach ",
            r"(?P<before>\b(?:[Uu]m|(?:ist|war)(?: es)?(?: jetzt| schon| erst)?) )"
            rf"(?P<minutes>[12]?[0-9]) nach (?P<hour>{_DE_HOUR})(?: Uhr\b)?{_DE_GOES_ON}",
            _past,
        ),
        Rule(
            " nach ",
            r"(?P<before>\b(?:bis|ist|komm(?:e|en|t)|war)(?: es)?(?: jetzt| schon| erst)? )kurz"
            rf"(?= nach (?:halb )?(?:{_DE_HOUR})(?: Uhr\b)?{_DE_GOES_ON})",
            r"\g<before>ein wenig",
        ),
        Rule(
            " Uhr",
            r"\b(?P<hour>[0-9]{1,2}) Uhr (?P<minute>[0-5][0-9])(?=[.,;:!?)]|$)",
            r"\g<hour>:\g<minute> Uhr",
        ),
        Rule(
            " Uhr",
            r"\b(?P<before>[Vv]on|[Zz]wischen) (?P<one>1[2-9]|2[0-4]) (?P<word>bis|und) "
            r"(?P<two>[1-9]|1[01]) Uhr\b",
            r"\g<before> \g<one>:00 \g<word> \g<two>:00 Uhr",
        ),
        Rule(
            " Uhr",
            r"(?<![\w.,:/–-])(?P<hour>[0-9]|1[0-9]|2[0-3])"
            r"(?= (?:bis|und) (?:1[3-9]|2[0-3])(?:[:.][0-5][0-9])? Uhr\b)",
            r"\g<hour>:00",
        ),
        Rule(
            " Uhr",
            r"\b(?P<before>[Aa]b|[Bb]is|[Gg]egen|[Nn]ach|[Uu]m|[Vv]or) 24 Uhr\b(?! [0-9])",
            r"\g<before> Mitternacht",
        ),
        Rule(
            " Uhr",
            r"(?<![\w.,:/-])(?P<one>[01]?[0-9]|2[0-4])\.(?P<minute>[0-5][0-9])"
            r"(?P<to>\s?[-–]\s?|\sbis\s)(?P<two>[01]?[0-9]|2[0-4])\.(?=[0-5][0-9] Uhr\b)",
            r"\g<one>:\g<minute>\g<to>\g<two>:",
        ),
        Rule(
            " Uhr",
            r"(?<![\w.,:-])(?P<hour>[01]?[0-9]|2[0-4])\.(?P<minute>[0-5][0-9])(?= Uhr\b)",
            r"\g<hour>:\g<minute>",
        ),
        Rule(
            " Uhr",
            r"(?<![\w.,:/-])(?P<one>[01]?[0-9]|2[0-4])(?::(?P<minute_1>[0-5][0-9]))?\s?[-–]\s?"
            r"(?P<two>[01]?[0-9]|2[0-4])(?::(?P<minute_2>[0-5][0-9]))?(?= Uhr\b)",
            _range_with_minutes,
        ),
        Rule(
            " Uhr",
            r"(?<![\w.,:/–-])(?:(?<=, )(?P<listed>[1-9]|1[0-2])(?= Uhr(?:[,.:;)]|$))"
            r"|(?P<late>1[3-9]|2[0-3])(?= Uhr\b))(?! Uhr [0-9])",
            r"\g<0>:00",
        ),
        Rule(
            "alb |iertel ",
            r"\b(?P<how>(?:(?:fünf|zehn) (?:nach|vor) )?[Hh]alb|[Dd]rei ?viertel"
            r"|(?:(?<=um )|(?<=ist )|(?<=war )|(?<=etwa ))viertel)"
            rf" (?P<hour>{_DE_HOUR})\b(?: Uhr\b)?"
            r"(?P<part>\s(?:nachmittags|abends|mittags|nachts|am (?:Nachmittag|Abend|Mittag)"
            r"|in der Nacht)\b)?",
            _shown_in_words,
        ),
    ),
    "en": RuleTable(
        # `The film starts at 7.30`: a model takes the time for a decimal
        Rule(
            re.compile(r"\.(?<=[0-9]\.)[0-5][05](?![0-9])"),
            rf"(?P<before>{_EVENT}|\bat (?={_12_HOURS} (?:sharp|tonight|today|tomorrow|every|in the"
            r" (?:morning|afternoon|evening)|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b))"
            r"(?P<hour>1[0-9]|2[0-3]|0?[1-9])\.(?P<minute>[0-5][05])"
            r"(?=[,;:!?)]|\.?$|\.\s|\s(?:and|but|every|for|from|in the|on|sharp|this|to|today"
            r"|tomorrow|tonight|until|when|with)\b)",
            r"\g<before>\g<hour>:\g<minute>",
        ),
        Rule(
            re.compile(r"[0-9]\s?[Pp]\.?\s?[Mm]\b"),
            rf"(?<![\w.,:/$€£+-])(?P<one>{_12_HOURS})(?:\s?[-–—]\s?|\s(?P<word>and|to|until|or)\s)"
            rf"(?P<two>{_12_HOURS})\s?[Pp]\.?\s?[Mm]\b(?:\.(?!\s*$|{_NEXT_SENTENCE}))?",
            _with_both_halves,
        ),
        Rule(
            ".m.|. m.",
            rf"(?<![\w.,:/$€£+-])(?P<one>{_12_HOURS})\s?(?P<half>[ap])\.\s?m\."
            rf"(?:\s?[–—]\s?|\s(?P<word>to)\s)(?={_12_HOURS}\s?[ap]\.\s?m\b)",
            _first_half,
        ),
        Rule(
            ".m.|. m.",
            rf"(?<=[0-9])(?P<gap>\s?)(?P<half>[ap])\.\s?m\.(?:(?P<end>\s*$)|{_NEXT_SENTENCE})",
            _half_at_an_end,
        ),
        Rule(
            ".m.",
            r"(?<=[0-9])(?P<gap>\s?)(?P<half>[ap])\.m\.(?=\slocal time\b)",
            r"\g<gap>\g<half>m",
        ),
        # `ten before six`
        Rule(
            re.compile(rf" to (?:{_EN_HOUR}|[1-9])"),
            rf"{_EN_TIME}(?P<minutes>(?:five|ten|twenty(?:-five)?|5|10|20|25)(?: minutes)?) to"
            rf"(?= (?:{_EN_HOUR}|1[0-2]|[1-9]){_GOES_ON})",
            r"\g<before>\g<minutes> before",
        ),
        Rule("half ", rf"{_EN_TIME}half(?= (?:{_EN_HOUR}){_GOES_ON})", r"\g<before>half past"),
        Rule(
            " ten|teen|twenty|thirty|forty|fifty|-ten",
            rf"{_EN_TIME}(?P<hour>{_EN_HOUR})[ -](?P<minute>{_MINUTE_WORDS['en']}){_GOES_ON}",
            _in_digits,
        ),
    ),
}


def times_as_read(text: str, language: str) -> str:
    """Return a text with times of day as a model reads them more surely.

    Both times of a range have their half of the day, `p.m.` has a full stop behind it if it ends a
    sentence, and minutes stand beside their hour.

    Args:
        text: a sentence.
        language: primary code of its language.
    """
    return read_as(text, _AS_READ.get(language))


def clock_readings(
    text: str, start: int, end: int, language: str
) -> tuple[tuple[Reading, ...], int] | None:
    """Return the times that digits may be, and where those end; None if they are none.

    Args:
        text: a sentence.
        start: of the digits.
        end: of the digits.
        language: code of its language.
    """
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
        hour = int(name) if is_written else words.cardinals.get(name) or _one(name)
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


def _one(name: str) -> int:
    return 1 if name in ("eins", "one") else 0


def _shown(at_m: int) -> str:
    return f"{at_m // 60 % 24}:{at_m % 60:02}"


def lost_halves(
    source: str, target: str, languages: tuple[str, str]
) -> Iterator[tuple[int, int, Reading]]:
    """Yield numbers and a half of a sentence whose half is not in its translation.

    Args:
        source: a sentence.
        target: its translation.
        languages: codes of both.

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
