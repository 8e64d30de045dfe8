"""What is no language, so that it comes back as it is: text in a format for code, and codes."""

from __future__ import annotations

import re

from translator.text.characters import has_letters

_CODE = re.compile(
    r"Code|(?<![A-Za-z])code|(?i:source[ _]?(?:20_)?text|verbatim|preformatted|teletype|typewriter"
    r"|(?:inline|block)_?literal|literalblock|codeblock|courier|consolas|menlo|monaco)|Mono(?![a-z])"
    r"|(?<![A-Za-z])monospace"
)

_A_CODE = re.compile(
    r"[A-Z]{1,4}"  # EUR
    r"|(?=\S*\d)[^\sa-z\u00df-\u00ff]+"  # AB-1234/7
    r"|\w*\d\w*"  # x200b
    r"|(?=\S*(?:[_@\\]|://))\S+"  # max_length, somebody@example.org
)
_LITERAL = re.compile(r'"((?:[^"]|""){1,1000})"')


def is_for_code(format_of_text: str) -> bool:
    """Return whether a style or a font is for code, by its name.

    Args:
        format_of_text: a name, or markup with some.
    """
    return _CODE.search(format_of_text) is not None


def is_a_code(cell: str) -> bool:
    """Return whether the whole text of a cell is a number, a code, an address or the like."""
    return not has_letters(cell) or _A_CODE.fullmatch(cell.strip()) is not None


def literals(formula: str) -> set[str]:
    """Return the texts in the quotes of a formula, and the items of a list such as `"yes,no"`."""
    found = {text.replace('""', '"') for text in _LITERAL.findall(formula)}
    return found | {item.strip() for text in found for item in text.split(",")}
