"""Numbers of a translation written as its language writes them: signs, times of day, ordinals.

Only signs are changed without asking. Everything else is a proposal for one number, and is dropped
unless the number then says what the source says, of the same kind: `4h` is no `4th` where the
source has four hours, and `10m` are no millions where it has ten metres.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from translator.text.abbreviations import is_sentence
from translator.text.characters import primary_language
from translator.text.numbers.digits import Mention
from translator.text.numbers.kinds import PLAIN
from translator.text.numbers.mentions import mentions_in
from translator.text.numbers.signs import digits_of, follow_language
from translator.text.numbers.words import number_words

_HALF_DAY = re.compile(
    r"(?<![\w.,:/])(?P<hour>1[0-2]|0?[1-9])(?:[:.](?P<minute>[0-5][0-9]))?(?:\sUhr)?\s?"
    r"(?P<half>[AaPp])(?:\.\s?[Mm]\b\.?|[Mm]\b)(?:\sUhr\b)?"
)
_HOUR = re.compile(r"(?<![\w.,:])[0-9]+(?!\w|,[0-9])")
_PART_OF_DAY = (
    r"\s(?:(?:[ap]\.?\s?m|bis|und)\b|[-–]|(?:morgen|vormittag|mittag|nachmittag|abend|nacht)s\b"
    r"|früh|am\s|in der)"
)
"""A pattern of what stands behind a time and says of which part of the day it is, or goes on."""

_INCH = re.compile(r"(?<=[0-9])-[Ii]nch\b(?=-)")
_FULL_HOURS = re.compile(
    r"(?<![\w.,:])(?P<one>[0-9]{1,2}):00 (?P<word>und|bis) (?P<two>[0-9]{1,2})(?::00)? Uhr\b"
)
_ERA = re.compile(
    r"(?:\b(?P<number>[0-9]+)\.?\s(?:Jahrhundert(?:s|en)?\s)?)?(?P<era>[nv])\. ?Chr\."
)
_EARLIER_ERA = re.compile(
    r"(?P<before>(?:\b(?P<number>[0-9]+)(?:st|nd|rd|th)?\s(?:[Cc]entury\s)?)?)"
    r"\b(?P<era>BCE|BC|B\.C\.E\.|B\.C\.)(?!\w)"
)
_LATER_ERA = {"BCE": "CE", "BC": "AD", "B.C.E.": "C.E.", "B.C.": "A.D."}
_MAY_BE_WORD = re.compile(r"am\s\w")  # `9 am Main`
_GERMAN_ORDINAL = re.compile(
    r"\b(?i:de[rmns]|die|das|[ia]m|zu[mr]|beim|vom|(?:ihr|sein|mein|dein|unser|euer|eur|jed|dies)"
    r"(?:e[nrms]?)?)\s(?P<number>[0-9]{1,3})\.\s(?P<noun>[A-ZÄÖÜ]\w+)"
)
_FIRST_ORDINAL = re.compile(r"(?P<number>[0-9]{1,3})\.\s(?P<noun>[A-ZÄÖÜ][\w-]+)")
_FIRST_NUMBER = re.compile(r"(?P<number>[0-9]{1,3})\.?\s(?P<word>[A-Za-z][\w-]+)")
_LISTED_ORDINALS = re.compile(
    r"(?<![\w.,:/-])(?P<list>[0-9]{1,3}\.(?:,\s[0-9]{1,3}\.)*,?\s(?:und|oder|bis)\s[0-9]{1,3}\.)"
    r"\s(?P<noun>[A-ZÄÖÜ]\w+)"
)
_YEAR = r"(?P<year>(?:1[0-9]|20)[0-9]{2})"
_AROUND_YEAR = re.compile(rf"\b[Uu]m {_YEAR}(?=$|[,;:!?)]|\.(?![0-9])| (?!bis\b|auf\b)[a-zäöü])")
_AT_YEAR = re.compile(rf"\b(?P<before>[Aa])t (?:the year )?{_YEAR}(?![\w:/-]|[.,][0-9])")
_OCLOCK = re.compile(r"(?<=[0-9]:[0-5][0-9]) o['’]clock\b")
_ENDING = re.compile(r"(?<![\w.,:/-])(?P<digits>[0-9]{1,4})(?P<ending>st|nd|rd|th|[dhnrst]{1,3})\b")
_RATIO = re.compile(
    r"(?P<one>(?<![\w.,])[0-9]+(?:[.,][0-9]+)*) (?:zu|to)"
    r" (?P<two>[0-9]+(?:[.,][0-9]+)*)(?!\w|[.,][0-9])(?P<percent>\s?(?:%|percent|per cent))?"
)
_ODDS = re.compile(
    r"(?i:\b(?:odds|chances?|probability|likelihood|ratio|proportion)(?:\s[a-z]+){0,2}\s)$"
)
_LOOK_BACK = 48
_MINUS = re.compile(r"(?<![^\s(\[])(?P<sign>[-\u2212])(?P<digits>[0-9]+(?:[.,][0-9]+)*)")
_TWELVE = re.compile(r"(?<![\w.,:])12(?:[:.][0-5][0-9])?\s?(?P<half>[Aa])(?=\.?\s?[Mm]\b)")
_DIGIT = re.compile("[0-9]")
_METRES = re.compile(r"(?<![\w.,])(?P<digits>[0-9]+(?:[.,][0-9]+)*)\s?m\b")
_SHORT_MILLIONS = re.compile(r"[$€£]\s?[0-9.,]+m\b")
_UNIT_FIRST = re.compile(
    r"(?<!\w)(?P<unit>°[CF]|mAh|kWh|[kMGT]B|[MG]Hz|k[gm]|[cm]m)"
    r" (?P<digits>[0-9]+(?:[.,][0-9]+)*)(?![\w]|[.,][0-9]|\s?(?P=unit))"
)
_SHORT_SCALE = re.compile(
    r"(?<![0-9])(?<![0-9][.,])(?P<digits>[0-9]+(?:[.,][0-9]+)*)\s?(?P<scale>bn|tn)\b"
)
_SCALES = {"bn": "Milliarden", "tn": "Billionen"}
_BEFORE_BRACKET = re.compile(r"(?<![\w.,:/-])(?P<digits>[0-9]{1,4})\.(?= \()")
_DAYS = re.compile(
    r"(?<![\w.,:/–-])(?P<one>[0-9]{1,2})\s?[-–]\s?(?P<two>[0-9]{1,2})\.\s(?P<month>[A-Z]\w+)"
)
_ENGLISH_DAYS = re.compile(
    r"(?<![\w.,:/–-])(?P<one>[0-9]{1,2})(?:(?:st|nd|rd|th),?|,)\s?[-–]\s?(?P<two>[0-9]{1,2})(?!\w)"
)
_RANGE = re.compile(
    r"(?<![\w.,:/–-])(?P<one>[0-9]+(?:[.,][0-9]+)*)(?P<dash>[-–])(?P<two>[0-9]+(?:[.,][0-9]+)*)"
    r"(?![\w–-]|[.,:/][0-9])"
)
_SPEAKS_OF_SCORES = re.compile(
    r"(?i:\b(?:beat|defeat|draw|drew|final|game|goal|half-?time|lead|leading|led|lose|loses|losing"
    r"|loss|lost|match|odds|ratio|score|set|tie|tied|victor|win|won)[a-z]{0,3}\b)"
)
_RULER = re.compile(
    r"\b(?P<name>Albert|Alexander|Alfonso|Benedict|Benedikt|Carl|Catherine|Charles|Christian|Edward"
    r"|Eduard|Elisabeth|Elizabeth|Francis|Franz|Frederick|Friedrich|Georg|George|Gustav|Harald"
    r"|Heinrich|Henry|Ivan|Iwan|Jakob|James|Johannes|John Paul|Juan Carlos|Karl|Katharina|Leopold"
    r"|Louis|Ludwig|Margrethe|Mary|Napoleon|Nicholas|Nikolaus|Olaf|Oscar|Otto|Paul|Philip|Philipp"
    r"|Philippe|Pius|Ramses|Richard|Rudolf|Rudolph|Umberto|Wilhelm|Wilhelmina|William"
    r"|Johannes Paul)\s(?P<number>(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3}))(?!\w|\.)"
)
_ROMAN = re.compile(r"[IVX](?<=\s[IVX])[IVX]*(?!\w|\.)")
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


class Proposal(NamedTuple):
    """A number of a translation, and how to write it instead.

    Attributes:
        start: where it begins.
        end: where it ends.
        written: what takes its place.
        language: in whose way it is written; empty if in that of the translation.
    """

    start: int
    end: int
    written: str
    language: str = ""


def follow_habits(translation: str, source: str, languages: tuple[str, str]) -> str:
    """Return a translation whose numbers are written as its language writes them.

    Args:
        translation: with placeholders for the spans that must come back verbatim.
        source: what it is a translation of, with the spans in their places.
        languages: codes of the source's and the translation's.
    """
    text = follow_language(translation, source, languages)
    if [*map(primary_language, languages)] == ["en", "de"]:
        text = _with_ruler(text, source)
    if not _DIGIT.search(source):
        return text  # as mostly
    text = _with_minus(text, source)
    text = _with_days(text, source, primary_language(languages[1]))
    pair = primary_language(languages[0]), primary_language(languages[1])
    if {*pair} == {"de", "en"}:
        text = _with_ratios(text, source, pair[1])
    if pair == ("en", "de"):
        text = _with_ranges(text, source)
        text = _INCH.sub("-Zoll", text)
        text = _FULL_HOURS.sub(r"\g<one> \g<word> \g<two> Uhr", text)
    elif pair == ("de", "en"):
        text = _with_ordinals(_OCLOCK.sub("", text), source)
        text = _with_eras(text, source) if "Chr." in source else text
        text = _around_years(text, source) if "m 1" in source or "m 2" in source else text
    for propose in _PROPOSE.get(pair, ()):
        proposals = _apart(propose(text, source))
        if proposals:  # as hardly ever
            text = _with_proposals(text, proposals, source, pair)
    return text


def _apart(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return the proposals in the order of the text, and the first one for each place."""
    apart: list[Proposal] = []
    for proposal in sorted(proposals, key=lambda one: one.start):
        if not apart or apart[-1].end <= proposal.start:
            apart.append(proposal)
    return apart


