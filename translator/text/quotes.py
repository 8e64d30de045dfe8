"""Quotation marks inside a quotation, as German writes them."""

from __future__ import annotations

import re

_NESTED = re.compile(r"[\"“](?:[^\"“”]*[\s(])?['‘](?P<inner>[^\"“”'‘’]+)['’](?!\w)[^\"“”'‘’]*[\"”]")
"""An English quotation with another inside it, and no apostrophe behind that."""

_QUOTES = '"„“”'
_OUTER = re.compile(
    rf"(?P<start>[^{_QUOTES}]*)"
    rf"[„\"](?P<before>(?:[^{_QUOTES}‚‘]*[\s(])?)[„\"](?P<inner>(?!\s)[^{_QUOTES}‚‘]+(?<!\s))[“\"]"
    r"(?P<behind>.*)"
)


def with_nested_quotes(text: str, source: str) -> str:
    """Return a German translation with single quotation marks inside its only quotation.

    Args:
        text: the translation, such as `„Eine „Tale“ von zwei Städten“`.
        source: an English sentence; without one quotation in another, the text stays.
    """
    if "'" not in source and "‘" not in source:
        return text  # as nearly always
    nested = list(_NESTED.finditer(source))
    is_only = len(nested) == 1 and sum(source.count(sign) for sign in '"“”') == 2
    outer = _OUTER.match(text) if is_only else None
    if outer is None:
        return text
    behind = outer["behind"]
    if not any(sign in behind for sign in _QUOTES):
        if not source.endswith(nested[0][0]):
            return text  # nobody knows where the quotation ends
        behind += "“"
    elif re.fullmatch(rf"[^{_QUOTES}]*[“\"][^{_QUOTES}]*", behind) is None:
        return text
    behind = behind.replace('"', "“")
    return f"{outer['start']}„{outer['before']}‚{outer['inner']}‘{behind}"
