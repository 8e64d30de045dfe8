"""Whether the figures of a page are all there again, in its paragraphs and where they are set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from translator.rules.comparison import disagreement

_NUMBER, _FIGURE = re.compile(r"\d+(?: \d+)*"), re.compile(r"\d")
_EXACT = re.compile(r"[(\[]\d+[)\]]|(?<=\d[.,])(?:\d{5,}|0{4})(?!\d)")
"""Labels such as `(1)`, and long fractions: no words stand for them, and no zero is too many."""
_READ = ("en", "de")
"""Languages whose dates and times a translation may write otherwise; a file does not say its own.
"""


def has_same_numbers(source: str, translation: str, target: str | None) -> bool:
    """Return whether a translation has the numbers of a paragraph, perhaps as it writes them.

    `19.12.` may become `December 19`, and `2` may become `two`.
    """
    source, translation = " ".join(source.split()), " ".join(translation.split())
    if Counter(_NUMBER.findall(source)) == Counter(_NUMBER.findall(translation)):
        return True
    if Counter(_EXACT.findall(source)) != Counter(_EXACT.findall(translation)):
        return False
    found = (disagreement(source, translation, (own, target or "")) for own in _READ)
    return any(
        not any(number.kind == "digits" for number in (*one.missing, *one.added)) for one in found
    )


def has_same_figures(some: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether two lists of texts have each figure as often."""
    return Counter(_FIGURE.findall("".join(some))) == Counter(_FIGURE.findall("".join(others)))
