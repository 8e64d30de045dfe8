"""The numbers that a sentence mentions, each with the quantities that it may stand for.

`1.200` is 1200 in German and 1.2 in English; `3 pm` is 15:00; `27.12.2020` has three parts, and so
has `27 December 2020`. A mention that can be read in several ways has several readings, and two
mentions agree if they share one.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from translator.text.numbers.clock import clock_readings, clocks_in_words
from translator.text.numbers.compounds import HINTS, compound_number
from translator.text.numbers.digits import (
    Reading,
    name_readings,
    readings_of_digits,
    suffix_readings,
)
from translator.text.numbers.signs import number_signs
from translator.text.numbers.words import NumberWords, number_words, roman_number

Kind = Literal["digits", "word", "related", "scale"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A number in a sentence.

    Attributes:
        start: where it begins.
        end: where it ends, with what multiplies it and with `pm` or `Uhr`.
        digits_end: where its first token ends.
        text: as it stands there.
        readings: what it may mean, the likeliest first.
        kind: `digits`; `word` if it is spelled out; `related` if it only may be a number; `scale`
            for a word such as `million` by itself.
        is_negative: whether a minus stands before it.
        is_score: whether it and the next one may be a score or a ratio, such as `3 zu 1`.
    """

    start: int
    end: int
    digits_end: int
    text: str
    readings: tuple[Reading, ...]
    kind: Kind
    is_negative: bool = False
    is_score: bool = False

    @property
    def value(self) -> Decimal | None:
        """The number, where the likeliest reading is a single one."""
        first = self.readings[0]
        return first[0] if len(first) == 1 and isinstance(first[0], Decimal) else None


_DIGIT = re.compile(r"[0-9]")
_WORDS = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(
    r"(?P<code>(?<![^\W_])(?<!\$)(?:[0-9]{1,9}(?![xX×])[^\W\d_]{1,9}|[^\W\d_]+)[0-9][^\W_]*)"
    r"|(?P<digits>(?<![0-9.,])[0-9]{1,3}(?:[ \u00a0\u202f\u2009][0-9]{3})+(?![0-9])(?:[.,][0-9]+)?"
    r"|[0-9]+(?:[.,:/][0-9]+|['’][0-9]{3}(?![0-9]))*)(?P<suffix>[^\W\d_]*)"
    r"|(?P<word>[^\W\d_]+)"
)
_MINUS = re.compile(r"(?:(?:^|(?<=[\s(\[]))[-−–]|\b[Mm]inus\s)$")
_NAME = re.compile(r"\S\s[^\W\d_]*[A-ZÄÖÜ][^\W\d_]*\s$")
_COUNTED = re.compile(r"\s?(?:[^\W\d_]|[€$£¥%])|-\w")
LABEL = re.compile(
    r"(?i:\b(?:abb|abbildung|abschnitt|chapter|fig|figure|kapitel|no|nr|part|punkt|release|schritt"
    r"|section|step|tab|tabelle|table|teil|version)\.?|§)\s?$"
)
LOOK_BACK = 24
MOST_WORDS = 20_000
"""That are remembered, numbers or not: a text says the same ones again and again."""

_SCALE_GAP = re.compile(r"[\s-]?")
_WORD_GAP = re.compile(r"[\s-]|\sand\s")
_RANGE_GAP = re.compile(r"(?:\s?[-–—]\s?|-?\s(?:to|bis|und|and|or|oder)\s)(?:[$€£]\s?)?")
_CENTURIES = frozenset(map(Decimal, range(11, 20)))
_LONGEST_GAP = 12
_TO = re.compile(r"\s(?:zu|to)\s")
_DAY_AND_MONTH = re.compile(r"(?:0?[1-9]|[12][0-9]|3[01])\.(?:0?[1-9]|1[0-2])")
_DASH = re.compile("[-–]")
_SPAN = re.compile(
    r"(?i:\b(?:aged?|between|chapters?|from|grades?|items?|lines?|pages?|pp?|sections?|years?)\.?\s)$"
)
"""What stands before a range, and before no score."""

_HALF = re.compile(r"(?i:\b(?:halbe[ns]?|half)\s(?:an?\s)?)$")


def has_numbers(text: str, language: str) -> bool:
    """Return whether a text may mention a number: takes next to no time where it does not."""
    if _DIGIT.search(text):
        return True
    words = number_words(language)
    if words.prefixes and any(hint in text for hint in HINTS):
        return True
    return not words.counting.isdisjoint(_WORDS.findall(text.casefold()))


