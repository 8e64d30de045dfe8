"""What is no language, so that it comes back as it is: text in a format for code, and codes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
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
_A_KEY = re.compile(r"[A-Za-z_]\w*(?:[.:][\w-]+)+|[A-Za-z]+_\w+|[a-z]+\d*[A-Z]\w*")
_A_WORD = re.compile(r"\S+")
_HEAD_OF_KEYS = re.compile(
    r"(?:.*(?:[\W_]|(?-i:(?<=[a-z])(?=[A-Z]))))?"  # `product_id`, `messageKey`
    r"(?:keys?|ids?|u?uid|guid|sku|slug|codes?|ean|gtin|isbn|mpn|identifier|kürzel|kuerzel)"
    r"|.*(?:schl(?:ü|ue)ssel|kennung|kennzeichen|code|(?:msg|item|user|product|artikel)id)"
    r"|.+(?:nummer|nr\.?|number|\bno\.?)",
    re.IGNORECASE,
)
Read = TypeVar("Read")
_MOST_CODE, _LEAST_SAID = 0.8, 0.2  # of the letters of a document
_SAID = re.compile(r"(?:[^\W\d_]{2,}[,;:]?\s+){4}")  # words side by side
_PROGRAM = re.compile(r"[{}<>=\\|_`~^]|//|--|\w\(|;\s*$")
_QUOTED = re.compile(r"[\"“”][^\"“”]*[\"“”]")
_STATEMENT = re.compile(
    r"(?=.*(?:\w\(\)|\w\.\w+\(|[\w\])] ?[-+*/|&<>!=]?= ?[^\s=]|\w\[\w*\])).*[;{}]"
    r"|\W*(?:if|for|while|switch) ?\((?=.*[<>=!+]).*\)\s*[;{]?"
)
_MOST_KEYS = 0.5  # of the cells of a column
_LITERAL = re.compile(r'"((?:[^"]|""){1,1000})"')


def is_for_code(format_of_text: str) -> bool:
    """Return whether a style or a font is for code, by its name, or markup with some."""
    return _CODE.search(format_of_text) is not None


class Code:
    """Tells what stays in a document because its format is for code, and counts it."""

    def __init__(self, *, stays: bool = True) -> None:
        """Say whether text in such a format stays at all."""
        self._stays, self._inside, self._all, self._said = stays, 0, 0, 0

    def has(self, text: str, *, is_in_format: bool) -> bool:
        """Return whether a text stays, which may be in a format for code; count it."""
        self._all += len(text)
        self._inside += len(text) if is_in_format else 0
        if is_in_format and _SAID.search(text) and not _PROGRAM.search(text):
            self._said += len(text)
        return is_in_format and self._stays

    @property
    def is_typed(self) -> bool:
        """Whether it is more than four fifths of all; or a fifth, and mostly sentences."""
        is_said = self._said > max(_LEAST_SAID * self._all, self._inside / 2)
        return is_said or self._inside > _MOST_CODE * self._all


def unless_all_is_code(read: Callable[[Code], Read]) -> Read:
    """Return what is read with code that stays, or with none if what looks like it is typed.

    Scripts of films, contracts and plain text that was opened in a word processor are typed in a
    typewriter's font from the first page to the last, and they are no code; nor are letters that
    are typed below a printed head.
    """
    code = Code()
    found = read(code)
    return read(Code(stays=False)) if code.is_typed else found


def is_statement(text: str) -> bool:
    """Return whether a text is a line of a program, which calls, assigns or asks, in no words."""
    bare = _QUOTED.sub('""', text.strip())
    return _STATEMENT.fullmatch(bare) is not None and _SAID.search(bare) is None


def is_a_code(cell: str) -> bool:
    """Return whether the whole text of a cell is a number, a code, an address or the like."""
    return not has_letters(cell) or _A_CODE.fullmatch(cell.strip()) is not None


def are_keys(column: Sequence[str]) -> bool:
    """Return whether a column, its head first, has keys of a program or of records.

    More than half of its cells look like keys, as `menu.help` and `menuHelp`; or are single words,
    and the head says that they are keys.
    """
    head, *cells = (text.strip() for text in column)
    is_key = _A_WORD if _HEAD_OF_KEYS.fullmatch(head) else _A_KEY
    keys = sum(is_key.fullmatch(cell) is not None for cell in cells)
    return keys > _MOST_KEYS * len(cells)


def staying(named: Collection[str], cells: Iterable[tuple[Hashable, str]]) -> Callable[[str], bool]:
    """Return what tells whether the text of a cell stays in all sheets.

    Args:
        named: what formulas and the like find cells by, in small letters.
        cells: column and text of each that is not empty, heads first.
    """
    columns, keys = defaultdict[Hashable, list[str]](list), set[str]()
    for column, text in cells:
        columns[column].append(text.strip())
    for texts in filter(are_keys, columns.values()):
        keys.update(texts if texts[0][0].islower() else texts[1:])  # a program looks for `key`
    return lambda text: is_a_code(text) or text.strip() in keys or text.strip().lower() in named


def literals(formula: str) -> set[str]:
    """Return the texts in the quotes of a formula, and the items of a list such as `"yes,no"`."""
    found = {text.replace('""', '"') for text in _LITERAL.findall(formula)}
    return found | {item.strip() for text in found for item in text.split(",")}
