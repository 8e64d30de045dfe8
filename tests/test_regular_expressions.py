"""No regular expression of the project needs what `re` gets wrong before Python 3.11.5."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
POSSESSIVE = re.compile(r"[)\]}\w.][*+?}]\+(?!\+)|\(\?>")
FILES = [
    path for name in ("translator", "service", "training") for path in (ROOT / name).rglob("*.py")
]


def expressions(source: str) -> Iterator[str]:
    """Yield the strings of a source that are parts of patterns, without their character classes."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.sub(r"\[\^?\]?(?:\\.|[^\]\\])*\]", "x", node.value)


def possessive(source: str) -> list[str]:
    return [text for text in expressions(source) if POSSESSIVE.search(text)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_possessive_or_atomic(path: Path) -> None:
    assert possessive(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("pattern", ["(?:a|b)*+", "[ab]++", "(?>a)b", "a?+", "a{2}+", "f(?:x)++|y"])
def test_the_check_can_fail(pattern: str) -> None:
    assert possessive(f"x = {pattern!r}") == [re.sub(r"\[ab\]", "x", pattern)]
