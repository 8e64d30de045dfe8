"""The page of guarantees shows a text with each kind of what is not language."""

from __future__ import annotations

import re
from pathlib import Path

from translator.text.span_kinds import KINDS
from translator.text.spans import find_spans

PAGE = Path(__file__).parents[2] / "docs" / "guarantees.md"
SIGNS = {"ESC": "\x1b", "U+E001": "\ue001", "FSI": "\u2068", "PDI": "\u2069", "\\|": "|"}


def test_the_table_has_all_kinds_in_order_and_their_examples() -> None:
    table = PAGE.read_text().partition("| kind | example |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = re.findall(r"\| (.+) \| (`{1,2}) ?(.+?) ?\2 \|", table)
    shown = dict[str, str]()
    for name, _, example in rows:
        for written, sign in SIGNS.items():
            example = example.replace(written, sign)
        shown[name] = example
    assert shown == {name: kind.example for name, kind in KINDS.items()}


def test_each_example_has_a_span_of_its_kind() -> None:
    for name, kind in KINDS.items():
        found = re.search(kind.pattern, kind.example)
        assert found, name
        assert found.span() in find_spans(kind.example), name