def _with_proposals(
    text: str, proposals: Sequence[Proposal], source: str, pair: tuple[str, str]
) -> str:
    """Return a text with those proposals after which a number is one of the source.

    The numbers of the text are read once without the proposals and once with all of them: a list
    of times may have fifty.
    """
    whole, starts = _written(text, proposals)
    ours, changed = mentions_in(source, pair[0]), mentions_in(whole, pair[1])
    kept, accepted, replaced = list[Proposal](), list[Mention](), set[int]()
    for proposal, new_start in reversed([*zip(proposals, starts, strict=True)]):
        start, end, written, language = proposal
        theirs = mentions_in(text, language or pair[1])
        before = _mention_within(theirs, start, end)
        after = _mention_within(changed, new_start, new_start + len(written))
        if before is None or after is None:
            continue
        left = [one for one in theirs if one is not before and one.start not in replaced]
        if _keeps_kinds(before, after, ours, [*accepted, *left]):
            kept.append(proposal)
            accepted.append(after)
            replaced.update(range(start, end))
    return _written(text, kept[::-1])[0]


def _written(text: str, proposals: Iterable[Proposal]) -> tuple[str, list[int]]:
    """Return a text with all of the proposals, and where each begins in it."""
    written, starts, end = "", list[int](), 0
    for proposal in proposals:
        written += text[end : proposal.start]
        starts.append(len(written))
        written += proposal.written
        end = proposal.end
    return written + text[end:], starts


