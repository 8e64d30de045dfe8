"""Plain text: a row a line, translated line for line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from translator.bulk.formats.lines import lines_within, spans_of_lines, unpacked
from translator.bulk.formats.rows import Batch, Columns, Row, Span, TranslatedRow, in_batches
from translator.errors import InputError


class TextRows:
    """Lines of UTF-8; only a newline ends one. See `RowFormat`."""

    def spans(self, url: str, columns: Columns, max_rows: int, max_bytes: int) -> Iterator[Span]:
        """Cut between lines.

        Raises:
            InputError: a column is to name the languages, and lines have none.
        """
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


class TextWriter:
    """Writes translations, a line for a line; that of a row with an error is empty."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Write to a stream of bytes."""
        self._stream = stream

    def write(self, batch: Batch, translated: Sequence[TranslatedRow]) -> None:
        """Write the rows of a batch."""
        lines = [(row.text or "").replace("\n", " ") + "\n" for row in translated]
        self._stream.write("".join(lines).encode())

    def close(self) -> None:
        """Do nothing: there is no end to write."""


def _row(line: bytes) -> Row:
    try:
        return Row(line.decode().removesuffix("\n"))
    except UnicodeDecodeError as error:
        text = line.decode(errors="backslashreplace").removesuffix("\n")
        return Row(text, error=f"is not UTF-8 ({error.reason})")
