"""Files of lines: cut between rows, read from the middle, and what they have is kept."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from translator.bulk.formats.lines import (
    JsonRows,
    TableRows,
    TextRows,
    lines_within,
    packing,
    splits_of_lines,
    unpacked,
)
from translator.bulk.formats.rows import Batch, Columns, Row, Split, TranslatedRow
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
    assert list(splits_of_lines(io.BytesIO(content), 2, 99)) == [
        Split(0, 6, 2),
        Split(6, 19, 2),
        Split(19, 20, 1),
    ]
    assert [split.num_rows for split in splits_of_lines(io.BytesIO(content), 9, 8)] == [3, 2]
    assert list(splits_of_lines(io.BytesIO(b""), 2, 99)) == []


def test_a_quoted_newline_ends_no_row() -> None:
    content = b'1,"a\nb ""c\n"\n2,d\n3,"open\nend'
    splits = list(splits_of_lines(io.BytesIO(content), 1, 99, is_quoted=True))
    assert [content[split.start : split.end] for split in splits] == [
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
        splits = list(splits_of_lines(stream, 7, 10_000))
    found = list[bytes]()
    for split in splits:
        with unpacked(str(path)) as stream:
            found += lines_within(stream, split.start, split.end)
    assert found == lines
    assert len(splits) == 8


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
    [split] = TextRows().splits(str(path), COLUMNS, 99, 999)
    [batch] = TextRows().read(str(path), split, COLUMNS)
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
        list(TextRows().splits(str(tmp_path / "a.txt"), Columns(text="t", language="lang"), 9, 9))


WITH_LANGUAGES = Columns(text="text", language="lang")


def lines_in(path: Path, *lines: str) -> str:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_each_kind_of_fault_is_a_row(tmp_path: Path) -> None:
    url = lines_in(
        tmp_path / "a.jsonl",
        '{"text": "ä", "lang": "de", "n": 1.50}',
        '{"text": null, "lang": null}',
        '{"lang": "de"}',
        '{"text": ["x"], "lang": "de"}',
        "[1]",
        '{"text": ',
    )
    [split] = JsonRows().splits(url, WITH_LANGUAGES, 99, 9999)
    [batch] = JsonRows().read(url, split, WITH_LANGUAGES)
    assert batch.rows[:4] == [
        Row("ä", "de"),
        Row(None, None),
        Row(None, error="has no 'text'"),
        Row(None, error='text: must be text, got ["x"]'),
    ]
    assert batch.rows[4] == Row("[1]", error="is no object of JSON")
    assert batch.rows[5].error.startswith("is not JSON (")
    assert batch.content[5] == {"text": '{"text": '}
    stream = io.BytesIO()
    JsonRows().writer(stream, WITH_LANGUAGES).write(batch, [TranslatedRow("x")] * 6)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lines[0] == {
        "text": "ä",
        "lang": "de",
        "n": 1.5,
        "translation": "x",
        "translation_flags": [],
        "translation_model": None,
        "translation_error": None,
    }
    assert "ä" in stream.getvalue().decode()


def test_half_of_a_pair_stays_an_escape(tmp_path: Path) -> None:
    url = lines_in(tmp_path / "a.jsonl", r'{"text": "\ud800", "lang": "de"}')
    [split] = JsonRows().splits(url, WITH_LANGUAGES, 99, 9999)
    [batch] = JsonRows().read(url, split, WITH_LANGUAGES)
    stream = io.BytesIO()
    JsonRows().writer(stream, WITH_LANGUAGES).write(batch, [TranslatedRow(None, error="no")])
    assert stream.getvalue().startswith(rb'{"text": "\ud800"')


def test_the_first_object_shows_what_lacks(tmp_path: Path) -> None:
    url = lines_in(tmp_path / "a.jsonl", '{"txt": "a", "lang": "de"}')
    with pytest.raises(InputError, match=r"a\.jsonl: has no column 'text', but txt, lang"):
        list(JsonRows().splits(url, WITH_LANGUAGES, 9, 9))
    url = lines_in(tmp_path / "b.jsonl", '{"text": "a", "lang": "", "translation": 1}')
    with pytest.raises(InputError, match="name another one for the translation with --into"):
        list(JsonRows().splits(url, WITH_LANGUAGES, 9, 9))


TABLE = (
    b'\xef\xbb\xbfid,text\r\n1,"two\nlines, ""quoted"""\r\n2,\xff\r\n3\r\n4,a,more\r\n5,last\r\n'
)


def test_rows_are_read_span_by_span(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(TABLE)
    table = TableRows(",")
    splits = list(table.splits(str(path), COLUMNS, 2, 999))
    assert [split.num_rows for split in splits] == [2, 2, 1]
    batches = [batch for split in splits for batch in table.read(str(path), split, COLUMNS)]
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
    [split] = TableRows("\t").splits(str(path), COLUMNS, 9, 99)
    [batch] = TableRows("\t").read(str(path), split, COLUMNS)
    assert batch.rows == [Row("x, y")]


def test_a_head_without_the_column_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a;text\n1;x\n")
    with pytest.raises(InputError, match=r"has no column 'text', but a;text"):
        list(TableRows(",").splits(str(path), COLUMNS, 9, 99))


def test_an_empty_table_has_no_rows(tmp_path: Path) -> None:
    for content in ("", "a,text\n"):
        (tmp_path / "a.csv").write_text(content)
        assert list(TableRows(",").splits(str(tmp_path / "a.csv"), COLUMNS, 9, 99)) == []
