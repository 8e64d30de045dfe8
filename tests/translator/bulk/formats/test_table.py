"""CSV: cells are kept as they are, whatever is in them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from translator.bulk.formats.rows import Columns, Row, TranslatedRow
from translator.bulk.formats.table import TableRows
from translator.errors import InputError

COLUMNS = Columns(text="text")
CONTENT = (
    b'\xef\xbb\xbfid,text\r\n1,"two\nlines, ""quoted"""\r\n2,\xff\r\n3\r\n4,a,more\r\n5,last\r\n'
)


def test_rows_are_read_span_by_span(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(CONTENT)
    table = TableRows(",")
    spans = list(table.spans(str(path), COLUMNS, 2, 999))
    assert [span.num_rows for span in spans] == [2, 2, 1]
    batches = [batch for span in spans for batch in table.read(str(path), span, COLUMNS)]
    assert [row for batch in batches for row in batch.rows] == [
        Row('two\nlines, "quoted"'),
        Row("\udcff"),
        Row(None, error="has 1 cells, the head 2"),
        Row(None, error="has 3 cells, the head 2: ['more']"),
        Row("last"),
    ]
    stream = io.BytesIO()
    writer = table.writer(stream, COLUMNS)
    for batch in batches:
        row = TranslatedRow("x", flags=("copied", "retried"), model="m")
        writer.write(batch, [row] * len(batch.rows))
    writer.close()
    assert b"2,\xff,x,copied retried,m,\n" in stream.getvalue()
    text = stream.getvalue().decode(errors="replace")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["id"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert rows[0]["text"] == 'two\nlines, "quoted"'
    assert rows[2]["translation_flags"] == "copied retried"


def test_tabs_separate_too(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("a\ttext\n1\tx, y\n")
    [span] = TableRows("\t").spans(str(path), COLUMNS, 9, 99)
    [batch] = TableRows("\t").read(str(path), span, COLUMNS)
    assert batch.rows == [Row("x, y")]


def test_a_head_without_the_column_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a;text\n1;x\n")
    with pytest.raises(InputError, match=r"has no column 'text', but a;text"):
        list(TableRows(",").spans(str(path), COLUMNS, 9, 99))


def test_an_empty_table_has_no_rows(tmp_path: Path) -> None:
    for content in ("", "a,text\n"):
        (tmp_path / "a.csv").write_text(content)
        assert list(TableRows(",").spans(str(tmp_path / "a.csv"), COLUMNS, 9, 99)) == []
