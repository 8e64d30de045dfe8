"""Which format a file has, by the ending of its name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from translator.bulk.formats.lines import JsonRows, TableRows, TextRows, compression_of
from translator.bulk.formats.parquet import ParquetRows
from translator.bulk.formats.rows import RowFormat
from translator.errors import InputError

FormatName = Literal["parquet", "jsonl", "csv", "tsv", "text"]

ENDINGS: dict[str, FormatName] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".txt": "text",
}
EXTENSIONS = {name: ending for ending, name in reversed(ENDINGS.items())}
"""The first ending of each format."""

ROW_FORMATS: dict[FormatName, RowFormat] = {
    "parquet": ParquetRows(),
    "jsonl": JsonRows(),
    "csv": TableRows(","),
    "tsv": TableRows("\t"),
    "text": TextRows(),
}


def format_of(urls: Iterable[str], format_name: str = "") -> FormatName:
    """Return the format of that name, or the one that all files have, by their endings.

    Raises:
        InputError: they have several, or an ending that is not known.
    """
    if format_name in ROW_FORMATS:
        return format_name
    by_format: dict[FormatName, str] = {}
    for url in urls:
        plain = url.removesuffix(compression_of(url))
        name = ENDINGS.get(f".{plain.lower().rpartition('.')[2]}")
        if name is None or (name == "parquet" and plain != url):
            endings = ", ".join(ENDINGS)
            raise InputError(
                f"{url}: has none of the endings {endings} (all but Parquet also with .gz, .xz, "
                ".zst); say with --input-format what it is"
            )
        by_format.setdefault(name, url)
    if len(by_format) > 1:
        raise InputError(
            f"{' and '.join(by_format.values())} have different formats; translate them one after "
            "the other, by a pattern such as 'folder/*.csv'"
        )
    return next(iter(by_format))
