"""Rows on their way: as they are read, and what has become of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any, NamedTuple, Protocol, TypeVar

Item = TypeVar("Item")

ROWS_AT_ONCE = 1000
"""Rows of a batch, as far as a format can choose."""


class Split(NamedTuple):
    """A part of a file that is translated as a whole."""

    start: int  # byte of its contents, decompressed; or row, in a format that can find rows
    end: int
    num_rows: int


class Row(NamedTuple):
    """What is to be translated of a row."""

    text: str | None  # None if the row has none
    language: str | None = None  # its source language, if a column names it
    error: str = ""  # why the row cannot be translated; empty if nothing is known against it


class TranslatedRow(NamedTuple):
    """What has become of a row."""

    text: str | None  # its translation; None if it has no text, or could not be translated
    language: str = ""  # the source language
    flags: tuple[str, ...] = ()  # of the translation
    model: str = ""  # name and version of what translated it; empty if nothing had to
    error: str = ""  # why it could not be translated; empty if it could


class Batch(NamedTuple):
    """Rows that follow each other."""

    rows: Sequence[Row]  # of the batch
    content: Any  # all that their format knows of them, for those who write them


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """Names of columns."""

    text: str  # to be translated
    language: str = ""  # names the source language of each row; empty if none does
    # to be written. Those beside it have its name, an underscore and theirs.
    translation: str = "translation"
    has_languages: bool = False  # whether the source language is written, too

    @property
    def added(self) -> tuple[str, ...]:
        """The columns that are added, in the order of `values`."""
        name = self.translation
        return (
            name,
            *([f"{name}_source"] if self.has_languages else []),
            *(f"{name}_{end}" for end in ("flags", "model", "error")),
        )

    def values(self, row: TranslatedRow) -> tuple[Any, ...]:
        """Return what stands in the columns that are added; None where there is nothing."""
        return (
            row.text,
            *([row.language or None] if self.has_languages else []),
            list(row.flags),
            row.model or None,
            row.error or None,
        )


class Writer(ABC):
    """Writes batches with their translations to a stream; a format inherits from it."""

    def __init__(self, stream: IO[bytes], columns: Columns) -> None:
        self._stream, self._columns = stream, columns

    @abstractmethod
    def write(self, batch: Batch, translated: Sequence[TranslatedRow]) -> None:
        """Write the rows of a batch."""

    def close(self) -> None:
        """Write what stands at the end of a file, if anything does; the stream stays open."""
        return


class RowFormat(Protocol):
    """A format of rows."""

    def splits(self, url: str, columns: Columns, max_rows: int, max_bytes: int) -> Iterator[Split]:
        """Cut a file into splits; only an empty file has none.

        The texts of a split of more than one row have at most `max_bytes`, as far as they are
        known.

        Raises:
            InputError: the file is damaged, lacks a column, or has one that is to be added.
        """

    def read(self, url: str, split: Split, columns: Columns) -> Iterator[Batch]:
        """Yield the rows of a split."""

    @property
    def writer(self) -> Callable[[IO[bytes], Columns], Writer]:
        """What makes a writer to a stream."""


def check_columns(url: str, names: Sequence[str], columns: Columns) -> str:
    """Return what is wrong with the columns of a file; nothing if they will do."""
    every_name = ", ".join(names)
    for name in (columns.text, columns.language):
        if name and name not in names:
            return f"{url}: has no column {name!r}, but {every_name}"
    for name in columns.added:
        if name in names:
            return (
                f"{url}: has a column {name!r} already; name another one for the translation "
                "with --into"
            )
    return ""


def in_batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield lists of `ROWS_AT_ONCE` items."""
    iterator = iter(items)
    while batch := list(islice(iterator, ROWS_AT_ONCE)):
        yield batch
