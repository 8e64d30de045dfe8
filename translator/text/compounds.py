"""German compounds that share their second part, each written whole: `Anreise und Abreise`.

A model that reads `An- und Abreise` loses one of the two where the first parts are prefixes or
numbers. It reads `Wirtschafts- und Finanzfragen`, and frequent ones such as `Vor- und Nachname`,
well.
"""

from __future__ import annotations

import re

from translator.text.characters import word_set
from translator.text.rewriting import Rule, RuleTable, read_as

_PREFIXES = word_set(
    "ab an auf aus be durch ein ent er fort hin mit nach rück über um unter ver vor weg zu"
)
_GROUPS = (
    _PREFIXES,
    word_set("ein zwei drei vier fünf sechs sieben acht neun zehn zwölf mehr"),
    *map(word_set, ("alt neu", "groß klein", "haupt neben", "hoch tief", "in aus", "inner außer")),
)
"""First parts that are set against each other; those of a text are of one group."""

_PART = "|".join(sorted(_PREFIXES.union(*_GROUPS), key=len, reverse=True))
_NO_PART = r"(?!(?i:abend|ander|einig|einzel|ernst|erst(?!att|ell)|hinter|inner\b|mehrere|vorder))"
_SPLIT = (
    rf"(?<![\w-])(?P<before>(?:(?i:{_PART})-, )*)(?P<first>(?i:{_PART}))-"
    rf"(?P<word> (?:und|oder|sowie|bzw\.) ){_NO_PART}(?P<last>(?i:{_PART}))"
    r"(?P<shared>(?!name|teil|mal|hundert|tausend|wendig)[^\W\d_]{3,})(?![\w-])"
)
_SURE_IN_SMALL_LETTERS = word_set("be ent ver")
"""Prefixes of verbs in small letters; others may be an idiom, such as `auf- und abgehen`."""

_UP_AND_DOWN = re.compile("ge|lauf|fahr|spring|steig|schau|beweg")
"""Begins what may be done up and down."""


def _written_whole(found: re.Match[str]) -> str:
    first, last, shared = found["first"], found["last"], found["shared"]
    parts = {*found["before"].lower().split("-, ")[:-1], first.lower(), last.lower()}
    groups = [group for group in _GROUPS if group >= parts]
    may_be_idiom = groups == [_PREFIXES] and (
        (first.islower() and not parts <= _SURE_IN_SMALL_LETTERS)
        or (parts == {"auf", "ab"} and _UP_AND_DOWN.match(shared))
    )
    if len(parts) < 2 or not groups or may_be_idiom:
        return found[0]
    before = found["before"].replace("-,", f"{shared},")
    return f"{before}{first}{shared}{found['word']}{last}{shared}"


_WHOLE = RuleTable(Rule(re.compile(r"- (?:und|oder|sowie|bzw\.) "), _SPLIT, _written_whole))


def with_whole_compounds(text: str) -> str:
    """Return a German text in which compounds that share their second part have one each."""
    return read_as(text, _WHOLE)
