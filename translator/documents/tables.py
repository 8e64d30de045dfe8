"""Tables (`.csv`, `.tsv`): cells of text are translated, columns of numbers and codes stay."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from translator.documents.code import are_keys, is_a_code
from translator.documents.document import Document, FileDocument, Piece, TextUnit
from translator.documents.encoding import TextEncoding, decode
from translator.documents.kinds import NO_OPTIONS, FileOptions
from translator.errors import InputError
from translator.text.characters import has_letters
from translator.text.marked import MarkedText

_SEPARATORS = ",;\t|"
_ROWS_LOOKED_AT = 50
_MOST_CODES = 0.5
"""Share of the cells of a column that may be codes; of more, none is translated."""

_MOST_SAID = 200
"""Characters of heads in an error."""


@dataclass(frozen=True, slots=True)
class _Cell:
    start: int
    end: int
    text: str
    column: int
    is_head: bool


def read_csv(name: str, data: bytes, options: FileOptions = NO_OPTIONS) -> Document[bytes]:
    """Read a table whose cells are separated by commas, semicolons, tabs or bars.

    A column of which more than half are numbers, codes, addresses or the like stays, but for its
    head; so does one of keys, with a head in small letters. Elsewhere each cell that has words is a
    unit. If columns are chosen, all cells of those that have letters are units, and no others.
    Quotes stay, and are added where a translation needs them.

    Raises:
        InputError: it is in another encoding, or no text, or has no column that was chosen.
    """
    text, encoding = decode(data, name)
    return _Table(name, text, _separator(text), options.columns).document(encoding)


def read_tsv(name: str, data: bytes, options: FileOptions = NO_OPTIONS) -> Document[bytes]:
    """Read a table whose cells are separated by tabs; see `read_csv`.

    Raises:
        InputError: as for `read_csv`.
    """
    text, encoding = decode(data, name)
    return _Table(name, text, "\t", options.columns).document(encoding)


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


class _Table:
    def __init__(self, name: str, text: str, separator: str, chosen: Sequence[str]) -> None:
        self._name, self._text, self._separator = name, text, separator
        self._chosen: frozenset[int] | None = None
        self._has_heads = False
        if chosen:
            self._chosen = frozenset(number for one in chosen for number in self._columns(one))

    def document(self, encoding: TextEncoding) -> Document[bytes]:
        """Return it in pieces."""
        return FileDocument(self._pieces(), self._name, encoding.encode)

    def _columns(self, chosen: str) -> list[int]:
        """Return the numbers, from 0, of the columns that a head or a number from 1 names."""
        heads: list[str] = []
        for cell in _cells(self._text, self._separator):
            if not cell.is_head:
                break
            heads += [""] * (cell.column - len(heads)) + [cell.text.strip()]
        named = [number for number, head in enumerate(heads) if head == chosen.strip()]
        if named:
            self._has_heads = True
            return named
        if re.fullmatch(r"[1-9][0-9]{0,5}", chosen) and int(chosen) <= len(heads):
            return [int(chosen) - 1]
        known = ", ".join(repr(head) for head in heads)[:_MOST_SAID]
        raise InputError(
            f"{self._name}: has no column {chosen!r}; name one by its number, 1 to {len(heads)}, "
            f"or by what stands above it: {known}"
        )

    def _is_left(self) -> Callable[[_Cell], bool]:
        """Return what tells whether a cell stays, although it has letters."""
        if (chosen := self._chosen) is not None:
            return lambda cell: cell.column not in chosen or (self._has_heads and cell.is_head)
        columns = defaultdict[int, list[str]](list)
        for cell in _cells(self._text, self._separator):
            if cell.is_head or cell.text.strip():
                columns[cell.column].append(cell.text)
        keys = {number for number, column in columns.items() if are_keys(column)}
        left = keys | {
            number
            for number, (_, *cells) in columns.items()
            if sum(map(is_a_code, cells)) > _MOST_CODES * len(cells)
        }

        def is_left(cell: _Cell) -> bool:
            if cell.is_head and cell.column in keys and cell.text[:1].islower():
                return True
            return is_a_code(cell.text) or (not cell.is_head and cell.column in left)

        return is_left

    def _pieces(self) -> Iterator[Piece]:
        text, separator, is_left, done = self._text, self._separator, self._is_left(), 0
        for cell in _cells(text, separator):
            if has_letters(cell.text) and not is_left(cell):
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