def _keeps_kinds(
    before: Mention, after: Mention, ours: Sequence[Mention], others: Sequence[Mention]
) -> bool:
    """Return whether a number, written as proposed, is one of the source, and of its kind.

    What it says without the proposal must be nothing that the source says, unless it says the same.

    Args:
        before: the number as the model has written it.
        after: as proposed.
        ours: the numbers of the source.
        others: those of the translation without this one.
    """
    is_same = _say_the_same(before, after)
    if not is_same and any(_say_the_same(one, before) for one in ours):
        return False
    sources = [one for one in ours if _say_the_same(one, after)]
    if not is_same:
        sources = [one for one in sources if one.kinds == after.kinds or not one.kinds & PLAIN]
    return len(sources) > sum(_says_first(one, after) for one in others)


def _mention_within(mentions: Sequence[Mention], start: int, end: int) -> Mention | None:
    return next(
        (one for one in mentions if start <= one.start < end and one.kind == "digits"), None
    )


def _say_the_same(one: Mention, other: Mention) -> bool:
    return bool(one.kinds & other.kinds) and not {*one.readings}.isdisjoint(other.readings)


def _says_first(one: Mention, other: Mention) -> bool:
    """Return whether the likeliest reading of a number is one of another number."""
    return bool(one.kinds & other.kinds) and one.readings[0] in other.readings


