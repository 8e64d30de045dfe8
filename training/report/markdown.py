"""Text, numbers and times as Markdown that a person can read, and tables of them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def escaped(text: str) -> str:
    """Return foreign text as one line in which nothing is mark-up."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$&])", r"\\\1", " ".join(text.split()))


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of cells that are Markdown; all columns but the first are numbers."""
    rule = ["---"] + ["---:"] * (len(header) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, rule, *rows))


def bullets(items: Sequence[str]) -> str:
    """Return a list; the items are Markdown already."""
    return "\n".join(f"- {item}" for item in items)


def fenced(text: str, language: str) -> str:
    """Return a block of code, whatever back-quotes it holds."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def duration(seconds: float) -> str:
    """Return a time as a person would say it: `42 s`, `3 min 5 s` or `1 h 9 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60} min"


def number(value: object) -> str:
    """Return a count with separators, a score with two decimals, a dash for nothing."""
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.2f}"
    return "–" if value is None else escaped(str(value))
