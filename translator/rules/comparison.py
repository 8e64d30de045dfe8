"""Whether the numbers of a sentence are those of its translation.

Their values are compared first, then what stands beside them: a minus, a unit, the month of a date,
and the order of two that are set against each other.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from translator.rules.clock import HOW, clocks_in_words, half_a_day_later, lost_halves
from translator.rules.digits import Atom, Kind, Mention, Reading, is_whole
from translator.rules.kinds import CURRENCIES, are_opposed, has_unit, unit_beside
from translator.rules.mentions import has_numbers, mentions_in
from translator.rules.words import number_words
from translator.text.characters import primary_language

FIRM_WORD = 13
"""A number that is spelled out and is at least this may not be missing. A smaller one may: `zwei`
may become `both`. It may not become another number."""

LARGEST_SPELLED = 20
"""Where the number words of a language are not known, a number up to this may be spelled out."""


_DECIMAL = re.compile(r"[0-9]+[.,][0-9]+")
_FRACTION = re.compile(r"[.,]\d+$")
_MINUTES = re.compile(r"\.[0-5][0-9]$")
_PARTS = re.compile(r"(?i:tel[ns]?|thirds|quarters|fourths|fifths|eighths|tenths)$")
_ORDINAL_WORD = re.compile(r"(?i:first|second|third|th|te[nrms]?)$")
_ORDINAL = re.compile(r"(?i:first|second|third|th|ste[nrms]?)$")


Read = tuple[str, Sequence[Mention]]
"""A text, and the mentions in it."""


class Disagreement(NamedTuple):
    """Numbers of a sentence that its translation lacks, and numbers that only the translation has.

    Attributes:
        missing: mentions of the sentence.
        added: mentions of the translation.
    """

    missing: tuple[Mention, ...] = ()
    added: tuple[Mention, ...] = ()


AGREED = Disagreement()


def disagreement(source: str, target: str, languages: tuple[str, str]) -> Disagreement:
    """Return which numbers of a sentence and of its translation are not those of the other.

    Args:
        source: a sentence, with placeholders for what is not language.
        target: its translation, with the same placeholders.
        languages: codes of both.
    """
    lost = tuple(_lost_words(source, target, languages))
    new = tuple(_lost_halves(target, source, languages[::-1]))
    if not has_numbers(source, languages[0]) and not has_numbers(target, languages[1]):
        return Disagreement(lost, new) if lost or new else AGREED
    ours: Sequence[Mention] = mentions_in(source, languages[0])
    theirs: Sequence[Mention] = mentions_in(target, languages[1], is_translation=True)
    found = _compare(ours, theirs, languages)
    if found != AGREED:
        ours = _with_further_readings(source, ours, languages[0])
        theirs = _with_further_readings(target, theirs, languages[1])
        found = _compare(ours, theirs, languages)
    own, other = (source, ours), (target, theirs)
    wrong_order = _turned(own, other)
    months, other_months = _changed_months(own, other, languages)
    return Disagreement(
        _merged(
            (
                *(*found.missing, *lost, *months, *_lost_ratios(own, other)),
                *(one for one, _ in wrong_order),
            ),
            _without_sign_or_unit(own, other, languages),
        ),
        _merged(
            (*found.added, *new, *other_months, *(one for _, one in wrong_order)),
            _without_sign_or_unit(other, own, languages[::-1]),
        ),
    )


def _lost_words(source: str, target: str, languages: tuple[str, str]) -> Iterator[Mention]:
    """Yield times and halves that are spelled out, and that a translation has not."""
    yield from _lost_halves(source, target, languages)
    for start, end, readings in clocks_in_words(source, languages[0]):
        said = {one for mention in mentions_in(target, languages[1]) for one in mention.readings}
        may_be = {*readings, *map(half_a_day_later, readings)}
        is_morning = len(readings) > 1 and re.search(
            rf"\b0?{readings[-1][0]}\s?(?i:a\.?m\b)", target
        )
        if HOW.match(source, start) and (is_morning or not said & may_be):
            yield _mention(source, start, end, readings, "digits")


def _lost_halves(source: str, target: str, languages: tuple[str, str]) -> Iterator[Mention]:
    for start, end, reading in lost_halves(source, target, languages):
        yield _mention(source, start, end, (reading,), "word")


def _mention(text: str, start: int, end: int, readings: tuple[Reading, ...], kind: Kind) -> Mention:
    return Mention(
        start=start, end=end, digits_end=start, text=text[start:end], readings=readings, kind=kind
    )


def _merged(some: Iterable[Mention], others: Iterable[Mention]) -> tuple[Mention, ...]:
    by_place = {mention.start: mention for mention in (*some, *others)}
    return tuple(by_place[start] for start in sorted(by_place))


def _compare(
    source: Sequence[Mention], target: Sequence[Mention], languages: tuple[str, str]
) -> Disagreement:
    ours, theirs = list(source), list(target)
    for kinds in (("digits", "digits"), ("digits", "word"), ("word", "digits"), ("word", "word")):
        _pair_off(ours, theirs, kinds)
    if not (ours or theirs):
        return AGREED  # as mostly
    _pair_off_parts(ours, theirs)
    _pair_off_parts(theirs, ours, is_translation=True)
    for kinds in (("digits", "related"), ("word", "related")):
        _pair_off(ours, theirs, kinds)
        _pair_off(theirs, ours, kinds)
    for one, other in ((ours, theirs), (theirs, ours)):
        _pair_off_related(one, other)
    may_spell = not all(number_words(language).is_known for language in languages)
    missing, added = ([m for m in left if _is_firm(m, may_spell)] for left in (ours, theirs))
    words, others = ([m for m in left if m.kind == "word"] for left in (ours, theirs))
    if missing or added or (words and others):
        missing += [word for word in words if word not in missing and (others or added)]
        added += [word for word in others if word not in added and (words or missing)]
    ordinals, their_ordinals = _ordinals(ours, target), _ordinals(theirs, source)
    if ordinals and their_ordinals:
        missing, added = [*missing, *ordinals], [*added, *their_ordinals]
    return Disagreement(tuple(missing), tuple(added)) if missing or added else AGREED


def _ordinals(left: Sequence[Mention], others: Sequence[Mention]) -> list[Mention]:
    """Return the ordinals in words that nothing in the other text says, from the third on."""
    found = [
        one
        for one in left
        if one.kind == "related" and (one.value or 0) > 2 and _ORDINAL_WORD.search(one.text)
    ]
    if not found:
        return []
    said = {atom for other in others for reading in other.readings for atom in reading}
    return [one for one in found if one.value not in said]


def _is_firm(mention: Mention, may_spell: bool) -> bool:
    value = mention.value
    if mention.kind == "word":
        return value is not None and value >= FIRM_WORD
    return mention.kind == "digits" and not (
        may_spell and value is not None and value <= LARGEST_SPELLED and is_whole(value)
    )


def _pair_off(ours: list[Mention], theirs: list[Mention], kinds: tuple[str, str]) -> None:
    """Take out of both lists the mentions of two kinds that have a reading in common."""
    by_reading: dict[Reading, list[Mention]] = {}
    for mention in theirs:
        if mention.kind == kinds[1]:
            for reading in mention.readings:
                by_reading.setdefault(reading, []).append(mention)
    if not by_reading:
        return
    paired = set[int]()
    for mention in ours:
        partner = _partner(mention, by_reading, paired) if mention.kind == kinds[0] else None
        if partner is not None:
            paired.update((id(mention), id(partner)))
    if paired:
        for mentions in (ours, theirs):
            mentions[:] = [mention for mention in mentions if id(mention) not in paired]


def _partner(
    mention: Mention, by_reading: Mapping[Reading, Iterable[Mention]], paired: Container[int]
) -> Mention | None:
    """Return the first mention with a reading of this one, of the same kind if there is one."""
    partner: Mention | None = None
    for reading in mention.readings:
        for other in by_reading.get(reading, ()):
            if id(other) in paired or _is_written_otherwise(mention, other):
                continue
            if other.kinds & mention.kinds:
                return other
            partner = partner or other
    return partner


def _is_written_otherwise(mention: Mention, other: Mention) -> bool:
    """Return whether a translation has the parts of a number, but as another kind of number."""
    if ":" in mention.text and _DECIMAL.fullmatch(other.text):
        return not _MINUTES.search(other.text)
    if ":" in other.text and _DECIMAL.fullmatch(mention.text):
        return not _MINUTES.search(mention.text)
    fractions = [_FRACTION.search(one.text) for one in (mention, other)]
    if len({len(fraction[0]) for fraction in fractions if fraction}) > 1:
        return True  # `107.00` is neither `107,0` nor `107.000`
    is_denominator = other.kind == "related" and _PARTS.search(other.text) is not None
    if is_denominator and mention.kind == "word" and (mention.value or 0) < FIRM_WORD:
        return True  # the `three` of `three quarters` is no `Drittel`
    return are_opposed(mention.kinds, other.kinds) or _is_ordinal_of(mention, other)


def _is_ordinal_of(mention: Mention, other: Mention) -> bool:
    """Return whether a large number in words has become an ordinal: `ninety-ninth children`."""
    return (
        mention.kind == "word"
        and other.kind == "related"
        and (mention.value or 0) >= FIRM_WORD
        and _ORDINAL.search(other.text) is not None
    )


def _pair_off_parts(
    ours: list[Mention], theirs: list[Mention], is_translation: bool = False
) -> None:
    """Take out mentions of several parts, such as dates, and the mentions of their parts."""
    for mention in [mention for mention in ours if mention.kind == "digits"]:
        for reading in mention.readings:
            partners = _partners(reading, theirs) if len(reading) > 1 else None
            if partners is not None and not (is_translation and _is_torn(mention, partners)):
                ours.remove(mention)
                for partner in partners:
                    if partner in theirs and partner.kind != "related":
                        theirs.remove(partner)
                break


def _is_torn(mention: Mention, sources: Sequence[Mention]) -> bool:
    """Return whether two numbers of a source have become one, such as `11:62` for the pages 11–62.

    A score may be written so, and the day and the month of a date.
    """
    if len(sources) != 2:
        return False
    if ":" in mention.text:
        return not sources[0].is_score
    is_date = any(source.kind == "related" for source in sources)
    return not is_date and _DECIMAL.fullmatch(mention.text) is not None


def _partners(parts: Reading, theirs: Iterable[Mention]) -> list[Mention] | None:
    left, partners = list(theirs), list[Mention]()
    for part in parts:
        partner = next((other for other in left if (part,) in other.readings), None)
        if partner is None:
            return None
        left.remove(partner)
        partners.append(partner)
    return partners


def _pair_off_related(ours: list[Mention], theirs: list[Mention]) -> None:
    """Take out mentions of several parts that are said by words which may be used twice."""
    atoms: set[Atom] = {
        reading[0] for mention in theirs for reading in mention.readings if len(reading) == 1
    }
    for mention in [mention for mention in ours if mention.kind == "digits"]:
        if any(len(reading) > 1 and {*reading} <= atoms for reading in mention.readings):
            ours.remove(mention)


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


def _with_further_readings(text: str, mentions: Sequence[Mention], language: str) -> list[Mention]:
    """Return the mentions of a text, with how long the times are that they count."""
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
    is_range = _DASH.fullmatch(text, before.end, mention.start)
    has_years = first.isdigit() and last.isdigit() and (len(first), len(last)) == (4, 2)
    if not is_range or not has_years or int(first) not in _YEARS:
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


_AGAINST = re.compile(r"\s?[-–]\s?|\s(?:zu|to|bis|auf)\s")
_LOST = re.compile(
    r"(?i:verlor|verlier|unterl[aäei]g|niederlage|geschlagen|schl[aäu]g|bezw[aiu]ng|besieg"
    r"|\blos[est]|\bloss|defeat|\bbeat|\bwin|\bwon\b|gewann|gewinn|sieg|victor|abgelehn|reject|against)"
)

_Pair = tuple[Decimal, Decimal]


def _turned(own: Read, other: Read) -> list[tuple[Mention, Mention]]:
    """Return the pairs of a text that the other has only in the other order: the first of each."""
    ours = dict(_pairs(*own))
    if not ours:
        return []
    theirs = dict(_pairs(*other))
    may_be_score = _LOST.search(own[0]) or _LOST.search(other[0])
    return [
        (mention, theirs[two, one])
        for (one, two), mention in ours.items()
        if (two, one) in theirs
        and (two, one) not in ours
        and (one, two) not in theirs
        and not (may_be_score and is_whole(one) and is_whole(two))
    ]


_NO_RATIO = re.compile(r"\s(?:too|on|auf|bis|an|nach)\s")
_ODDS = re.compile(
    r"(?i:\b(?:odds|chances?|probability|likelihood|ratio|proportion)(?:\s[a-z]+){0,2}\s)$"
)
_PERCENT = re.compile(r"\s?(?:%|percent|per cent)")


def _lost_ratios(own: Read, other: Read) -> list[Mention]:
    """Return the first number of each `829 zu 2` that has become `829 too 2`, or `829 on 2`.

    Of English numbers, two shares that add up to 100 percent are a ratio, or two that odds stand
    before; all others may be a range.
    """
    (text, ours), (other_text, theirs) = own, other
    if " zu " not in text and " to " not in text:
        return []  # as nearly always
    lost = {
        (one.value, two.value)
        for one, two in itertools.pairwise(theirs)
        if _NO_RATIO.fullmatch(other_text, one.end, two.start)
    }
    return [
        one
        for one, two in itertools.pairwise(ours)
        if (one.value, two.value) in lost and _is_ratio(text, one, two)
    ]


def _is_ratio(text: str, one: Mention, two: Mention) -> bool:
    gap = text[one.end : two.start]
    if gap != " to ":
        return gap == " zu "
    is_whole_share = (one.value or 0) + (two.value or 0) == 100
    return bool(
        (is_whole_share and _PERCENT.match(text, two.end)) or _ODDS.search(text[: one.start])
    )


def _pairs(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[_Pair, Mention]]:
    """Yield two numbers that are set against each other, and the mention of the first."""
    for mention, following in itertools.pairwise([*mentions, None]):
        if mention is None or mention.kind not in ("digits", "word"):
            continue
        if ":" in mention.text:
            ratio = _ratio(mention)
            if ratio:
                yield ratio, mention
        elif following is not None and mention.end < following.start:
            one, two = mention.value, following.value
            is_pair = _AGAINST.fullmatch(text, mention.end, following.start)
            if is_pair and one is not None and two is not None and one != two:
                yield (one, two), mention


def _ratio(mention: Mention) -> _Pair | None:
    """Return the parts of `3:1`; None if it may be a time of day."""
    if any(isinstance(reading[0], str) and ":" in reading[0] for reading in mention.readings[:1]):
        return None
    for reading in mention.readings:
        if len(reading) == 2:
            one, two = reading
            if isinstance(one, Decimal) and isinstance(two, Decimal) and one != two:
                return one, two
    return None


_BEFORE = re.compile(r"(?<![0-9])[0-9]{1,4}(?:\.|st|nd|rd|th)?(?:[\s-]|(?<=\.))(?:(?:of|de)\s)?$")
_BEHIND = re.compile(
    r"\.?(?:-|,?\s)(?:(?:of|de)\s)?['’]?[0-9]{1,4}(?:st|nd|rd|th)?(?!\w|[.,:][0-9])"
)
_LOOK_BACK = 12
_IN_CAPITALS = frozenset(["de", "en"])
"""Languages whose months begin with a capital letter: `may` is none."""


def _changed_months(
    own: Read, other: Read, languages: tuple[str, str]
) -> tuple[list[Mention], list[Mention]]:
    """Return the months of dates that the other text has nowhere, of the own and of the other."""
    ours, theirs = _months(own[1], languages[0]), _months(other[1], languages[1])
    if not ours or not theirs:
        return [], []
    missing = _unsaid(own[0], ours, _said(other[1], theirs))
    added = _unsaid(other[0], theirs, _said(own[1], ours))
    return (missing, added) if missing and added else ([], [])


def _months(mentions: Sequence[Mention], language: str) -> list[Mention]:
    names = number_words(language).months
    needs_capital = primary_language(language) in _IN_CAPITALS
    return [
        one
        for one in mentions
        if one.kind == "related"
        and one.text.casefold() in names
        and (one.text[0].isupper() or not needs_capital)
    ]


def _said(mentions: Sequence[Mention], months: Sequence[Mention]) -> set[Atom]:
    """Return the numbers that may be a month: of names, and of dates in digits."""
    parts = {
        atom
        for one in mentions
        if one.kind == "digits"
        for reading in one.readings
        if len(reading) > 1
        for atom in reading
    }
    return {*parts, *(one.value for one in months if one.value is not None)}


def _unsaid(text: str, months: Sequence[Mention], said: set[Atom]) -> list[Mention]:
    """Return the months beside a day or a year that are not said."""
    return [
        one
        for one in months
        if one.value not in said
        and (
            _BEHIND.match(text, one.end)
            or _BEFORE.search(text[max(0, one.start - _LOOK_BACK) : one.start])
        )
    ]


_BELOW_ZERO = re.compile(r"(?i:\bminus\b|unter null|below (?:zero|freezing)|negativ)")

_NEAR = 6
"""Characters between two numbers of a range, or fewer, of which one currency is said."""


def _without_sign_or_unit(own: Read, other: Read, languages: tuple[str, str]) -> Iterator[Mention]:
    """Yield the mentions whose minus or whose unit is nowhere in the other text."""
    (text, mentions), (other_text, others) = own, other
    for mention in mentions:
        if mention.kind != "digits":
            continue
        if mention.is_negative and not _BELOW_ZERO.search(other_text):
            same = [one for one in others if {*one.readings} & {*mention.readings}]
            if same and not any(one.is_negative for one in same):
                yield mention
        unit = unit_beside(text, mention.start, mention.end, languages[0])
        if unit and (
            not has_unit(other_text, unit, languages[1])
            or (unit in CURRENCIES and _has_moved(unit, mention, own, other, languages))
        ):
            yield mention


def _has_moved(
    unit: str, mention: Mention, own: Read, other: Read, languages: tuple[str, str]
) -> bool:
    """Return whether a currency stands beside another number of the other text: `€12 à 4.99`."""
    beside = [one for one in other[1] if _has_beside(unit, one, other[0], languages[1])]
    if not beside or any({*one.readings} & {*mention.readings} for one in beside):
        return False
    partners = [one for one in own[1] if any({*one.readings} & {*two.readings} for two in beside)]
    return bool(partners) and not any(
        _has_beside(unit, one, own[0], languages[0])
        or max(one.start, mention.start) - min(one.end, mention.end) <= _NEAR
        for one in partners
    )


def _has_beside(unit: str, mention: Mention, text: str, language: str) -> bool:
    is_number = mention.kind == "digits"
    return is_number and unit_beside(text, mention.start, mention.end, language) == unit