def mentions_in(text: str, language: str, is_translation: bool = False) -> list[Mention]:
    """Return the numbers of a sentence, in order.

    Args:
        text: with placeholders for what is not language.
        language: its code.
        is_translation: whether it is to say numbers that are known; see `readings_of_digits`.
    """
    words = number_words(language)
    done: list[Mention] = []
    for mention in _tokens(text, language, is_translation):
        joined = _with_before(text, done[-1], mention, words) if done else None
        if joined:
            done[-1] = joined
        else:
            done.append(mention)
    timed = list[Mention]()
    for mention in done:
        if not timed or timed[-1].end <= mention.start:
            timed.append(_with_clock(text, mention, language))
    found = [
        _joined(text, one, other, language) if other else one
        for one, other in itertools.pairwise([*map(_alone, timed), None])
        if one is not None
    ]
    spelled = [
        Mention(
            start=start,
            end=end,
            digits_end=end,
            text=text[start:end],
            readings=readings,
            kind="related",
        )
        for start, end, readings in clocks_in_words(text, language)
    ]
    return [*found, *spelled]


def _tokens(text: str, language: str, is_translation: bool) -> Iterator[Mention]:
    """Yield digits and number words, each by itself."""
    for token in _TOKEN.finditer(text):
        (start, end), kind = token.span(), token.lastgroup
        if kind == "word":
            found, readings = _word(token[0], language)
            if readings:  # as hardly ever
                yield _mention(text, start, end, readings, found)
        elif kind == "code":
            yield _mention(text, start, end, _code_readings(token[0]), "digits")
        else:
            end = token.end("digits")
            readings = _digits(text, token, language, is_translation)
            yield _mention(text, start, end, readings, "digits")


def _mention(text: str, start: int, end: int, readings: tuple[Reading, ...], kind: Kind) -> Mention:
    minus = kind == "digits" and _MINUS.search(text[max(0, start - LOOK_BACK) : start])
    return Mention(
        start=start,
        end=end,
        digits_end=end,
        text=text[start:end],
        readings=readings,
        kind=kind,
        is_negative=bool(minus),
    )


def _digits(
    text: str, token: re.Match[str], language: str, is_translation: bool
) -> tuple[Reading, ...]:
    """Return the readings of digits, with the letters that touch them."""
    digits, suffix, start = token["digits"], token["suffix"], token.start()
    readings = readings_of_digits(digits, number_signs(language), is_translation)
    if _DAY_AND_MONTH.fullmatch(digits) and text.startswith(".", token.end("digits")):
        one, two = map(Decimal, digits.split("."))
        return ((one, two), (two, one), (digits,))
    if not digits.isdigit():
        before = text[max(0, start - LOOK_BACK) : start]
        if _is_name(text, before, token.end("digits")):
            readings = name_readings(digits)
    if not suffix:
        return readings
    is_end = not text[token.end() : token.end() + 1].isdigit()  # and no `3.4e38`
    return suffix_readings(digits, suffix, readings, is_translation and is_end)


def _is_name(text: str, before: str, end: int) -> bool:
    """Return whether digits are a part of a name, such as `Python 3.14`, or of `version 3.14`."""
    if LABEL.search(before):
        return True
    return _NAME.search(before) is not None and not _COUNTED.match(text, end)


def _code_readings(code: str) -> tuple[Reading, ...]:
    """Return the readings of letters with digits: `MP3s` is `MP3`, and `Windows10` has a 10."""
    lower = code.casefold()
    letters = lower.rstrip("0123456789")
    number = lower[len(letters) :]
    readings: tuple[Reading, ...] = ((lower,), (lower.removesuffix("s"),))
    return (*readings, (Decimal(number),)) if letters.isalpha() and number else readings


@functools.lru_cache(MOST_WORDS)
def _word(word: str, language: str) -> tuple[Kind, tuple[Reading, ...]]:
    """Return what kind of number a word is, and its readings; none if it is no number."""
    words = number_words(language)
    lower = word.casefold() if words.is_known else word.lower()
    if lower in words.scales:
        return "scale", ((Decimal(words.scales[lower]),),)
    if lower in words.cardinals:
        return "word", ((Decimal(words.cardinals[lower]),),)
    if words.prefixes and any(hint in lower for hint in HINTS):
        value = compound_number(lower, words.cardinals)
        if value:
            return "word", ((Decimal(value),),)
    values = words.related.get(lower) or ((words.months[lower],) if lower in words.months else ())
    if not values and word.isupper() and (roman := roman_number(word)):
        values = (roman,)
    if not values and words.is_known and (value := words.value_of_prefix(lower)):
        values = (value,)
    return "related", tuple((Decimal(value),) for value in values)


