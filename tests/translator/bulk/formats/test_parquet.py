"""Parquet: types stay, and a split may begin anywhere."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from translator.bulk.formats.parquet import ParquetRows
from translator.bulk.formats.rows import Columns, Row, TranslatedRow
from translator.errors import InputError

pyarrow = pytest.importorskip("pyarrow", reason="pip install -r requirements-bulk.txt")

COLUMNS = Columns(text="text", language="lang")


@pytest.fixture
def url(tmp_path: Path) -> str:
    from pyarrow import parquet

    table = pyarrow.table(
        {
            "id": pyarrow.array(range(2500), pyarrow.int16()),
            "text": [None if number == 3 else f"row {number}" for number in range(2500)],
            "lang": pyarrow.array(["de"] * 2500).dictionary_encode(),
        }
    )
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=700)
    return str(tmp_path / "a.parquet")


@pytest.mark.parametrize("max_rows", [2500, 699, 1234])
def test_all_spans_together_are_the_file(url: str, max_rows: int) -> None:
    from pyarrow import parquet

    found, made = list[Row](), list[Any]()
    for split in ParquetRows().splits(url, COLUMNS, max_rows, 10**9):
        stream = io.BytesIO()
        writer = ParquetRows().writer(stream, COLUMNS)
        for batch in ParquetRows().read(url, split, COLUMNS):
            found += batch.rows
            translated = [TranslatedRow(row.text, flags=("copied",)) for row in batch.rows]
            writer.write(batch, translated)
        writer.close()
        made.append(parquet.read_table(io.BytesIO(stream.getvalue())))
        assert made[-1].num_rows == split.num_rows
    assert [row.text for row in found][2:5] == ["row 2", None, "row 4"]
    whole = pyarrow.concat_tables(made)
    assert whole["id"].to_pylist() == [*range(2500)]
    assert whole.schema.field("id").type == pyarrow.int16()
    assert whole["translation"].to_pylist() == whole["text"].to_pylist()
    assert whole.schema.field("translation_flags").type == pyarrow.list_(pyarrow.string())


def test_long_texts_make_short_spans(url: str) -> None:
    splits = list(ParquetRows().splits(url, COLUMNS, 2500, 1000))
    assert max(split.num_rows for split in splits) < 200


def test_what_cannot_be_read_is_named(url: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the column 'id' is of type int16, not text"):
        list(ParquetRows().splits(url, Columns(text="id"), 9, 99))
    with pytest.raises(InputError, match="has no column 'x', but id, text, lang"):
        list(ParquetRows().splits(url, Columns(text="x"), 9, 99))
    (tmp_path / "b.parquet").write_bytes(b"no table at all")
    with pytest.raises(InputError, match=r"b\.parquet: is damaged, or no Parquet"):
        list(ParquetRows().splits(str(tmp_path / "b.parquet"), COLUMNS, 9, 99))
