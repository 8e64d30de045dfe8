"""Numbers that are said in several parts: `3 million`, `two hundred and five`, `2 to 3 million`.

Long German numbers are one word, such as `zweitausendvierundzwanzig`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from translator.text.numbers.clock import clock_readings
from translator.text.numbers.digits import Kind, Mention, Reading, readings_of_digits
from translator.text.numbers.words import NumberWords

LOOK_BACK = 24
"""Characters before a number that can tell what it is."""

_SCALE_GAP = re.compile(r"[\s-]?")
_WORD_GAP = re.compile(r"[\s-]|\sand\s")
_RANGE_GAP = re.compile(r"(?:\s?[-–—]\s?|-?\s(?:to|bis|auf|und|and|or|oder)\s)(?:[$€£]\s?)?")
_HALF = re.compile(r"(?i:\b(?:halbe[ns]?|half)\s(?:an?\s)?)$")


_CENTURIES = frozenset(map(Decimal, range(11, 20)))
_LONGEST_GAP = 12
_TO = re.compile(r"\s(?:zu|to)\s")
_DASH = re.compile("[-–]")
_SPAN = re.compile(
    r"(?i:\b(?:aged?|between|chapters?|from|grades?|items?|lines?|pages?|pp?|sections?|years?)\.?\s)$"
)
"""What stands before a range, and before no score."""


HINTS = ("tausend", "hundert")
"""One of them is in every such word."""

_YEARS = range(11, 20)


def compound_number(word: str, cardinals: Mapping[str, int]) -> int | None:
    """Return the value of a word in small letters; None if it is no such number.

    Args:
        word: such as `neunzehnhundertvierundachtzig`.
        cardinals: the words for numbers below a thousand.
    """
    word = word.replace("hundertund", "hundert")
    head, sign, tail = word.partition("tausend")
    if sign:
        thousands, rest = _value(head, cardinals, empty=1), _rest(tail, cardinals)
        return None if thousands is None or rest is None else 1000 * thousands + rest
    head, sign, tail = word.partition("hundert")
    if not sign or cardinals.get(head) not in _YEARS:
        return None
    rest = _rest(tail, cardinals)
    return None if rest is None else 100 * cardinals[head] + rest


def _rest(word: str, cardinals: Mapping[str, int]) -> int | None:
    found = _value(word, cardinals, empty=0)
    return found if found is not None else _value(word.removeprefix("und"), cardinals, empty=None)


def _value(word: str, cardinals: Mapping[str, int], empty: int | None) -> int | None:
    if not word:
        return empty
    return 1 if word in ("ein", "eins") else cardinals.get(word)


def with_before(text: str, before: Mention, mention: Mention, words: NumberWords) -> Mention | None:
    """Return two neighbours as one if they are one number: `3 million`, `two hundred and five`."""
    one, other, gap = before.value, mention.value, text[before.end : mention.start]
    if one is None or other is None:
        return None
    if mention.kind == "scale":
        can_be_scaled = before.kind in ("digits", "word", "scale") or (
            before.kind == "related" and one in (1, 100)
        )
        if not can_be_scaled or not _SCALE_GAP.fullmatch(gap):
            return None
        tail = one % _next_scale(other) if before.kind != "digits" else one
        return _merged(text, before, mention, one - tail + (tail or one) * other)
    is_hundred = before.kind == "related" and one >= 100 and " " in before.text
    if (before.kind not in ("word", "scale") and not is_hundred) or mention.kind == "digits":
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
    is_rest = is_plain and one >= 100 and one % 100 == 0 and 0 < other < one
    is_rest = (
        is_rest
        and (other < 100 or "and" not in gap)
        and (other < 1000 or (one % 10**6 == 0 and other < 10**6))
    )
    if is_unit_of_tens or (is_rest and " " in before.text):
        return _merged(text, before, mention, one + other)
    return None


def _next_scale(scale: Decimal) -> Decimal:
    """Return from where a number before a scale is no part of what it multiplies.

    Of `two million four hundred thousand`, only the last four hundred are.
    """
    return Decimal(1000) if scale <= 100 else 1000 * scale


def alone(mention: Mention) -> Mention:
    """Return a word such as `hundred` that no number stands before as one that may be one."""
    return replace(mention, kind="related") if mention.kind == "scale" else mention


def _merged(text: str, one: Mention, other: Mention, value: Decimal) -> Mention:
    kind: Kind = "digits" if one.kind == "digits" else "word"
    is_one = other.text.casefold() == "one"  # of `twenty-one`
    is_exact = one.text.casefold() == "one" or (other.kind == "word" and " " in one.text)
    if (other.kind == "related" and not is_one) or (
        one.kind in ("related", "scale") and not is_exact
    ):
        kind = "related"
    readings: tuple[Reading, ...] = ((value,),)
    if one.kind == "related" and _HALF.search(text, max(0, one.start - LOOK_BACK), other.start):
        readings = ((value / 2,),)
    return replace(
        one, end=other.end, text=text[one.start : other.end], readings=readings, kind=kind
    )


def with_clock(text: str, mention: Mention, language: str) -> Mention:
    """Return a mention as a time of day, if it is one."""
    if mention.kind != "digits":
        return mention
    found = clock_readings(text, mention.start, mention.end, language)
    if not found:
        return mention
    readings, end = found
    own = mention.readings if end == mention.end else ()
    return replace(mention, end=end, text=text[mention.start : end], readings=(*readings, *own))


def joined(text: str, one: Mention, other: Mention, language: str) -> Mention:
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
    scaled, last = other.value, text[other.digits_end : other.end].strip(" -.")
    if one.value is None or not scaled or other.kind != "digits" or not last.isalpha():
        return one
    for reading in readings_of_digits(text[other.start : other.digits_end], None):
        [alone] = reading if len(reading) == 1 else [None]
        if isinstance(alone, Decimal) and alone:
            return replace(one, readings=(*one.readings, (one.value * scaled / alone,)))
    return one
