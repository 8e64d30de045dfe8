"""Rewrite rules: what a model misreads in a sentence, and the words that it reads instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

Words = str | Callable[[re.Match[str]], str]


class Rule(NamedTuple):
    """What a model misreads, and what it reads instead.

    Attributes:
        hint: strings with `|` between them, one of which is in every text that has the pattern; or
            another pattern that is found in each, best one that begins with a rare sign.
        pattern: a regular expression.
        words: as `re.sub` takes them.
    """

    hint: str | re.Pattern[str]
    pattern: str
    words: Words


class RuleTable:
    """Rewrite rules, in order: each reads what those before it have left.

    Attributes:
        rules: the hints of each, what it looks for and what it writes.
        strings: hints of all rules.
        signs: those that are patterns.
    """

    def __init__(self, *rules: Rule) -> None:
        """Compile the rules."""
        self.rules = [(*_hints(rule), re.compile(rule.pattern), rule.words) for rule in rules]
        self.strings = tuple(dict.fromkeys(hint for strings, *_ in self.rules for hint in strings))
        self.signs = tuple(dict.fromkeys(hint for _, signs, *_ in self.rules for hint in signs))


def read_as(text: str, rules: RuleTable | None) -> str:
    """Return a text as a model reads it more surely by some rules; without any, as it is."""
    if rules is None or not _has_one(text, rules.strings, rules.signs):
        return text  # as mostly
    for strings, signs, pattern, words in rules.rules:
        if _has_one(text, strings, signs):
            text = pattern.sub(words, text)
    return text


def _hints(rule: Rule) -> tuple[Sequence[str], Sequence[re.Pattern[str]]]:
    return (rule.hint.split("|"), ()) if isinstance(rule.hint, str) else ((), (rule.hint,))


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
    capital = words[0].upper() + words[1:]
    return lambda found: capital if found[0].lstrip("'‘’")[0].isupper() else words
