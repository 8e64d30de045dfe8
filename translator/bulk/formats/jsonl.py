"""JSON lines: an object a line; what it has is kept, and the translation is added."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import IO, Any

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


class JsonRows:
    """Objects of JSON, one a line. See `RowFormat`."""

    def spans(self, url: str, columns: Columns, max_rows: int, max_bytes: int) -> Iterator[Span]:
        """Cut between lines.

        Raises:
            InputError: the first object lacks a column, or has one that is to be added.
        """
        with unpacked(url) as stream:
            _, first = _read(next(iter(stream), b"{}"), columns)
            if isinstance(first, dict) and (wrong := check_columns(url, [*first], columns)):
                raise InputError(wrong)
        with unpacked(url) as stream:
            yield from spans_of_lines(stream, max_rows, max_bytes)

    def read(self, url: str, span: Span, columns: Columns) -> Iterator[Batch]:
        """Yield objects; what is none, or has no text, has an error."""
        with unpacked(url) as stream:
            for lines in in_batches(lines_within(stream, span.start, span.end)):
                rows = [_read(line, columns) for line in lines]
                yield Batch([row for row, _ in rows], [content for _, content in rows])

    def writer(self, stream: IO[bytes], columns: Columns) -> JsonWriter:
        """Return what writes the objects again, with what is added."""
        return JsonWriter(stream, columns)


class JsonWriter(Writer):
    """Writes objects with their translations."""

    def __init__(self, stream: IO[bytes], columns: Columns) -> None:
        self._stream, self._columns = stream, columns

    def write(self, batch: Batch, translated: Sequence[TranslatedRow]) -> None:
        """Write the rows of a batch; its content is a dictionary for each."""
        names, values = self._columns.added, self._columns.values
        for content, row in zip(batch.content, translated, strict=True):
            added = dict(zip(names, values(row), strict=True))
            self._stream.write(_line({**content, **added}))


def _read(line: bytes, columns: Columns) -> tuple[Row, dict[str, Any]]:
    """Return a row and all that it has; a line that is no object is kept as its text."""
    text = line.decode(errors="backslashreplace").rstrip("\r\n")
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Row(text, error=f"is not JSON ({error})"), {columns.text: text}
    if not isinstance(content, dict):
        return Row(text, error="is no object of JSON"), {columns.text: text}
    return _row(content, columns), content


def _row(content: dict[str, Any], columns: Columns) -> Row:
    values = [content.get(name) if name else None for name in (columns.text, columns.language)]
    for name, value in zip((columns.text, columns.language), values, strict=True):
        if name and name not in content:
            return Row(None, error=f"has no {name!r}")
        if value is not None and not isinstance(value, str):
            return Row(None, error=f"{name}: must be text, got {json.dumps(value)[:80]}")
    return Row(values[0], values[1])


def _line(content: dict[str, Any]) -> bytes:
    """Return a line; escapes that are no characters (halves of a pair) stay escapes."""
    try:
        return (json.dumps(content, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(content) + "\n").encode()
