"""The numbers that a sentence mentions, each with the quantities that it may stand for.

`1.200` is 1200 in German and 1.2 in English; `3 pm` is 15:00; `27.12.2020` has three parts, and so
has `27 December 2020`. A mention that can be read in several ways has several readings, and two
mentions agree if they share one.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from babel.numbers import list_currencies

from translator.rules.clock import HOW, WITH_MINUTES, clock_readings, clocks_in_words
from translator.rules.digits import (
    VULGAR_FRACTIONS,
    Kind,
    Mention,
    Reading,
    mixed_readings,
    multiplied,
    name_readings,
    readings_of_digits,
    suffix_readings,
)
from translator.rules.kinds import LABEL, PLAIN, factor_behind, kinds_of
from translator.rules.words import NumberWords, number_words, roman_number
from translator.text.characters import primary_language, small_words
from translator.text.lone_numbers import CURRENCY_SIGN, number_signs

_VULGAR = "".join(VULGAR_FRACTIONS)
_DIGIT = re.compile(f"[0-9{_VULGAR}]")
_POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LETTER = rf"[^\W\d_{_VULGAR}{_POWERS}]"
_TOKEN = re.compile(
    rf"(?P<word>{_LETTER}+(?![0-9]|{_LETTER}))"
    rf"|(?P<code>(?<![^\W_])(?<!\$)(?:[0-9]{{1,9}}(?![xX×]){_LETTER}{{1,9}}"
    rf"|(?![vV][0-9]+\.[0-9]){_LETTER}+)[0-9][^\W_]*)"
    rf"|(?P<mixed>[0-9]{{1,9}}(?: ?[{_VULGAR}]| [1-9]/[2-9](?![\w/]))|[{_VULGAR}])"
    rf"|(?P<power>(?<=[0-9])[{_POWERS}]+)"
    r"|(?P<digits>(?<![0-9.,])[0-9]{1,3}(?:[ \u00a0\u202f\u2009][0-9]{3})+(?![0-9])(?:[.,][0-9]+)?"
    rf"|[0-9]+(?:[.,:/][0-9]+|['’][0-9]{{3}}(?![0-9]))*)(?P<suffix>{_LETTER}*)"
    rf"|(?P<before_digits>{_LETTER}+)"
)
_POINT = re.compile(r"(?<![^\s($€£<>~=±+-])\.$")
"""Before the digits of `.5`."""

_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_POWER_DIGITS = str.maketrans(_POWERS, "0123456789")
_SQUARE = re.compile(r"[kcdm]?m[23]")
"""A unit such as `m2`, which is `m²`, and no code."""
_SHORTENED = frozenset(["mio", "mill", "mrd", "bio", "tsd"])
_MORE = re.compile(r"\.\s\w")
_MINUS = re.compile(
    rf"(?:(?:^|(?<=[\s(\[])|(?<={CURRENCY_SIGN}))[-−–]|\b[Mm]inus\s)(?:{CURRENCY_SIGN}\s?)?$"
)
_NAME = re.compile(r"\S\s[^\W\d_]*[A-ZÄÖÜ][^\W\d_]*\s$")
_QUANTITY = re.compile(r"[:\s]")
_ENDING = re.compile(r"(?<=[0-9])er[ns]?$")
"""Of `i386er`, as German inflects a code."""
_AND_A_HALF = re.compile(r"(?P<whole>andert(?=halb)|[^\W\d_]+(?=einhalb))(?:ein)?halb")
_COUNTED = re.compile(r"\s?(?:[^\W\d_]|[€$£¥%])|-\w")
MOST_WORDS = 20_000
"""That are remembered, numbers or not: a text says the same ones again and again."""

_DAY_AND_MONTH = re.compile(r"(?:0?[1-9]|[12][0-9]|3[01])\.(?:0?[1-9]|1[0-2])")


def has_numbers(text: str, language: str) -> bool:
    """Return whether a text may mention a number: takes next to no time where it does not."""
    if _DIGIT.search(text):
        return True
    words = number_words(language)
    if words.prefixes and any(hint in text for hint in HINTS):
        return True
    return not words.counting.isdisjoint(small_words(text))


@functools.lru_cache(maxsize=64)
def mentions_in(text: str, language: str, is_translation: bool = False) -> tuple[Mention, ...]:
    """Return the numbers of a sentence, in order.

    Each hypothesis and each proposal for a number ask for those of the same sentence.

    Args:
        text: with placeholders for what is not language.
        language: its code.
        is_translation: whether it is to say numbers that are known; see `readings_of_digits`.
    """
    words = number_words(language)
    text = text if text.isascii() else text.translate(_SUBSCRIPTS)
    done: list[Mention] = []
    for mention in _tokens(text, language, is_translation):
        both = with_before(text, done[-1], mention, words) if done else None
        if both:
            done[-1] = both
        else:
            done.append(mention)
    timed = list[Mention]()
    for mention in done:
        if not timed or timed[-1].end <= mention.start:
            timed.append(with_clock(text, mention, language))
    found = [
        joined(text, one, other, language) if other else one
        for one, other in itertools.pairwise([*map(alone, timed), None])
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
    times = [
        one
        for one in spelled
        if HOW.match(text, one.start) or WITH_MINUTES.search(text, one.start, one.end)
    ]
    if times:  # `halb neun` says no 9
        found = [one for one in found if not any(t.start <= one.start < t.end for t in times)]
    code = primary_language(language)
    return (*(_with_kinds(text, one, code) for one in found), *spelled)


def _with_kinds(text: str, one: Mention, code: str) -> Mention:
    if one.kind not in ("digits", "word"):
        return one
    kinds = kinds_of(text, one.start, one.digits_end, one.end, code)
    return one if kinds == PLAIN else replace(one, kinds=kinds)


def _tokens(text: str, language: str, is_translation: bool) -> Iterator[Mention]:
    """Yield digits and number words, each by itself."""
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind in ("word", "before_digits"):
            found, readings = _word(token[0], language)
            if readings:  # as hardly ever
                start, end = token.span()
                if found == "scale" and token[0].lower() in _SHORTENED and _MORE.match(text, end):
                    end += 1
                yield _mention(text, start, end, readings, found)
            continue
        start, end = token.span()
        if kind == "code":
            if not _SQUARE.fullmatch(token[0]):
                yield _mention(text, start, end, _code_readings(token[0]), "digits")
        elif kind == "mixed":
            yield _mention(text, start, end, mixed_readings(token[0]), "digits")
        elif kind == "power":
            power = Decimal(token[0].translate(_POWER_DIGITS))
            yield _mention(text, start, end, ((power,),), "digits")
        else:
            end = token.end("digits")
            readings = _digits(text, token, language, is_translation)
            yield _with_factor(text, _mention(text, start, end, readings, "digits"), language)


def _with_factor(text: str, mention: Mention, language: str) -> Mention:
    """Return digits with the letters that surely multiply them, such as those of `£20m`."""
    factor = factor_behind(text, mention.start, mention.end)
    if not factor:
        return mention
    name = factor["name"].casefold()
    if factor[0] != factor["name"] and name in number_words(language).scales:
        return mention  # `3 bn` is joined as `3 billion` is
    before = readings_of_digits(mention.text, number_signs(language))
    readings, end = multiplied(before, name), factor.end()
    if not readings:
        return mention
    return replace(mention, end=end, text=text[mention.start : end], readings=readings)


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
    digits, suffix, start = token["digits"], token["suffix"], token.start()
    signs = number_signs(language)
    readings = readings_of_digits(digits, signs, is_translation)
    if digits.isdigit() and _POINT.search(text, max(0, start - 2), start):
        readings = ((Decimal(f"0.{digits}"),),)
    is_german_like = signs is not None and signs.decimal == ","
    if (
        is_german_like
        and _DAY_AND_MONTH.fullmatch(digits)
        and text.startswith(".", token.end("digits"))
    ):
        one, two = map(Decimal, digits.split("."))
        return ((one, two), (two, one), (digits,))
    if not digits.isdigit():
        before = text[max(0, start - LOOK_BACK) : start]
        is_quantity = _QUANTITY.search(digits) or (is_german_like and "," in digits)
        if LABEL.search(before) or (
            not is_quantity and _is_in_name(text, before, token.end("digits"))
        ):
            readings = name_readings(digits)
    if not suffix:
        return readings
    is_end = not text[token.end() : token.end() + 1].isdigit()  # and no `3.4e38`
    return suffix_readings(digits, suffix, readings, is_translation and is_end)


def _is_in_name(text: str, before: str, end: int) -> bool:
    """Return whether digits are a part of a name, such as `Python 3.14`, and not of `USD 3.14`."""
    name = _NAME.search(before)
    return (
        name is not None
        and not _COUNTED.match(text, end)
        and name[0].split()[-1] not in _currency_codes()
    )


@functools.cache
def _currency_codes() -> frozenset[str]:
    """Source: ISO 4217, by way of Babel."""
    return frozenset(list_currencies())


def _code_readings(code: str) -> tuple[Reading, ...]:
    """Return the readings of letters with digits: `MP3s` is `MP3`, and `Windows10` has a 10."""
    lower = _ENDING.sub("", code.casefold())
    letters = lower.rstrip("0123456789")
    number = lower[len(letters) :]
    readings: tuple[Reading, ...] = ((lower,), (lower.removesuffix("s"),))
    return (*readings, (Decimal(number),)) if letters.isalpha() and number else readings


@functools.lru_cache(MOST_WORDS)
def _word(word: str, language: str) -> tuple[Kind, tuple[Reading, ...]]:
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
    if words.prefixes and (half := _AND_A_HALF.fullmatch(lower)):
        whole = 1 if half["whole"] in ("ein", "andert") else words.cardinals.get(half["whole"], 0)
        if whole:
            return "related", ((whole + Decimal("0.5"),), (Decimal(whole),), (Decimal(2),))
    values = words.related.get(lower) or ((words.months[lower],) if lower in words.months else ())
    if not values and word.isupper() and (roman := roman_number(word)):
        values = (roman,)
    if not values and words.is_known and (value := words.value_of_prefix(lower)):
        values = (value,)
    return "related", tuple((Decimal(value),) for value in values)


LOOK_BACK = 24
"""Characters before a number that can tell what it is."""

LOOK_AFTER = 16
"""Characters behind a time that can tell of which part of the day it is."""

_IN_A_HALF = re.compile(r"\s?[Pp]\.?\s?[Mm]\b")

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
    """Return the value of a word in small letters; None if it is no such number."""
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


_MOST_MULTIPLIED = Decimal(10) ** 27
"""A number as large is not multiplied by a further word: of larger ones, `%` raises an error."""


def with_before(text: str, before: Mention, mention: Mention, words: NumberWords) -> Mention | None:
    """Return two neighbours as one if they are one number: `3 million`, `two hundred and five`."""
    one, other, gap = before.value, mention.value, text[before.end : mention.start]
    if one is None or other is None or one >= _MOST_MULTIPLIED:
        return None
    if mention.kind == "scale":
        can_be_scaled = before.kind in ("digits", "word", "scale") or (
            before.kind == "related" and one in (1, 100)
        )
        if not can_be_scaled or not _SCALE_GAP.fullmatch(gap):
            return None
        tail = (one % _next_scale(other) if before.kind != "digits" else one) or one
        return _merged(text, before, mention, one - tail + tail * other)
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
        after = text[other.digits_end : other.end + LOOK_AFTER]
        found = clock_readings(one.text + after, 0, len(one.text), language)
        if found is None:
            return one
        is_same_half = _IN_A_HALF.match(after) and found[0][0] < other.readings[0]
        return replace(one, readings=found[0] if is_same_half else (*one.readings, *found[0]))
    scaled, last = other.value, text[other.digits_end : other.end].strip(" -.")
    if one.value is None or not scaled or other.kind != "digits" or not last.isalpha():
        return one
    for reading in readings_of_digits(text[other.start : other.digits_end], None):
        [alone] = reading if len(reading) == 1 else [None]
        if isinstance(alone, Decimal) and alone:
            return replace(one, readings=(*one.readings, (one.value * scaled / alone,)))
    return one
