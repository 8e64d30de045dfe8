"""Quotation marks in a quotation and apostrophes as German writes them, and marks at an end."""

from __future__ import annotations

import re

_NESTED = re.compile(r"[\"“](?:[^\"“”]*[\s(])?['‘](?P<inner>[^\"“”'‘’]+)['’](?!\w)[^\"“”'‘’]*[\"”]")
"""An English quotation with another inside it, and no apostrophe behind that."""

_INNER_IS_LAST = re.compile(r"['’][,.!?]?[\"”]$")
_QUOTES = '"„“”»«'
_OUTER = re.compile(
    rf"(?P<start>[^{_QUOTES}]*)"
    rf"[„\"»](?P<before>(?:[^{_QUOTES}‚‘]*[\s(])?)[„\"»](?P<inner>(?!\s)[^{_QUOTES}‚‘]+(?<!\s))[“\"«]"
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
        if source.endswith(nested[0][0]):
            behind += "“"
        elif _INNER_IS_LAST.search(nested[0][0]):
            end = 1 if behind[:1] in tuple(".!?") else 0
            behind = f"{behind[:end]}“{behind[end:]}"
        else:
            return text  # nobody knows where the quotation ends
    elif re.fullmatch(rf"[^{_QUOTES}]*[“\"«][^{_QUOTES}]*", behind) is None:
        return text
    behind = behind.replace('"', "“").replace("«", "“")
    return f"{outer['start']}„{outer['before']}‚{outer['inner']}‘{behind}"


_GENITIVE = re.compile(r"(?<![Tt]he )\b(?P<name>[A-ZÄÖÜ][^\W\d_]*[sxzß])['’]s?(?=\s[a-z])")


def with_genitives(text: str, source: str) -> str:
    """Return a German translation with an apostrophe behind names that end with an s-sound.

    Args:
        text: the translation, such as `Jamess Bruder`, or `James Bruder`.
        source: an English sentence, such as `James's brother`.
    """
    if "'" not in source and "’" not in source:
        return text  # as nearly always
    for name in {found["name"] for found in _GENITIVE.finditer(source)}:
        text = re.sub(rf"\b{name}['’]?s(?=\s)", f"{name}’", text)
        text = re.sub(
            rf"(?<![Vv]on )(?<!Herrn )(?<!Frau )\b{name}(?= [A-ZÄÖÜ]\w)", f"{name}’", text
        )
    return text


_SHOUT = re.compile(r"[!?]+$")
_END = re.compile(r"(?<![.!?…])(?:\.|[!?]+)$")


def with_end_marks(text: str, source: str) -> str:
    """Return a translation that ends with the `!`, or with as many `!` and `?`, as its source.

    A single question mark is left to the model.
    """
    marks = _SHOUT.search(source)
    if marks is None or marks[0] == "?":
        return text  # as mostly
    return _END.sub(marks[0], text)
