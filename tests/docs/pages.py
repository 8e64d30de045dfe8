"""The pages of the documentation, and what tests look for in them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.checkout import ROOT

FENCE = re.compile(r"^( *)(```+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"(`+)[^`].*?\1", re.DOTALL)


def all_pages(root: Path = ROOT) -> list[Path]:
    """Return README.md, CONTRIBUTING.md, CHANGELOG.md and all Markdown below docs/."""
    top = (root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
    return [*filter(Path.is_file, top), *sorted((root / "docs").rglob("*.md"))]


def read(page: Path) -> str:
    """Return the text of a page."""
    return page.read_text(encoding="utf-8")


def without_code(text: str) -> str:
    """Return Markdown without blocks and spans of code."""
    return INLINE_CODE.sub("", FENCE.sub("", text))


def code_spans(text: str) -> set[str]:
    """Return what stands between single backticks, outside blocks of code."""
    return {*re.findall(r"(?<!`)`([^`\n]+)`(?!`)", FENCE.sub("", text))}
