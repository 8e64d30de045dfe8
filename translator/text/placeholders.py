"""The characters that stand for what is not language: the first N of the private use area.

The vocabulary has each of them as a piece of its own. Text hardly ever has any; where it does, they
are protected like other spans.
"""

from __future__ import annotations

import re

_FIRST = 0xE001
MAX_PLACEHOLDERS = 64

PLACEHOLDER = re.compile(f"[{chr(_FIRST)}-{chr(_FIRST + MAX_PLACEHOLDERS - 1)}]")


def symbols(count: int) -> list[str]:
    """Return the first `count` placeholders."""
    return [chr(_FIRST + number) for number in range(count)]


def placeholders_in(text: str) -> list[str]:
    """Return all placeholders in a text, sorted."""
    return sorted(PLACEHOLDER.findall(text))
