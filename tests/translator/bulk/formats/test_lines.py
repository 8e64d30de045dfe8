"""Files of lines: cut between rows, and read from the middle, compressed or not."""

from __future__ import annotations

import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from translator.bulk.formats.lines import (
    TextRows,
    lines_within,
    packing,
    spans_of_lines,
    unpacked,
)
from translator.bulk.formats.rows import Batch, Columns, Row, Span, TranslatedRow
from translator.errors import InputError
from translator.files import zstd

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
}


def test_spans_end_with_rows_or_with_bytes() -> None:
    content = b"aa\nbb\ncccccccccc\nd\ne"
    assert list(spans_of_lines(io.BytesIO(content), 2, 99)) == [
        Span(0, 6, 2),
        Span(6, 19, 2),
        Span(19, 20, 1),
    ]
    assert [span.num_rows for span in spans_of_lines(io.BytesIO(content), 9, 8)] == [3, 2]
    assert list(spans_of_lines(io.BytesIO(b""), 2, 99)) == []


def test_a_quoted_newline_ends_no_row() -> None:
    content = b'1,"a\nb ""c\n"\n2,d\n3,"open\nend'
    spans = list(spans_of_lines(io.BytesIO(content), 1, 99, is_quoted=True))
    assert [content[span.start : span.end] for span in spans] == [
        b'1,"a\nb ""c\n"\n',
        b"2,d\n",
        b'3,"open\nend',
    ]


@pytest.mark.parametrize("ending", PACKERS)
def test_all_spans_together_are_the_file(ending: str, tmp_path: Path) -> None:
    lines = [b"line %d\n" % number for number in range(50)]
    path = tmp_path / f"a.txt{ending}"
    path.write_bytes(PACKERS[ending](b"".join(lines)))
    with unpacked(str(path)) as stream:
        spans = list(spans_of_lines(stream, 7, 10_000))
    found = list[bytes]()
    for span in spans:
        with unpacked(str(path)) as stream:
            found += lines_within(stream, span.start, span.end)
    assert found == lines
    assert len(spans) == 8


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"x" * 9999)[:-9])
    with pytest.raises(InputError, match=r"a\.gz: damaged archive"), unpacked(str(path)) as stream:
        stream.read()


@pytest.mark.parametrize("ending", PACKERS)
def test_what_is_packed_is_the_same_each_time(ending: str, tmp_path: Path) -> None:
    made = []
    for _ in range(2):
        stream = io.BytesIO()
        with packing(stream, ending) as packed:
            packed.write(b"text")
        made.append(stream.getvalue())
    assert made[0] == made[1]
    (tmp_path / f"a{ending}").write_bytes(made[0])
    with unpacked(str(tmp_path / f"a{ending}")) as again:
        assert again.read() == b"text"


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
