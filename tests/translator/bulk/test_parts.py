"""A part is translated as a whole, with what stands beside it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.translator.bulk.conftest import MakeJob
from translator.bulk.formats.rows import Row, Span, TranslatedRow
from translator.bulk.parts import Counts, PartTranslator
from translator.bulk.plan import Part
from translator.bulk.translating import RowTranslator
from translator.translate.translator import Translator


def part_of(path: Path, num_rows: int) -> Part:
    span = Span(0, len(path.read_bytes()), num_rows)
    return Part(number=7, url=str(path), span=span)


@pytest.mark.usefixtures("shouting")
def test_lines_keep_their_places(tmp_path: Path, make_job: MakeJob, copying: Translator) -> None:
    lines = [f"Der Hund {number}." for number in range(2345)]
    (tmp_path / "a.txt").write_text("".join(line + "\n" for line in lines))
    job = make_job("text", "text")
    translator = PartTranslator(job, RowTranslator(copying, job.options))
    told: list[int] = []
    part = part_of(tmp_path / "a.txt", 2345)
    counts = translator.translate(part, "part-000007.txt.gz", told.append)
    out = tmp_path / "out"
    assert gzip.decompress((out / "part-000007.txt.gz").read_bytes()).decode().splitlines() == [
        line.upper() for line in lines
    ]
    assert told == [1000, 2000, 2345]
    assert (counts.rows, counts.errors) == (2345, 0)
    notes = (out / "_notes" / "part-000007.jsonl").read_text().splitlines()
    places = [number for number, line in enumerate(lines, start=1) if "7" in line]
    assert [json.loads(note)["line"] for note in notes] == places
    assert json.loads(notes[0]) == {"line": 8, "flags": ["numbers"], "error": None}
    assert counts.flags["numbers"] == len(places)
    assert translator.translate(part, "part-000007.txt.gz", told.append) == Counts()


def test_text_may_become_json(tmp_path: Path, make_job: MakeJob, copying: Translator) -> None:
    (tmp_path / "a.txt").write_bytes(b"Der Hund.\n\xff\n")
    job = make_job("text", "jsonl")
    translator = PartTranslator(job, RowTranslator(copying, job.options))
    counts = translator.translate(part_of(tmp_path / "a.txt", 2), "p.jsonl", lambda _: None)
    lines = (tmp_path / "out" / "p.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    assert (found[0]["text"], found[0]["translation"]) == ("Der Hund.", "Der Hund.")
    assert found[1]["translation_error"] == "is not UTF-8 (invalid start byte)"
    assert counts.errors == 1
    assert not (tmp_path / "out" / "_notes").exists()


def test_counts_add_up() -> None:
    counts, other = Counts(), Counts()
    other.add([TranslatedRow("x", flags=("numbers",)), TranslatedRow(None, error="no")])
    counts.include(other)
    counts.include(other)
    assert (counts.rows, counts.errors, dict(counts.flags)) == (4, 2, {"numbers": 2})
    assert Row("x").error == ""
