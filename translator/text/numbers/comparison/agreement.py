"""Whether the numbers of a sentence are those of its translation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from translator.text.numbers.clock import HOW, clocks_in_words, half_a_day_later, lost_halves
from translator.text.numbers.comparison.beside import without_sign_or_unit
from translator.text.numbers.comparison.further import with_further_readings
from translator.text.numbers.comparison.months import changed_months
from translator.text.numbers.comparison.order import turned
from translator.text.numbers.digits import Atom, Kind, Mention, Reading
from translator.text.numbers.kinds import are_opposed
from translator.text.numbers.mentions import has_numbers, mentions_in
from translator.text.numbers.words import number_words

FIRM_WORD = 13
"""A number that is spelled out and is at least this may not be missing. A smaller one may: `zwei`
may become `both`. It may not become another number."""

LARGEST_SPELLED = 20
"""Where the number words of a language are not known, a number up to this may be spelled out."""


_DECIMAL = re.compile(r"[0-9]+[.,][0-9]+")
_MINUTES = re.compile(r"\.[0-5][0-9]$")
_PARTS = re.compile(r"(?i:tel[ns]?|thirds|quarters|fourths|fifths|eighths|tenths)$")
_ORDINAL_WORD = re.compile(r"(?i:first|second|third|th|te[nrms]?)$")
_ORDINAL = re.compile(r"(?i:first|second|third|th|ste[nrms]?)$")


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
    ours = mentions_in(source, languages[0])
    theirs = mentions_in(target, languages[1], is_translation=True)
    found = compare(ours, theirs, languages)
    if found != AGREED:
        ours = with_further_readings(source, ours, languages[0])
        theirs = with_further_readings(target, theirs, languages[1])
        found = compare(ours, theirs, languages)
    wrong_order = turned((source, ours), (target, theirs))
    months, other_months = changed_months((source, ours), (target, theirs), languages)
    return Disagreement(
        _merged(
            (*found.missing, *lost, *months, *(one for one, _ in wrong_order)),
            without_sign_or_unit((source, ours), (target, theirs), languages),
        ),
        _merged(
            (*found.added, *new, *other_months, *(other for _, other in wrong_order)),
            without_sign_or_unit((target, theirs), (source, ours), languages[::-1]),
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


def compare(
    source: Sequence[Mention], target: Sequence[Mention], languages: tuple[str, str]
) -> Disagreement:
    """Return the mentions without a partner of equal quantity that may not be without one."""
    ours, theirs = list(source), list(target)
    for kinds in (("digits", "digits"), ("digits", "word"), ("word", "digits"), ("word", "word")):
        _pair_off(ours, theirs, kinds)
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
    """Return whether a mention may not be without a partner."""
    value = mention.value
    if mention.kind == "word":
        return value is not None and value >= FIRM_WORD
    return mention.kind == "digits" and not (
        may_spell and value is not None and value <= LARGEST_SPELLED and value % 1 == 0
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
    for mention in [mention for mention in ours if mention.kind == kinds[0]]:
        partners = [
            other
            for reading in mention.readings
            for other in by_reading.get(reading, ())
            if other in theirs and not _is_written_otherwise(mention, other)
        ]
        if partners:
            partner = next((one for one in partners if one.kinds & mention.kinds), partners[0])
            ours.remove(mention)
            theirs.remove(partner)


def _is_written_otherwise(mention: Mention, other: Mention) -> bool:
    """Return whether a translation has the parts of a number, but as another kind of number."""
    if ":" in mention.text and _DECIMAL.fullmatch(other.text):
        return not _MINUTES.search(other.text)
    if ":" in other.text and _DECIMAL.fullmatch(mention.text):
        return not _MINUTES.search(mention.text)
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
    """Return a mention for each part; None if a part has none."""
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


def shown(mentions: Iterable[Mention]) -> tuple[str, ...]:
    """Return mentions as they stand in their sentence."""
    return tuple(mention.text for mention in mentions)
