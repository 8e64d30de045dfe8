"""CSV and TSV: a table with a head; all cells are kept, and columns are added."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from translator.bulk.formats.lines import lines_within, spans_of_lines, unpacked
from translator.bulk.formats.rows import (
    Batch,
    Columns,
    Row,
    Span,
    TranslatedRow,
    Writer,
    check_columns,
    in_batches,
)
from translator.errors import InputError

KEEP = "surrogateescape"
"""Bytes that are not UTF-8 are written as they were; in a text they are an error of its row."""


class TableRows:
    """Rows of CSV, with quotation marks as in RFC 4180. See `RowFormat`."""

    def __init__(self, separator: str) -> None:
        self._separator = separator

    def spans(self, url: str, columns: Columns, max_rows: int, max_bytes: int) -> Iterator[Span]:
        """Cut between rows, below the head.

        Raises:
            InputError: the head lacks a column, or has one that is to be added.
        """
        with unpacked(url) as stream:
            head, end = self._head(stream)
            if head and (wrong := check_columns(url, head, columns)):
                raise InputError(wrong)
        with unpacked(url) as stream:
            stream.seek(end)
            yield from spans_of_lines(stream, max_rows, max_bytes, is_quoted=True)

    def read(self, url: str, span: Span, columns: Columns) -> Iterator[Batch]:
        """Yield rows; one with more or fewer cells than the head has an error.

        Raises:
            InputError: it is no table.
        """
        with unpacked(url) as stream:
            head, _ = self._head(stream)
        places = [head.index(name) if name else None for name in (columns.text, columns.language)]
        with unpacked(url) as stream:
            lines = (line.decode(errors=KEEP) for line in lines_within(stream, *span[:2]))
            try:
                for cells in in_batches(self._rows(lines)):
                    rows = [_row(cells_of_row, len(head), places) for cells_of_row in cells]
                    yield Batch(rows, [head, *cells])
            except csv.Error as error:
                raise InputError(f"{url}: is damaged behind byte {span.start} ({error})") from error

    def writer(self, stream: IO[bytes], columns: Columns) -> TableWriter:
        """Return what writes the table again, with the columns that are added."""
        return TableWriter(stream, columns, self._separator)

    def _head(self, stream: IO[bytes]) -> tuple[list[str], int]:
        """Return the names of the columns, and where the rows begin."""
        end = next((span.end for span in spans_of_lines(stream, 1, 1, is_quoted=True)), 0)
        stream.seek(0)
        text = stream.read(end).decode("utf-8-sig", errors=KEEP)
        return next(self._rows(io.StringIO(text, newline="")), []), end

    def _rows(self, lines: Iterable[str]) -> Iterator[list[str]]:
        csv.field_size_limit(sys.maxsize)
        return csv.reader(lines, delimiter=self._separator)


class TableWriter(Writer):
    """Writes a head, then rows with their translations."""

    def __init__(self, stream: IO[bytes], columns: Columns, separator: str) -> None:
        self._stream, self._columns, self._separator = stream, columns, separator
        self._is_begun = False

    def write(self, batch: Batch, translated: Sequence[TranslatedRow]) -> None:
        """Write the rows of a batch; its content is the head, then the cells of each row."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=self._separator, lineterminator="\n")
        head, *every = batch.content
        if not self._is_begun:
            self._is_begun = True
            writer.writerow([*head, *self._columns.added])
        for cells, row in zip(every, translated, strict=True):
            padded = cells[: len(head)] + [""] * (len(head) - len(cells))
            writer.writerow([*padded, *map(_cell, self._columns.values(row))])
        self._stream.write(text.getvalue().encode(errors=KEEP))


def _row(cells: list[str], width: int, places: list[int | None]) -> Row:
    if len(cells) != width:
        more = f": {cells[width:]}"[:200] if len(cells) > width else ""
        return Row(None, error=f"has {len(cells)} cells, the head {width}{more}")
    text, language = (None if place is None else cells[place] for place in places)
    return Row(text, language)


def _cell(value: str | list[str] | None) -> str:
    return " ".join(value) if isinstance(value, list) else value or ""
