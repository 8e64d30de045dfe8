"""No regular expression of the project needs what `re` gets wrong before Python 3.11.5."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
POSSESSIVE = re.compile(r"(?:^|[)\]}\w.])[*+?}]\+(?!\+)|\(\?>")
ESCAPE_OR_CLASS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
FILES = [
    path for name in ("translator", "service", "training") for path in (ROOT / name).rglob("*.py")
]


def expressions(source: str) -> Iterator[str]:
    """Yield the texts and bytes of a source, with x for each escape and each class of characters.

    Some of them are patterns, or parts of patterns.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            value = node.value
            text = value.decode("latin-1") if isinstance(value, bytes) else value
            yield ESCAPE_OR_CLASS.sub("x", text)


def possessive(source: str) -> list[str]:
    return [text for text in expressions(source) if POSSESSIVE.search(text)]


def test_nothing_is_possessive_or_atomic() -> None:
    found = {path: possessive(path.read_text(encoding="utf-8")) for path in FILES}
    assert len(found) > 100
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:a|b)*+",
        "[ab]++",
        "(?>a)b",
        "a?+",
        "a{2}+",
        "f(?:x)++|y",
        r"\[(?:a)*+\]",
        r"\d++",
        b"a*+",
    ],
)
def test_the_check_can_fail(pattern: str | bytes) -> None:
    assert len(possessive(f"x = re.compile({pattern!r})")) == 1


def test_parts_of_a_pattern_are_found_too() -> None:
    assert possessive('x = re.compile(f"{SPACE}*+")') == ["*+"]
    assert possessive('x = re.compile(SPACE + "++")') == ["++"]


@pytest.mark.parametrize("pattern", [r"\*+$", "[*+]", "[-*+]+", r"\++", r"[\]*+]", "a+", "a*|b+"])
def test_what_only_looks_like_it_passes(pattern: str) -> None:
    assert possessive(f"x = {pattern!r}") == []
