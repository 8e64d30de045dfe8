"""Formats of lines: plain text, JSON lines, CSV and TSV.

Their files are plain or compressed, cut into splits, and read from the middle. Of a table all cells
are kept, of an object all that it has, and columns are added.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import IO, Any

from translator.bulk.formats.rows import (
    Batch,
    Columns,
    Row,
    Split,
    TranslatedRow,
    Writer,
    check_columns,
    in_batches,
)
from translator.bulk.storage import reading
from translator.errors import InputError
from translator.files import BLOCK, zstd

OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".zst": zstd.open}

KEEP = "surrogateescape"
"""Bytes that are not UTF-8 are written as they were; in a text they are an error of its row."""


def compression_of(url: str) -> str:
    """Return the ending that says how a file is compressed; nothing if it is not."""
    return next((ending for ending in OPENERS if url.endswith(ending)), "")


@contextmanager
def unpacked(url: str) -> Iterator[IO[bytes]]:
    """Open a file for reading, decompressed.

    Raises:
        InputError: it cannot be decompressed.
    """
    ending = compression_of(url)
    try:
        with reading(url) as packed:
            if not ending:
                yield packed
                return
            with OPENERS[ending](packed, "rb") as stream:
                yield stream
    except (gzip.BadGzipFile, EOFError, lzma.LZMAError, zlib.error, zstd.ZstdError) as error:
        raise InputError(f"{url}: damaged archive ({error}); fetch it again") from error


@contextmanager
def packing(stream: IO[bytes], ending: str) -> Iterator[IO[bytes]]:
    """Compress what is written to a stream, as an ending asks; the stream stays open."""
    if not ending:
        yield stream
        return
    packed: Any
    if ending == ".gz":  # the same bytes at any time
        packed = gzip.GzipFile(fileobj=stream, mode="wb", mtime=0)
    else:
        packed = OPENERS[ending](stream, "wb")
    with packed:
        yield packed


def splits_of_lines(
    stream: IO[bytes], max_rows: int, max_bytes: int, *, is_quoted: bool = False
) -> Iterator[Split]:
    """Yield splits of whole lines, from where a stream stands.

    A split ends with the row that reaches `max_bytes`. If it `is_quoted`, as CSV is, a line ends a
    row only where all quotation marks are closed.
    """
    start = end = stream.tell()
    num_rows, is_open, has_begun = 0, False, False
    for line in stream:
        end += len(line)
        has_begun = True
        if is_quoted and line.count(b'"') % 2:
            is_open = not is_open
        if is_open:
            continue
        num_rows, has_begun = num_rows + 1, False
        if num_rows == max_rows or end - start >= max_bytes:
            yield Split(start, end, num_rows)
            start, num_rows = end, 0
    if has_begun:  # a quotation mark that is never closed: the rest is one row
        num_rows += 1
    if num_rows:
        yield Split(start, end, num_rows)


def lines_within(stream: IO[bytes], start: int, end: int) -> Iterator[bytes]:
    """Yield the lines between two places of a stream, both of which begin a line."""
    _skip(stream, start)
    left = end - start
    while left > 0 and (line := stream.readline()):
        left -= len(line)
        yield line


def _skip(stream: IO[bytes], start: int) -> None:
    """Go to a place; what is compressed has to be read until there."""
    if stream.seekable():
        stream.seek(start)
        return
    left = start
    while left > 0 and (block := stream.read(min(left, BLOCK))):
        left -= len(block)


class TextWriter(Writer):
    """Writes translations, a line for a line; that of a row with an error is empty."""

    def write(self, batch: Batch, translated: Sequence[TranslatedRow]) -> None:
        """Write the rows of a batch."""
        lines = [(row.text or "").replace("\n", " ") + "\n" for row in translated]
        self._stream.write("".join(lines).encode())


class TextRows:
    """Lines of UTF-8; only a newline ends one. See `RowFormat`."""

    writer = TextWriter

    def splits(self, url: str, columns: Columns, max_rows: int, max_bytes: int) -> Iterator[Split]:
        """Cut between lines, which have no column for the language."""
        if columns.language:
            raise InputError(f"{url}: is text, which has no column {columns.language!r}")
        with unpacked(url) as stream:
            yield from splits_of_lines(stream, max_rows, max_bytes)

    def read(self, url: str, split: Split, columns: Columns) -> Iterator[Batch]:
        """Yield lines; one that is not UTF-8 has an error."""
        with unpacked(url) as stream:
            for lines in in_batches(lines_within(stream, split.start, split.end)):
                rows = [_text_row(line) for line in lines]
                yield Batch(rows, [{columns.text: row.text} for row in rows])


def _text_row(line: bytes) -> Row:
    try:
        return Row(line.decode().removesuffix("\n"))
    except UnicodeDecodeError as error:
        text = line.decode(errors="backslashreplace").removesuffix("\n")
        return Row(text, error=f"is not UTF-8 ({error.reason})")


class JsonWriter(Writer):
    """Writes objects with their translations."""

    def write(self, batch: Batch, translated: Sequence[TranslatedRow]) -> None:
        """Write the rows of a batch; its content is a dictionary for each."""
        names, values = self._columns.added, self._columns.values
        for content, row in zip(batch.content, translated, strict=True):
            added = dict(zip(names, values(row), strict=True))
            self._stream.write(_json_line({**content, **added}))


class JsonRows:
    """Objects of JSON, one a line. See `RowFormat`."""

    writer = JsonWriter

    def splits(self, url: str, columns: Columns, max_rows: int, max_bytes: int) -> Iterator[Split]:
        """Cut between lines.

        Raises:
            InputError: the first object lacks a column, or has one that is to be added.
        """
        with unpacked(url) as stream:
            _, first = _read_json(next(iter(stream), b"{}"), columns)
            if isinstance(first, dict) and (wrong := check_columns(url, [*first], columns)):
                raise InputError(wrong)
        with unpacked(url) as stream:
            yield from splits_of_lines(stream, max_rows, max_bytes)

    def read(self, url: str, split: Split, columns: Columns) -> Iterator[Batch]:
        """Yield objects; what is none, or has no text, has an error."""
        with unpacked(url) as stream:
            for lines in in_batches(lines_within(stream, split.start, split.end)):
                rows = [_read_json(line, columns) for line in lines]
                yield Batch([row for row, _ in rows], [content for _, content in rows])


def _read_json(line: bytes, columns: Columns) -> tuple[Row, dict[str, Any]]:
    """Return a row and all that it has; a line that is no object is kept as its text."""
    text = line.decode(errors="backslashreplace").rstrip("\r\n")
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Row(text, error=f"is not JSON ({error})"), {columns.text: text}
    if not isinstance(content, dict):
        return Row(text, error="is no object of JSON"), {columns.text: text}
    return _json_row(content, columns), content


def _json_row(content: dict[str, Any], columns: Columns) -> Row:
    values = [content.get(name) if name else None for name in (columns.text, columns.language)]
    for name, value in zip((columns.text, columns.language), values, strict=True):
        if name and name not in content:
            return Row(None, error=f"has no {name!r}")
        if value is not None and not isinstance(value, str):
            return Row(None, error=f"{name}: must be text, got {json.dumps(value)[:80]}")
    return Row(values[0], values[1])


def _json_line(content: dict[str, Any]) -> bytes:
    """Return a line; escapes that are no characters (halves of a pair) stay escapes."""
    try:
        return (json.dumps(content, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(content) + "\n").encode()


class TableWriter(Writer):
    """Writes a head, then rows with their translations."""

    def __init__(self, stream: IO[bytes], columns: Columns, separator: str) -> None:
        super().__init__(stream, columns)
        self._separator, self._is_begun = separator, False

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


class TableRows:
    """Rows of CSV, with quotation marks as in RFC 4180. See `RowFormat`."""

    def __init__(self, separator: str) -> None:
        self._separator = separator
        self.writer = partial(TableWriter, separator=separator)

    def splits(self, url: str, columns: Columns, max_rows: int, max_bytes: int) -> Iterator[Split]:
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
            yield from splits_of_lines(stream, max_rows, max_bytes, is_quoted=True)

    def read(self, url: str, split: Split, columns: Columns) -> Iterator[Batch]:
        """Yield rows; one with more or fewer cells than the head has an error.

        Raises:
            InputError: it is no table.
        """
        with unpacked(url) as stream:
            head, _ = self._head(stream)
        places = [head.index(name) if name else None for name in (columns.text, columns.language)]
        with unpacked(url) as stream:
            lines = (line.decode(errors=KEEP) for line in lines_within(stream, *split[:2]))
            try:
                for cells in in_batches(self._rows(lines)):
                    rows = [_table_row(row, len(head), places) for row in cells]
                    yield Batch(rows, [head, *cells])
            except csv.Error as error:
                raise InputError(
                    f"{url}: is damaged behind byte {split.start} ({error})"
                ) from error

    def _head(self, stream: IO[bytes]) -> tuple[list[str], int]:
        """Return the names of the columns, and where the rows begin."""
        end = next((split.end for split in splits_of_lines(stream, 1, 1, is_quoted=True)), 0)
        stream.seek(0)
        text = stream.read(end).decode("utf-8-sig", errors=KEEP)
        return next(self._rows(io.StringIO(text, newline="")), []), end

    def _rows(self, lines: Iterable[str]) -> Iterator[list[str]]:
        csv.field_size_limit(sys.maxsize)
        return csv.reader(lines, delimiter=self._separator)


def _table_row(cells: list[str], width: int, places: list[int | None]) -> Row:
    if len(cells) != width:
        more = f": {cells[width:]}"[:200] if len(cells) > width else ""
        return Row(None, error=f"has {len(cells)} cells, the head {width}{more}")
    text, language = (None if place is None else cells[place] for place in places)
    return Row(text, language)


def _cell(value: str | list[str] | None) -> str:
    return " ".join(value) if isinstance(value, list) else value or ""
