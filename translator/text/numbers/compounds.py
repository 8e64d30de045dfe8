"""Long German numbers in one word, such as `zweitausendvierundzwanzig` and years."""

from __future__ import annotations

from collections.abc import Mapping

HINTS = ("tausend", "hundert")
"""One of them is in every such word."""

_YEARS = range(11, 20)


def compound_number(word: str, cardinals: Mapping[str, int]) -> int | None:
    """Return the value of a word in small letters; None if it is no such number.

    Args:
        word: such as `neunzehnhundertvierundachtzig`.
        cardinals: the words for numbers below a thousand.
    """
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