def _with_minus(text: str, source: str) -> str:
    """Return a translation with the minus sign of its source before the same digits."""
    if "\u2212" not in source:
        return text
    signs: dict[str, set[str]] = {}
    for number in _MINUS.finditer(source):
        signs.setdefault(digits_of(number["digits"]), set()).add(number["sign"])

    def signed(number: re.Match[str]) -> str:
        is_sure = signs.get(digits_of(number["digits"])) == {"\u2212"}
        return "\u2212" + number["digits"] if is_sure else number[0]

    return _MINUS.sub(signed, text)


def _with_ruler(text: str, source: str) -> str:
    """Return a German translation with a dot behind the number of a ruler: `Henry VIII. hatte`."""
    if not _ROMAN.search(source):
        return text  # as mostly
    numbers = {ruler["number"] for ruler in _RULER.finditer(source)}
    if not numbers:
        return text
    return _RULER.sub(
        lambda ruler: f"{ruler[0]}." if ruler["number"] in numbers else ruler[0], text
    )


def _with_days(text: str, source: str, target: str) -> str:
    """Return a translation with the dots and commas of a range of days, and of no other number.

    That is `18.–24. März` for `18-24. März`, `Woche 12 (` for `Woche 12. (`, and `May 1–5` for
    `May 1,-5`.
    """
    if target == "de":
        months = number_words("de").months

        def is_days(days: re.Match[str]) -> bool:
            is_range = re.search(rf"\b{days['one']}\s?[-–]\s?{days['two']}\b", source)
            return is_range is not None and days["month"].casefold() in months

        text = _DAYS.sub(
            lambda days: (
                f"{days['one']}.–{days['two']}. {days['month']}" if is_days(days) else days[0]
            ),
            text,
        )
        return _BEFORE_BRACKET.sub(
            lambda number: (
                number["digits"] if _is_cardinal(number["digits"], source) else number[0]
            ),
            text,
        )
    if target == "en":
        text = _ENGLISH_DAYS.sub(
            lambda days: (
                f"{days['one']}–{days['two']}"
                if re.search(rf"\b{days['one']}\.\s?[-–]\s?{days['two']}\.", source)
                else days[0]
            ),
            text,
        )
    return text


def _is_cardinal(digits: str, source: str) -> bool:
    """Return whether digits stand before a bracket in a source, and are an ordinal nowhere."""
    is_ordinal = re.search(rf"(?<![\w.,:/-]){digits}(?:\.|st|nd|rd|th)", source)
    return f"{digits} (" in source and is_ordinal is None


def _with_ranges(text: str, source: str) -> str:
    """Return a German translation with the dashes of the ranges of its source.

    A model writes hyphens for them. In fragments, it also writes `4:6` for `4–6`: that is a score
    if the first number is the higher one, or a word of the source says so.
    """
    may_be_score = _SPEAKS_OF_SCORES.search(source) is not None
    for found in _RANGE.finditer(source):
        sides = one, two = found["one"], found["two"]
        is_rising = all(map(str.isdigit, sides)) and Decimal(one) < Decimal(two)
        wrong = r"(?:-|:\s?)" if is_rising and not may_be_score else "-"
        one, two = (re.sub("[.,]", "[.,]?", side) for side in sides)
        text = re.sub(
            rf"(?<![\w.,:/–-])({one}){wrong}({two})(?!\w|[.,:/][0-9]|\sUhr)",
            rf"\g<1>{found['dash']}\g<2>",
            text,
        )
    return text


