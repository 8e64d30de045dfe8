"""JSON lines: what a row has is kept, and what is wrong with one is said beside it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from translator.bulk.formats.jsonl import JsonRows
from translator.bulk.formats.rows import Columns, Row, TranslatedRow
from translator.errors import InputError

COLUMNS = Columns(text="text", language="lang")


def written(path: Path, *lines: str) -> str:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_each_kind_of_fault_is_a_row(tmp_path: Path) -> None:
    url = written(
        tmp_path / "a.jsonl",
        '{"text": "ä", "lang": "de", "n": 1.50}',
        '{"text": null, "lang": null}',
        '{"lang": "de"}',
        '{"text": ["x"], "lang": "de"}',
        "[1]",
        '{"text": ',
    )
    [span] = JsonRows().spans(url, COLUMNS, 99, 9999)
    [batch] = JsonRows().read(url, span, COLUMNS)
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
    JsonRows().writer(stream, COLUMNS).write(batch, [TranslatedRow("x")] * 6)
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
    url = written(tmp_path / "a.jsonl", r'{"text": "\ud800", "lang": "de"}')
    [span] = JsonRows().spans(url, COLUMNS, 99, 9999)
    [batch] = JsonRows().read(url, span, COLUMNS)
    stream = io.BytesIO()
    JsonRows().writer(stream, COLUMNS).write(batch, [TranslatedRow(None, error="no")])
    assert stream.getvalue().startswith(rb'{"text": "\ud800"')


def test_the_first_object_shows_what_lacks(tmp_path: Path) -> None:
    url = written(tmp_path / "a.jsonl", '{"txt": "a", "lang": "de"}')
    with pytest.raises(InputError, match=r"a\.jsonl: has no column 'text', but txt, lang"):
        list(JsonRows().spans(url, COLUMNS, 9, 9))
    url = written(tmp_path / "b.jsonl", '{"text": "a", "lang": "", "translation": 1}')
    with pytest.raises(InputError, match="name another one for the translation with --into"):
        list(JsonRows().spans(url, COLUMNS, 9, 9))
