"""Further readings of numbers, looked for only where the first ones do not agree.

Two weeks are 14 days, and half a century is 50 years. In `1985-87`, the last number is 1987.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from translator.text.characters import primary_language
from translator.text.numbers.digits import Mention, Reading
from translator.text.numbers.words import number_words

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 7 * 86_400}
_MONTHS = {"month": 1, "year": 12, "decade": 120, "century": 1200, "millennium": 12_000}
"""A month has no number of days that one could count on, so there are two scales."""

_TIMES = {
    "de": re.compile(
        r"[\s-]?(?:(?P<second>Sekunden?)|(?P<minute>Minuten?)|(?P<hour>Stunden?)"
        r"|(?P<day>Tage?[ns]?)|(?P<week>Wochen?)|(?P<month>Monate?[ns]?)|(?P<year>Jahre?[ns]?)"
        r"|(?P<decade>Jahrzehnte?[ns]?)|(?P<century>Jahrhunderte?[ns]?)"
        r"|(?P<millennium>Jahrtausende?[ns]?))\b"
    ),
    "en": re.compile(
        r"[\s-](?:(?P<second>seconds?)|(?P<minute>minutes?)|(?P<hour>hours?)|(?P<day>days?)"
        r"|(?P<week>weeks?)|(?P<month>months?)|(?P<year>years?)|(?P<decade>decades?)"
        r"|(?P<century>centur(?:y|ies))|(?P<millennium>millenni(?:um|a)))\b(?!\sold)"
    ),
}
_HALVES = {
    "de": re.compile(
        r"\b(?i:(?P<half>halbe[ns]?)|(?P<whole>anderthalb|[^\W\d_]{3,7}einhalb))(?=\s)"
    ),
    "en": re.compile(r"\b(?i:(?P<half>half an?)|(?P<whole>[^\W\d_]+) and a half)(?=\s)"),
}
_YEARS = range(1100, 2100)
_DASH = re.compile("[-–/]")


def with_further_readings(text: str, mentions: Sequence[Mention], language: str) -> list[Mention]:
    """Return the mentions of a text, with how long the times are that they count.

    Args:
        text: a sentence.
        mentions: in it.
        language: its code.
    """
    code = primary_language(language)
    times = _TIMES.get(code)
    found = list[Mention]()
    for before, mention in itertools.pairwise([None, *mentions]):
        if mention is None:
            continue
        unit = times.match(text, mention.end) if times else None
        if unit and mention.value is not None and mention.kind in ("digits", "word", "related"):
            reading = (_length(mention.value, unit),)
            mention = replace(mention, readings=(*mention.readings, reading))
        if before is not None:
            mention = _with_century(text, before, mention)
        found.append(mention)
    return [*found, *_halves(text, code)] if times else found


def _length(count: Decimal, unit: re.Match[str]) -> str:
    name = unit.lastgroup or ""
    length = count * (_SECONDS.get(name) or _MONTHS[name])
    return f"{length.normalize():f} {'seconds' if name in _SECONDS else 'months'}"


def _with_century(text: str, before: Mention, mention: Mention) -> Mention:
    """Return the last number of `1985-87` with 1987 as a further reading."""
    first, last = before.text, mention.text
    is_range = _DASH.fullmatch(text, before.end, mention.start) and first.isdigit()
    if not is_range or int(first) not in _YEARS or not last.isdigit() or len(last) != 2:
        return mention
    return replace(mention, readings=(*mention.readings, (Decimal(first[:2] + last),)))


def _halves(text: str, code: str) -> Iterator[Mention]:
    """Yield times such as `half a century` and `anderthalb Jahre` by their length."""
    for half in _HALVES[code].finditer(text):
        unit = _TIMES[code].match(text, half.end())
        name = (half["whole"] or "").casefold().removesuffix("einhalb")
        whole = number_words(code).cardinals.get(name) or int(
            name in ("a", "one", "ein", "anderthalb")
        )
        if whole or (unit and half["half"]):
            count = Decimal("0.5") + (0 if half["half"] else whole)
            start, end = half.span()
            length: Reading = (_length(count, unit),) if unit else (count,)
            yield Mention(
                start=start,
                end=end,
                digits_end=end,
                text=half[0],
                readings=(length, (count,)),
                kind="related",
            )
