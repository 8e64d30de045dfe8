"""Numbers and a half: `anderthalb`, `zweieinhalb`, `an hour and a half`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from translator.text.characters import primary_language
from translator.text.numbers.digits import Reading
from translator.text.numbers.words import number_words

_HINTS = ("halb", "half")
_MIXED = {
    "de": re.compile(r"\b(?i:(?P<one>anderthalb)|(?P<whole>[^\W\d_]{3,7})einhalb)[^\W\d_]*"),
    "en": re.compile(r"(?i:\b(?P<whole>[^\W\d_]+)[\s-])?\b(?i:and[\s-](?:a|one)[\s-]half)\b"),
}
_IN_MONTHS = r"\b(?:18|30|42|54|90|150)\b"
_SAID = {
    "de": re.compile(
        r"(?i:einhalb|anderthalb|und (?:ein\w{0,2} )?(?:halb|hälfte)|achtzehn|dreißig|neunzig)"
        rf"|½|[0-9][.,]5|1/2|{_IN_MONTHS}"
    ),
    "en": re.compile(
        r"(?i:and[\s-](?:a|one)[\s-]half|eighteen|thirty|ninety)"
        rf"|½|[0-9][.,]5|1/2|{_IN_MONTHS}"
    ),
}
"""How a language says a half more, or the same in months or minutes."""


def lost_halves(
    source: str, target: str, languages: tuple[str, str]
) -> Iterator[tuple[int, int, Reading]]:
    """Yield numbers and a half of a sentence whose half is not in its translation.

    Args:
        source: a sentence.
        target: its translation.
        languages: codes of both.

    Yields:
        start and end of each, and what it says.
    """
    if not any(hint in source for hint in _HINTS):
        return  # as nearly always
    ours, theirs = map(primary_language, languages)
    mixed, said = _MIXED.get(ours), _SAID.get(theirs)
    if mixed is None or said is None or said.search(target):
        return
    for found in mixed.finditer(source):
        name = (found["whole"] or "").casefold()
        value = 1 if ours == "de" and (not name or name == "ein") else None
        value = value or number_words(ours).cardinals.get(name) or (1 if name == "one" else None)
        reading: Reading = (found[0],) if value is None else (Decimal(value) + Decimal("0.5"),)
        yield found.start(), found.end(), reading
