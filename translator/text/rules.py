"""The shape of a rule: what a model misreads in a sentence, and the words that it reads instead.

Most sentences have nothing for any rule of a table; hints say so at little cost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

Words = str | Callable[[re.Match[str]], str]


class Rule(NamedTuple):
    """What a model misreads, and what it reads instead.

    Attributes:
        hint: strings with `|` between them, one of which is in every text that has the pattern; or
            a pattern that is found in each. Empty for a pattern that begins with a rare sign, which
            `re` looks for fast.
        pattern: a regular expression.
        words: as `re.sub` takes them.
    """

    hint: str | re.Pattern[str]
    pattern: str
    words: Words


class Rules:
    """A table of rules, in order: each reads what those before it have left."""

    def __init__(self, *rules: Rule) -> None:
        """Take the rules."""
        self._rules = [(*_hints(rule), re.compile(rule.pattern), rule.words) for rule in rules]
        self._strings = tuple(dict.fromkeys(one for strings, *_ in self._rules for one in strings))
        self._signs = tuple(dict.fromkeys(one for _, signs, *_ in self._rules for one in signs))

    def read(self, text: str) -> str:
        """Return a text as a model reads it more surely."""
        if not _has_one(text, self._strings, self._signs):
            return text  # as mostly
        for strings, signs, pattern, words in self._rules:
            if _has_one(text, strings, signs):
                text = pattern.sub(words, text)
        return text


def read_as(text: str, rules: Rules | None) -> str:
    """Return a text as a model reads it more surely by some rules; without any, as it is."""
    return text if rules is None else rules.read(text)


def _hints(rule: Rule) -> tuple[Sequence[str], Sequence[re.Pattern[str]]]:
    if rule.hint and isinstance(rule.hint, str):
        return tuple(rule.hint.split("|")), ()
    return (), (re.compile(rule.hint or rule.pattern),)


def _has_one(text: str, strings: Sequence[str], signs: Sequence[re.Pattern[str]]) -> bool:
    for string in strings:  # `any` would take twice as long
        if string in text:
            return True
    for sign in signs:  # noqa: SIM110
        if sign.search(text):
            return True
    return False


def like(words: str) -> Callable[[re.Match[str]], str]:
    """Return what writes words with a capital where the first letter that is misread has one."""

    def written(found: re.Match[str]) -> str:
        is_capital = found[0].lstrip("'‘’")[0].isupper()
        return words[0].upper() + words[1:] if is_capital else words

    return written
