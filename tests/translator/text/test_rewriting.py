"""Tables of rules: which of them read a text, and in which order."""

from __future__ import annotations

import re

import pytest

from translator.text.rewriting import Rule, RuleTable, like, read_as

RULES = RuleTable(
    Rule("lift|Lift", r"\b[Ll]ift\b", like("elevator")),
    Rule(re.compile("[0-9]p"), r"(?<=[0-9])p\b", " pence"),
    Rule("elevator", "elevator shaft", "shaft"),
    Rule("@", "@(?= )", "at"),
)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Lifts stay.", "Lifts stay."),
        ("Lift 1 or lift 2", "Elevator 1 or elevator 2"),
        ("20p @ noon", "20 pence at noon"),
        ("the lift shaft", "the shaft"),
        ("'Lift out of order", "'Elevator out of order"),
    ],
)
def test_each_rule_reads_what_those_before_it_have_left(text: str, read: str) -> None:
    assert read_as(text, RULES) == read


def test_a_text_without_a_hint_is_not_looked_at_again() -> None:
    assert read_as("ab", RuleTable(Rule("c", "a", "x"))) == "ab"


def test_a_language_without_rules_stays_as_it_is() -> None:
    assert read_as("the lift", None) == "the lift"
