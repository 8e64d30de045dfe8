"""Files of lines, plain or compressed, cut into spans and read from the middle; plain text."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from translator.bulk.formats.rows import (
    Batch,
    Columns,
    Row,
    Span,
    TranslatedRow,
    Writer,
    in_batches,
)
from translator.bulk.storage import reading
from translator.errors import InputError
from translator.files import BLOCK, zstd

OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".zst": zstd.open}


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


def spans_of_lines(
    stream: IO[bytes], max_rows: int, max_bytes: int, *, is_quoted: bool = False
) -> Iterator[Span]:
    """Yield spans of whole lines, from where a stream stands.

    Args:
        stream: of bytes.
        max_rows: of a span.
        max_bytes: a span ends with the row that reaches so many.
        is_quoted: whether a line ends a row only where all quotation marks are closed, as in CSV.
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
            yield Span(start, end, num_rows)
            start, num_rows = end, 0
    if has_begun:  # a quotation mark that is never closed: the rest is one row
        num_rows += 1
    if num_rows:
        yield Span(start, end, num_rows)


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


class TextRows:
    """Lines of UTF-8; only a newline ends one. See `RowFormat`."""

    def spans(self, url: str, columns: Columns, max_rows: int, max_bytes: int) -> Iterator[Span]:
        """Cut between lines, which have no column for the language."""
        if columns.language:
            raise InputError(f"{url}: is text, which has no column {columns.language!r}")
        with unpacked(url) as stream:
            yield from spans_of_lines(stream, max_rows, max_bytes)

    def read(self, url: str, span: Span, columns: Columns) -> Iterator[Batch]:
        """Yield lines; one that is not UTF-8 has an error."""
        with unpacked(url) as stream:
            for lines in in_batches(lines_within(stream, span.start, span.end)):
                rows = [_row(line) for line in lines]
                yield Batch(rows, [{columns.text: row.text} for row in rows])

    def writer(self, stream: IO[bytes], columns: Columns) -> TextWriter:
        """Return what writes a translation a line; see `TextWriter`."""
        return TextWriter(stream)


class TextWriter(Writer):
    """Writes translations, a line for a line; that of a row with an error is empty."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def write(self, batch: Batch, translated: Sequence[TranslatedRow]) -> None:
        """Write the rows of a batch."""
        lines = [(row.text or "").replace("\n", " ") + "\n" for row in translated]
        self._stream.write("".join(lines).encode())


def _row(line: bytes) -> Row:
    try:
        return Row(line.decode().removesuffix("\n"))
    except UnicodeDecodeError as error:
        text = line.decode(errors="backslashreplace").removesuffix("\n")
        return Row(text, error=f"is not UTF-8 ({error.reason})")
