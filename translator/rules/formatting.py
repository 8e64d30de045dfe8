"""Numbers of a translation written as its language writes them: signs, currencies, times of day.

Signs are changed without asking. A time of day is a proposal for one number, and is dropped unless
the number then says what the source says, of the same kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from translator.rules.digits import Mention
from translator.rules.kinds import PLAIN
from translator.rules.mentions import mentions_in
from translator.rules.signs import follow_language, with_currencies
from translator.text.characters import primary_language

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

_MAY_BE_WORD = re.compile(r"am\s\w")  # `9 am Main`
_OCLOCK = re.compile(r"(?<=[0-9]:[0-5][0-9]) o['’]clock\b")
_DIGIT = re.compile("[0-9]")


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


def format_numbers(translation: str, source: str, languages: tuple[str, str]) -> str:
    """Return a translation whose numbers are written as its language writes them.

    Args:
        translation: with placeholders for the spans that must come back verbatim.
        source: what it is a translation of, with the spans in their places.
        languages: codes of the source's and the translation's.
    """
    text = follow_language(translation, source, languages)
    if not _DIGIT.search(source):
        return text  # as mostly
    text = with_currencies(text, source, languages)
    pair = primary_language(languages[0]), primary_language(languages[1])
    if pair == ("de", "en"):
        return _OCLOCK.sub("", text)
    if pair != ("en", "de"):
        return text
    for propose in (_times, _24_hours):
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
    return bool(one.kinds & other.kinds) and one.readings[0] in other.readings


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
