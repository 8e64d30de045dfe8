"""Files of lines, plain or compressed: cut into spans, and read from the middle."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from translator.bulk.formats.rows import Span
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
