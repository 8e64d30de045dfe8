"""Parquet: columns keep their types; only the text and the language leave Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from translator.bulk.formats.rows import (
    ROWS_AT_ONCE,
    Batch,
    Columns,
    Row,
    Split,
    TranslatedRow,
    Writer,
    check_columns,
)
from translator.bulk.storage import reading
from translator.errors import InputError
from translator.extras import require_extras

GROUP_BYTES = 32 * 1024 * 1024
"""Of a group of rows, about: what a part has is less, unless other columns are large."""


class ParquetWriter(Writer):
    """Writes batches of Arrow with columns added, many of them as one group of rows."""

    def __init__(self, stream: IO[bytes], columns: Columns) -> None:
        super().__init__(stream, columns)
        self._writer: Any = None
        self._waiting = list[Any]()

    def write(self, batch: Batch, translated: Sequence[TranslatedRow]) -> None:
        """Take the rows of a batch, and write what waits if that is much."""
        import pyarrow

        names, whole = self._columns.added, batch.content
        flags = f"{self._columns.translation}_flags"
        values = zip(*map(self._columns.values, translated), strict=True)
        for name, column in zip(names, values, strict=True):
            kind = pyarrow.list_(pyarrow.string()) if name == flags else pyarrow.string()
            whole = whole.append_column(name, pyarrow.array(column, kind))
        self._waiting.append(whole)
        if sum(table.nbytes for table in self._waiting) > GROUP_BYTES:
            self._write_waiting()

    def close(self) -> None:
        """Write what waits, and the list of what the file has."""
        self._write_waiting()
        if self._writer is not None:
            self._writer.close()

    def _write_waiting(self) -> None:
        import pyarrow
        from pyarrow.parquet import ParquetWriter as ArrowWriter

        if self._waiting:
            table, self._waiting = pyarrow.Table.from_batches(self._waiting), []
            if self._writer is None:
                self._writer = ArrowWriter(self._stream, table.schema)
            self._writer.write_table(table)


class ParquetRows:
    """Rows of Parquet. See `RowFormat`; a split counts rows, not bytes."""

    writer = ParquetWriter

    def splits(self, url: str, columns: Columns, max_rows: int, max_bytes: int) -> Iterator[Split]:
        """Cut between rows; how long their texts are is known on average only.

        Raises:
            InputError: it is no Parquet, lacks a column of text, or has one that is to be added.
        """
        with _opened(url) as file:
            schema, about = file.schema_arrow, file.metadata
            if wrong := check_columns(url, schema.names, columns):
                raise InputError(wrong)
            for name in filter(None, (columns.text, columns.language)):
                if not _is_text(schema.field(name).type):
                    raise InputError(
                        f"{url}: the column {name!r} is of type {schema.field(name).type}, not text"
                    )
            mean = max(1, _text_bytes(about, columns.text) // max(1, about.num_rows))
            step, total = max(1, min(max_rows, max_bytes // mean)), about.num_rows
        for start in range(0, total, step):
            end = min(start + step, total)
            yield Split(start, end, end - start)

    def read(self, url: str, split: Split, columns: Columns) -> Iterator[Batch]:
        """Yield rows; no more than a batch of them are in memory, besides a page of each column."""
        with _opened(url) as file:
            groups, first = _groups(file.metadata, split)
            skip, left = split.start - first, split.num_rows
            for batch in file.iter_batches(batch_size=ROWS_AT_ONCE, row_groups=groups):
                part = batch.slice(skip, left)
                skip = max(0, skip - batch.num_rows)
                if part.num_rows:
                    left -= part.num_rows
                    texts = part.column(columns.text).to_pylist()
                    languages = [None] * len(texts)
                    if columns.language:
                        languages = part.column(columns.language).to_pylist()
                    yield Batch([*map(Row, texts, languages)], part)
                if not left:
                    return


@contextmanager
def _opened(url: str) -> Iterator[Any]:
    """Open a file of Parquet.

    Raises:
        ConfigError: pyarrow is not installed.
        InputError: it is damaged, or something else.
    """
    require_extras("pyarrow")
    import pyarrow
    from pyarrow.parquet import ParquetFile

    with reading(url) as stream:
        try:
            with ParquetFile(stream) as file:
                yield file
        except pyarrow.ArrowInvalid as error:
            raise InputError(f"{url}: is damaged, or no Parquet ({error})") from error


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _text_bytes(about: Any, name: str) -> int:
    """Return how many bytes a column has, by what the file says of its groups of rows."""
    groups = map(about.row_group, range(about.num_row_groups))
    columns = (group.column(place) for group in groups for place in range(group.num_columns))
    return sum(one.total_uncompressed_size for one in columns if one.path_in_schema == name)


def _groups(about: Any, split: Split) -> tuple[list[int], int]:
    """Return the groups of rows that a split has part of, and the number of their first row."""
    groups, first, start = list[int](), split.start, 0
    for number in range(about.num_row_groups):
        end = start + about.row_group(number).num_rows
        if start < split.end and end > split.start:
            first = start if not groups else first
            groups.append(number)
        start = end
    return groups, first
