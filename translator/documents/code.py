"""What is no language, so that it comes back as it is: text in a format for code, and codes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

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
Read = TypeVar("Read")
_MOST_CODE = 0.8  # of the letters of a document
_LITERAL = re.compile(r'"((?:[^"]|""){1,1000})"')


def is_for_code(format_of_text: str) -> bool:
    """Return whether a style or a font is for code, by its name, or markup with some."""
    return _CODE.search(format_of_text) is not None


class Code:
    """Tells what stays in a document because its format is for code, and counts it."""

    def __init__(self, *, stays: bool = True) -> None:
        """Say whether text in such a format stays at all."""
        self._stays, self._inside, self._all = stays, 0, 0

    def has(self, text: str, *, is_in_format: bool) -> bool:
        """Return whether a text stays, which may be in a format for code; count it."""
        self._all += len(text)
        self._inside += len(text) if is_in_format else 0
        return is_in_format and self._stays

    @property
    def is_nearly_all(self) -> bool:
        """Whether more than four fifths of what was counted is in such a format."""
        return self._inside > _MOST_CODE * self._all


def unless_all_is_code(read: Callable[[Code], Read]) -> Read:
    """Return what is read with code that stays, or with none if nearly all would be code.

    Scripts of films, contracts and plain text that was opened in a word processor are typed in a
    typewriter's font from the first page to the last, and they are no code.
    """
    code = Code()
    found = read(code)
    return read(Code(stays=False)) if code.is_nearly_all else found


def is_a_code(cell: str) -> bool:
    """Return whether the whole text of a cell is a number, a code, an address or the like."""
    return not has_letters(cell) or _A_CODE.fullmatch(cell.strip()) is not None


def literals(formula: str) -> set[str]:
    """Return the texts in the quotes of a formula, and the items of a list such as `"yes,no"`."""
    found = {text.replace('""', '"') for text in _LITERAL.findall(formula)}
    return found | {item.strip() for text in found for item in text.split(",")}
