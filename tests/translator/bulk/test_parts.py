"""The work of one process: parts, the cores it holds, and what it tells."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.translator.bulk.conftest import MakeJob
from tests.waiting import TIMEOUT_S
from translator.bulk.actor import ModelFiles, Tally, as_row, values_of
from translator.bulk.formats.rows import Row, Split, TranslatedRow
from translator.bulk.job import JobProgress, Outcome, Polling
from translator.bulk.parts import Counts, PartTranslator
from translator.bulk.plan import Part
from translator.bulk.translating import RowTranslator
from translator.pipeline.translator import Translator


def part_of(path: Path, num_rows: int) -> Part:
    split = Split(0, len(path.read_bytes()), num_rows)
    return Part(number=7, url=str(path), split=split)


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


def test_parts_and_outcomes_travel_as_rows() -> None:
    part = Part(number=3, url="s3://a/b.csv", split=Split(5, 99, 7))
    counts = Counts(rows=7, errors=1, flags=Counter({"numbers": 2}))
    for values in (
        (part, "part-000003.csv"),
        (Outcome(number=3, counts=counts), True),
        (Outcome(number=4, counts=Counts(), error="no"), False),
    ):
        assert values_of(as_row(*values)) == values


def test_a_tally_tells_what_is_new() -> None:
    tally = Tally()
    tally.tell(1, 10)
    tally.tell(1, 20)
    assert tally.read() == {1: 20}
    assert tally.read() == {}
    assert [tally.begin(1), tally.begin(1), tally.begin(2)] == [1, 2, 1]


def test_files_arrive_as_they_were(tmp_path: Path) -> None:
    for name in ("a/config.json", "b/x/weights", "b/y/weights"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    files = ModelFiles.of([tmp_path / "a", tmp_path / "b"])
    home = tmp_path / "home"
    first, second = files.unpacked(home)
    assert (first / "config.json").read_bytes() == b"a/config.json"
    assert (second / "y" / "weights").read_bytes() == b"b/y/weights"
    marker = first / "config.json"
    before = marker.stat().st_mtime_ns
    assert files.unpacked(home) == (first, second)
    assert marker.stat().st_mtime_ns == before, "not written again"
    assert [path.name for path in home.iterdir()] == [files.digest]


def test_other_contents_have_another_place(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    digests = set()
    for content in ("1", "2"):
        (tmp_path / "a" / "config.json").write_text(content)
        digests.add(ModelFiles.of([tmp_path / "a"]).digest)
    assert len(digests) == 2


CODE = (
    "import os, sys; from pathlib import Path; from translator.bulk.actor import pin;"
    "print(pin(int(sys.argv[2]), Path(sys.argv[1])), sorted(os.sched_getaffinity(0)), flush=True);"
    "sys.stdin.read()"
)


class Pinned:
    """A process that holds cores until it is killed."""

    def __init__(self, folder: Path, threads: int) -> None:
        command = [sys.executable, "-c", CODE, str(folder), str(threads)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline().strip()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def test_no_two_processes_hold_the_same_core(tmp_path: Path) -> None:
    cores = sorted(os.sched_getaffinity(0))
    held = [Pinned(tmp_path, 1) for _ in cores]
    one_more = Pinned(tmp_path, 1)
    try:
        assert [one.said for one in held] == [f"[{core}] [{core}]" for core in cores]
        assert one_more.said == f"[] {cores}", "none is left, so the system chooses"
        held[0].kill()
        again = Pinned(tmp_path, 1)
        again.kill()
        assert again.said == held[0].said, "a lock ends with its process"
    finally:
        for one in (*held, one_more):
            one.kill()


def test_more_than_there_are_are_not_taken(tmp_path: Path) -> None:
    too_many = len(os.sched_getaffinity(0)) + 1
    for threads in (too_many, 1):
        found = Pinned(tmp_path, threads)
        found.kill()
        assert found.said.startswith("[] " if threads == too_many else "[")
        assert threads == too_many or not found.said.startswith("[]")


def test_rows_of_all_parts_count(capfd: pytest.CaptureFixture[str]) -> None:
    with JobProgress(100, 20) as progress:
        progress.tell_all({1: 10})
        progress.tell_all({1: 15, 2: 5})
        assert progress.rows == 40
        progress.tell_all({1: 3})  # begun anew by another worker
        assert progress.rows == 28
        progress.finish(1, 50)
        progress.tell_all({1: 15})  # told before that
        assert progress.rows == 75
    shown = capfd.readouterr().err
    assert "75/100" in shown
    assert " rows/s" in shown


def test_polling_asks_until_it_ends() -> None:
    asked = threading.Event()
    with Polling(asked.set, every_s=0.01):
        assert asked.wait(TIMEOUT_S)
    assert "bulk-progress" not in {thread.name for thread in threading.enumerate()}
