"""Tables (`.csv`, `.tsv`): cells of text are translated, columns of numbers and codes stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from translator.text.characters import has_letters
from translator.text.files.encoding import decode
from translator.text.files.markup.code import is_a_code
from translator.text.formats.document import Document
from translator.text.formats.pieces import FileDocument, Piece, TextUnit
from translator.text.marked import MarkedText

_SEPARATORS = ",;\t|"
_ROWS_LOOKED_AT = 50
_MOST_CODES = 0.5
"""Share of the cells of a column that may be codes; of more, none is translated."""


@dataclass(frozen=True, slots=True)
class _Cell:
    start: int
    end: int
    text: str
    column: int
    is_head: bool


def read_csv(name: str, data: bytes) -> Document[bytes]:
    """Read a table whose cells are separated by commas, semicolons, tabs or bars.

    A column of which more than half are numbers, codes, addresses or the like stays, but for its
    head. Elsewhere each cell that has words is a unit. Quotes stay, and are added where a
    translation needs them.

    Raises:
        InputError: it is in another encoding, or no text.
    """
    text, encoding = decode(data, name)
    return FileDocument(_pieces(text, _separator(text)), name, encoding.encode)


def read_tsv(name: str, data: bytes) -> Document[bytes]:
    """Read a table whose cells are separated by tabs; see `read_csv`.

    Raises:
        InputError: as for `read_csv`.
    """
    text, encoding = decode(data, name)
    return FileDocument(_pieces(text, "\t"), name, encoding.encode)


def _separator(text: str) -> str:
    """Return the separator that makes the most rows as long as each other, and not of one cell."""

    def regularity(separator: str) -> tuple[int, int]:
        lengths = Counter[int]()
        row = 0
        for cell in _cells(text, separator):
            if cell.column == 0:
                row += 1
                if row > _ROWS_LOOKED_AT:
                    break
            lengths[row] += 1
        count = Counter(length for length in lengths.values() if length > 1)
        [(length, rows)] = count.most_common(1) or [(0, 0)]
        return rows, length

    return max(_SEPARATORS, key=regularity)


def _pieces(text: str, separator: str) -> Iterator[Piece]:
    codes, words = Counter[int](), Counter[int]()
    for cell in _cells(text, separator):
        if not cell.is_head and cell.text.strip():
            (codes if is_a_code(cell.text) else words)[cell.column] += 1
    left = {
        column for column in codes if codes[column] > _MOST_CODES * (codes[column] + words[column])
    }
    done = 0
    for cell in _cells(text, separator):
        is_left = is_a_code(cell.text) or (cell.column in left and not cell.is_head)
        if has_letters(cell.text) and not is_left:
            yield text[done : cell.start]
            yield _unit(cell.text, text[cell.start : cell.end], separator)
            done = cell.end
    yield text[done:]


def _unit(value: str, original: str, separator: str) -> TextUnit:
    needs_quotes = re.compile(rf'["\r\n{re.escape(separator)}]')

    def write(translation: str) -> str:
        if original[0] == '"' or needs_quotes.search(translation):
            return '"' + translation.replace('"', '""') + '"'
        return translation

    return TextUnit(MarkedText(value), original, write)


def _cells(text: str, separator: str) -> Iterator[_Cell]:
    """Yield the cells in order; a quote opens only at the start of one."""
    mark = re.escape(separator)
    cell = re.compile(
        rf'(?:"(?P<quoted>(?:[^"]|"")*)"(?=[\r\n{mark}]|\Z)|(?P<bare>[^\r\n{mark}]*))'
        rf"(?P<end>{mark}|\r\n|\r|\n|\Z)"
    )
    place, column, is_head = 0, 0, True
    while place <= len(text):
        found = cell.match(text, place)
        assert found is not None  # a bare cell may be empty
        value = found["bare"] if found["quoted"] is None else found["quoted"].replace('""', '"')
        if value or found["end"]:
            yield _Cell(found.start(), found.start("end"), value, column, is_head)
        if not found["end"]:
            return
        place = found.end()
        if found["end"] == separator:
            column += 1
        else:
            column, is_head = 0, False