def _with_ratios(text: str, source: str, target: str) -> str:
    """Return a translation that sets two numbers against each other: no `100 bis 1` for 100 to 1.

    German says so itself with `zu`. English does not: two shares add up to 100 percent, or a word
    such as `odds` stands before them. All else may be a range.
    """
    if (" to " if target == "de" else " zu ") not in source:
        return text
    between, wrong = ("zu", "bis|auf|an|nach") if target == "de" else ("to", "on|too")
    for ratio in _RATIO.finditer(source):
        if target == "de" and not _is_ratio(ratio):
            continue
        one, two = (re.sub("[.,]", "[.,]?", ratio[name]) for name in ("one", "two"))
        text = re.sub(
            rf"(?<![\w.,])({one}) (?:{wrong}) ({two})(?![\w]|[.,][0-9])", rf"\1 {between} \2", text
        )
    return text


def _is_ratio(numbers: re.Match[str]) -> bool:
    """Return whether two numbers of an English sentence are surely set against each other."""
    start = numbers.start()
    if _ODDS.search(numbers.string, max(0, start - _LOOK_BACK), start):
        return True
    sides = [numbers[name] for name in ("one", "two")]
    is_plain = all(re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", side) for side in sides)
    is_share = numbers["percent"] is not None
    return is_share and is_plain and abs(sum(map(float, sides)) - 100) < 0.001


def _with_eras(text: str, source: str) -> str:
    """Return a translation with `CE` for each `BCE`, and `AD` for each `BC`, of an `n. Chr.`.

    A sentence that ends with one of them has a full stop behind it.

    If the source has both eras, the number before it tells which one is meant.
    """
    eras: dict[str, set[str]] = {}
    for era in _ERA.finditer(source):
        eras.setdefault(era["number"] or "", set()).add(era["era"])
    is_ours = {*itertools.chain(*eras.values())} == {"n"}

    def right(found: re.Match[str]) -> str:
        is_wrong = is_ours or eras.get(found["number"] or "") == {"n"}
        return found["before"] + (_LATER_ERA[found["era"]] if is_wrong else found["era"])

    text = _EARLIER_ERA.sub(right, text)
    is_without_stop = text[-1:].isalnum() and source.endswith("Chr.") and is_sentence(source, "de")
    return f"{text}." if is_without_stop else text


def _around_years(text: str, source: str) -> str:
    """Return a translation with `around 1850` for `um 1850`, which a model takes for a time."""
    years = {found["year"] for found in _AROUND_YEAR.finditer(source)}
    return _AT_YEAR.sub(
        lambda at: at["before"] + "round " + at["year"] if at["year"] in years else at[0], text
    )


def _with_ordinals(text: str, source: str) -> str:
    """Return a translation with `2nd` for the `2.` of `1st, 2. and 3rd prize`, and `4th class`.

    A sentence that begins with digits, a dot and a noun begins with an ordinal: marks of lists are
    no part of it.
    """
    months = number_words("de").months
    for ordinals in _LISTED_ORDINALS.finditer(source):
        for digits in re.findall("[0-9]+", ordinals["list"]):
            alone = list(re.finditer(rf"(?<![\w.,:/-]){digits}\.?(?=,?\s)", text))
            if len(alone) == 1 and ordinals["noun"].casefold() not in months:
                ordinal = digits + ordinal_suffix(digits)
                text = text[: alone[0].start()] + ordinal + text[alone[0].end() :]
    first, number = _FIRST_ORDINAL.match(source), _FIRST_NUMBER.match(text)
    if not first or not number or first["number"] != number["number"]:
        return text
    noun, word, digits = first["noun"], number["word"], number["number"]
    if noun.casefold() in months:
        return text
    word = word if word == noun else word[0].lower() + word[1:]
    return f"{digits}{ordinal_suffix(digits)} {word}{text[number.end() :]}"


def _units_behind(text: str, source: str) -> Iterator[Proposal]:
    """Propose `4000 mAh` for `mAh 4000` if the source has it so."""
    for found in _UNIT_FIRST.finditer(text):
        digits = re.sub("[.,]", "[.,]?", found["digits"])
        if re.search(rf"(?<![\w.,]){digits}[\s-]?{found['unit']}\b", source):
            yield Proposal(*found.span(), f"{found['digits']} {found['unit']}")


def _times(text: str, source: str) -> Iterator[Proposal]:
    """Propose `15:30 Uhr` for `3:30 pm`."""
    for time in _HALF_DAY.finditer(text):
        hour = int(time["hour"]) % 12 + (12 if time["half"] in "pP" else 0)
        minute = f":{time['minute']}" if time["minute"] else ""
        language = "" if _MAY_BE_WORD.match(text, time.start("half")) else "en"
        yield Proposal(*time.span(), f"{hour}{minute} Uhr", language)


def _24_hours(text: str, source: str) -> Iterator[Proposal]:
    """Propose `19:30 Uhr` for the `7:30 Uhr`, or the bare `19:30`, that a model makes of 7:30 p.m.

    A part of the day behind it, such as `abends`, says the same.
    """
    times = [*_HALF_DAY.finditer(source)]
    hours = Counter(_HOUR.findall(source)) if times else Counter[str]()
    for time in times:
        hour, minute = int(time["hour"]), time["minute"]
        later = hour % 12 + (12 if time["half"] in "pP" else 0)
        if hours[time["hour"]] > 1:
            continue  # two times of the same hour cannot be told apart
        minutes = f":{minute}" if minute else ""
        shown = rf"[:.]{minute}(?:\sUhr\b|(?!\sUhr))" if minute else r"(?:[:.]00)?\sUhr\b"
        for found in re.finditer(
            rf"(?<![\w.,:/-])0?(?:{hour}|{later}){shown}(?![\w:]|[.,-]\w|{_PART_OF_DAY})", text
        ):
            if found[0].endswith("Uhr") and re.match(rf"{later}\b", found[0]):
                continue  # as it should be
            yield Proposal(*found.span(), f"{later}{minutes} Uhr")


def _millions(text: str, source: str) -> Iterator[Proposal]:
    """Propose `950 Millionen` for the 950m of `$950m`."""
    if _SHORT_MILLIONS.search(source):
        for found in _METRES.finditer(text):
            yield Proposal(*found.span(), f"{found['digits']} Millionen")


def _scales(text: str, source: str) -> Iterator[Proposal]:
    """Propose `30 Milliarden` for `30bn`."""
    for found in _SHORT_SCALE.finditer(text):
        yield Proposal(*found.span(), f"{found['digits']} {_SCALES[found['scale']]}")


def _noon(text: str, source: str) -> Iterator[Proposal]:
    """Propose 12 p.m. for the 12 a.m. that a model makes of `12 Uhr`."""
    for time in _TWELVE.finditer(text) if "12" in source else ():
        yield Proposal(*time.span(), time[0][:-1] + ("p" if time["half"] == "a" else "P"))


def _suffixes(text: str, source: str) -> Iterator[Proposal]:
    """Propose `22nd birthday` for `22 birthday`."""
    for ordinal in _GERMAN_ORDINAL.finditer(source):
        if ordinal["noun"].casefold() in number_words("de").months:
            continue
        digits = ordinal["number"]
        alone = list(re.finditer(rf"(?<![\w.,:/-]){digits}(?=\s[a-z])", text))
        if len(alone) == 1:
            yield Proposal(*alone[0].span(), digits + ordinal_suffix(digits))


def _endings(text: str, source: str) -> Iterator[Proposal]:
    """Propose `33rd` for `33d`, `33s` and `33th`, and 3 for the `3th` of `808 zu 3`."""
    for found in _ENDING.finditer(text):
        digits = found["digits"]
        if re.search(rf"[0-9] zu {digits}\.?$", source):
            yield Proposal(*found.span(), digits)
        elif re.search(rf"(?<![0-9]){digits}\.[\s),;]", source):
            yield Proposal(*found.span(), digits + ordinal_suffix(digits))


_PROPOSE: dict[tuple[str, str], tuple[Callable[[str, str], Iterator[Proposal]], ...]] = {
    ("en", "de"): (_units_behind, _times, _24_hours, _millions, _scales),
    ("de", "en"): (_units_behind, _noon, _suffixes, _endings),
}


def ordinal_suffix(digits: str) -> str:
    """Return what English puts behind the digits of an ordinal."""
    number = int(digits[-2:])  # of any length
    return "th" if number in (11, 12, 13) else _SUFFIXES.get(number % 10, "th")
