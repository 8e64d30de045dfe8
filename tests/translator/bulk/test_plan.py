"""Plans: made once, and kept to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from translator.bulk.formats.rows import Columns
from translator.bulk.plan import PLAN, Source, open_plan
from translator.bulk.storage import OutputFolder
from translator.errors import InputError


@pytest.fixture
def out(tmp_path: Path) -> OutputFolder:
    for name, count in (("b.txt", 5), ("a.txt", 3)):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_text("line\n" * count)
    return OutputFolder(str(tmp_path / "out"))


def source(tmp_path: Path, **more: Any) -> Source:
    return Source(place=str(tmp_path / "in"), columns=Columns(text="text"), max_rows=2, **more)


def test_parts_are_in_the_order_of_the_files(tmp_path: Path, out: OutputFolder) -> None:
    plan = open_plan(source(tmp_path), {"x": 1}, out)
    found = [(part.url.rpartition("/")[2], part.split.num_rows) for part in plan.parts]
    assert found == [("a.txt", 2), ("a.txt", 1), ("b.txt", 2), ("b.txt", 2), ("b.txt", 1)]
    assert plan.num_rows == 8
    assert [plan.name_of(part) for part in plan.parts][:2] == [
        *("part-000000.txt", "part-000001.txt")
    ]
    missing = plan.missing({"part-000000.txt", "part-000002.txt", PLAN})
    assert [part.number for part in missing] == [1, 3, 4]


def test_a_plan_that_is_there_is_kept_to(tmp_path: Path, out: OutputFolder) -> None:
    first = open_plan(source(tmp_path), {"x": 1}, out)
    assert open_plan(source(tmp_path), {"x": 1}, out) == first


def test_another_job_is_refused(tmp_path: Path, out: OutputFolder) -> None:
    open_plan(source(tmp_path), {"x": 1, "y": 2}, out)
    with pytest.raises(InputError, match="was made with other x; name another folder"):
        open_plan(source(tmp_path), {"x": 2, "y": 2}, out)
    (tmp_path / "in" / "a.txt").write_text("other\n")
    with pytest.raises(InputError, match="was made with other files;"):
        open_plan(source(tmp_path), {"x": 1, "y": 2}, out)


def test_a_folder_of_something_else_is_refused(tmp_path: Path, out: OutputFolder) -> None:
    with out.writing("mine.txt") as stream:
        stream.write(b"precious")
    with pytest.raises(InputError, match="which this command did not write"):
        open_plan(source(tmp_path), {}, out)


def test_results_below_the_input_are_no_input(tmp_path: Path, out: OutputFolder) -> None:
    inside = OutputFolder(str(tmp_path / "in" / "out"))
    first = open_plan(source(tmp_path), {}, inside)
    with inside.writing("part-000000.txt") as stream:
        stream.write(b"x")
    assert open_plan(source(tmp_path), {}, inside) == first
    other = Source(place=f"{inside.url}/*.txt", columns=Columns(text="text"))
    with pytest.raises(InputError, match="has no files except those of --out"):
        open_plan(other, {}, inside)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"version": 99}, "was written by another version"),
        ({"version": 1, "files": 3}, "is damaged"),
    ],
)
def test_a_damaged_plan_is_refused(
    tmp_path: Path, out: OutputFolder, table: dict[str, Any], message: str
) -> None:
    out.write_json(PLAN, table)
    with pytest.raises(InputError, match=message):
        open_plan(source(tmp_path), {}, out)


def test_text_may_become_json(tmp_path: Path, out: OutputFolder) -> None:
    plan = open_plan(source(tmp_path, output_format="jsonl"), {}, out)
    assert (plan.input_format, plan.output_format, plan.ending) == ("text", "jsonl", ".jsonl")
    assert json.loads((tmp_path / "out" / PLAN).read_text())["ending"] == ".jsonl"