def _with_before(
    text: str, before: Mention, mention: Mention, words: NumberWords
) -> Mention | None:
    """Return two neighbours as one if they are one number: `3 million`, `two hundred and five`."""
    one, other, gap = before.value, mention.value, text[before.end : mention.start]
    if one is None or other is None:
        return None
    if mention.kind == "scale":
        can_be_scaled = before.kind in ("digits", "word", "scale") or (
            before.kind == "related" and one == 1
        )
        if not can_be_scaled or not _SCALE_GAP.fullmatch(gap):
            return None
        tail = one % 1000 if before.kind != "digits" and one > 1000 > other else one
        return _merged(text, before, mention, one - tail + tail * other)
    if before.kind not in ("word", "scale") or mention.kind == "digits":
        return None
    if not _WORD_GAP.fullmatch(gap):
        return None
    is_plain = mention.kind == "word" or mention.text.casefold() == "one"
    if words.has_tens_first and mention.kind == "word" and one in _CENTURIES and 10 <= other < 100:
        return _merged(text, before, mention, 100 * one + other)  # `nineteen eighty-four`
    is_unit_of_tens = (
        words.has_tens_first
        and (gap == "-" or (gap == " " and is_plain))
        and one % 100 >= 20
        and one % 10 == 0
        and 0 < other < 10
    )
    is_rest = is_plain and one >= 100 and one % 100 == 0 and 0 < other < one and other < 1000
    if is_unit_of_tens or (is_rest and " " in before.text):
        return _merged(text, before, mention, one + other)
    return None


def _alone(mention: Mention) -> Mention:
    """Return a word such as `hundred` that no number stands before as one that may be one."""
    return replace(mention, kind="related") if mention.kind == "scale" else mention


def _merged(text: str, one: Mention, other: Mention, value: Decimal) -> Mention:
    kind: Kind = "digits" if one.kind == "digits" else "word"
    is_one = other.value == 1 and one.kind == "word"  # of `twenty-one`
    if (other.kind == "related" and not is_one) or one.kind in ("related", "scale"):
        kind = "related"
    readings: tuple[Reading, ...] = ((value,),)
    if one.kind == "related" and _HALF.search(text, max(0, one.start - LOOK_BACK), other.start):
        readings = ((value / 2,),)
    return replace(
        one, end=other.end, text=text[one.start : other.end], readings=readings, kind=kind
    )


def _with_clock(text: str, mention: Mention, language: str) -> Mention:
    """Return a mention as a time of day, if it is one."""
    if mention.kind != "digits":
        return mention
    found = clock_readings(text, mention.start, mention.end, language)
    if not found:
        return mention
    readings, end = found
    own = mention.readings if end == mention.end else ()
    return replace(mention, end=end, text=text[mention.start : end], readings=(*readings, *own))


def _joined(text: str, one: Mention, other: Mention, language: str) -> Mention:
    """Return a number with what the next one says about it."""
    gap = text[one.end : other.start]
    if not gap or len(gap) > _LONGEST_GAP:
        return one
    before = text[max(0, one.start - LOOK_BACK) : one.start]
    may_be_score = language == "en" and _DASH.fullmatch(gap) and not _SPAN.search(before)
    if may_be_score or _TO.fullmatch(gap):
        one = replace(one, is_score=True)
    return _in_range(text, one, other, language)


def _in_range(text: str, one: Mention, other: Mention, language: str) -> Mention:
    """Return the first number of `2 to 3 million` with two million as a further reading."""
    between = _RANGE_GAP.fullmatch(text, one.end, other.start)
    if not between or one.kind == "related":
        return one
    if isinstance(other.readings[0][0], str) and other.end > other.digits_end:
        marked = f"{one.text}{text[other.digits_end : other.end]}"
        found = clock_readings(marked, 0, len(one.text), language)
        return replace(one, readings=(*one.readings, *found[0])) if found else one
    scaled, last = other.value, text[other.digits_end : other.end].strip(" -")
    if one.value is None or not scaled or other.kind != "digits" or not last.isalpha():
        return one
    for reading in readings_of_digits(text[other.start : other.digits_end], None):
        [alone] = reading if len(reading) == 1 else [None]
        if isinstance(alone, Decimal) and alone:
            return replace(one, readings=(*one.readings, (one.value * scaled / alone,)))
    return one
