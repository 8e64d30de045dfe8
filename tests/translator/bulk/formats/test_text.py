"""Text: a line for a line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from translator.bulk.formats.rows import Batch, Columns, Row, TranslatedRow
from translator.bulk.formats.text import TextRows
from translator.errors import InputError

COLUMNS = Columns(text="text")


def test_lines_are_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"eins\r\n\nzw\xffei\nlast")
    [span] = TextRows().spans(str(path), COLUMNS, 99, 999)
    [batch] = TextRows().read(str(path), span, COLUMNS)
    assert batch.rows == [
        Row("eins\r"),
        Row(""),
        Row("zw\\xffei", error="is not UTF-8 (invalid start byte)"),
        Row("last"),
    ]
    assert batch.content[0] == {"text": "eins\r"}


def test_a_translation_stays_in_its_line() -> None:
    stream = io.BytesIO()
    writer = TextRows().writer(stream, COLUMNS)
    rows = [TranslatedRow("a\nb"), TranslatedRow(None, error="x"), TranslatedRow("ü")]
    writer.write(Batch([], None), rows)
    writer.close()
    assert stream.getvalue().decode() == "a b\n\nü\n"


def test_lines_have_no_languages(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    with pytest.raises(InputError, match="is text, which has no column 'lang'"):
        list(TextRows().spans(str(tmp_path / "a.txt"), Columns(text="t", language="lang"), 9, 9))
