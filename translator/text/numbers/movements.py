"""What has gone up or down, said with a verb: a model keeps no direction of `was down 300 points`.

It is `fell by 300 points` then, and `is up 2%` is `has risen by 2%`. Of persons, as in `she is down
5 kilos`, one says so in other words: only shares stay the same there.
"""

from __future__ import annotations

import re

from translator.text.placeholders import PLACEHOLDER

_NUMBER = r"[0-9]+(?:[.,][0-9]+)*"
_SHARE = rf"(?P<share>{_NUMBER}(?:\s?%|\sper\s?cent\b)(?! of the time))"
_ABOUT = (
    r"(?:(?:about|almost|around|as much as|just over|just under|just|more than|nearly|only|over"
    r"|roughly|some) )?"
)
_AMOUNT = (
    rf"{_ABOUT}(?:{_SHARE}|{_NUMBER}\s?(?:percentage\spoints?|basis\spoints?|points?|p|pence|cents?"
    rf"|degrees|dollars|euros)\b|[£$€]\s?{_NUMBER}"
    r"|an? (?:third|quarter|half|fifth|tenth)\b(?! of\b)"
    r"|[1-9][0-9]+(?:,[0-9]{3})*(?:(?=[.;!?)]*$)|(?=,?\s(?:compared|from|on|since)\s)))"
)
_SINCE = (
    r"(?P<since> (?:from|on)(?: (?:the (?P<one>day|week|month|quarter|year)(?=[.,;]|$)"
    r"|a (?P<ago>year) (?:ago|earlier|before)\b)"
    r"|(?= (?:last|the (?:previous|same|year|month)|(?:19|20)[0-9]{2})\b)))?"
)
_MOVED = re.compile(
    r"(?P<verb>\b(?:is|are|was|were|will be)|(?<=\w)['’](?:s|re))"
    r"(?P<when>(?: (?:again|already|also|currently|now))?) (?P<way>up|down) (?:by )?"
    rf"(?P<amount>{_AMOUNT}){_SINCE}"
)
_PERSON = re.compile(r"\b(?:[Hh]e|I|[Ss]he|[Ww]e|[Ww]ho|[Yy]ou)\s?$")
_LONGEST_PERSON = len(" She ")
_AND_MOVED = re.compile(
    r"(?P<before>(?:,|\band\b|\bbut\b|\bwhile\b)(?: the)? [a-z]+) (?P<way>up|down) (?:by )?"
    rf"(?={_SHARE})"
)
_WHICH_MOVED = re.compile(
    r"(?<=[^\s,]), (?P<way>up|down) (?:by )?"
    rf"(?P<amount>{_AMOUNT}|{PLACEHOLDER.pattern}(?=[.,;]|\s(?:from|on)\s)){_SINCE}"
)
"""The placeholder is mostly one of money."""

_VERBS = {
    "is": {"up": "has{} risen", "down": "has{} fallen"},
    "are": {"up": "have{} risen", "down": "have{} fallen"},
    "was": {"up": "{} rose", "down": "{} fell"},
    "will be": {"up": "will{} rise", "down": "will{} fall"},
}
_VERBS |= {"were": _VERBS["was"], "s": _VERBS["is"], "re": _VERBS["are"]}


def moves_as_read(text: str) -> str:
    """Return an English text with `rose by 2%` for `was up 2%`, as a model reads it more surely.

    Args:
        text: a sentence.
    """
    if " up " not in text and " down " not in text:
        return text  # as mostly
    moved = _MOVED.sub(_moved, text)
    if moved != text:
        moved = _AND_MOVED.sub(lambda found: f"{found['before']} {_past(found)} by ", moved)
    return _WHICH_MOVED.sub(lambda found: f", which {_past(found)} by {_by_how_much(found)}", moved)


def _moved(found: re.Match[str]) -> str:
    text, start = found.string, found.start()
    if not found["share"] and _PERSON.search(text, max(0, start - _LONGEST_PERSON), start):
        return found[0]
    verb = found["verb"].lstrip("'’")
    words = _VERBS[verb][found["way"]].format(found["when"]).lstrip()
    return f"{'' if verb == found['verb'] else ' '}{words} by {_by_how_much(found)}"


def _past(found: re.Match[str]) -> str:
    return _VERBS["was"][found["way"]].format("").lstrip()


def _by_how_much(found: re.Match[str]) -> str:
    """Return `5% compared to the year before` for `5% on the year`."""
    if not found["since"]:
        return found["amount"]
    before = found["one"] or found["ago"]
    return f"{found['amount']} compared to" + (f" the {before} before" if before else "")
