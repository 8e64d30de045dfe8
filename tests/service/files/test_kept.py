"""Files that wait to be fetched, and jobs that make them, for several processes in one folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from service.deepl.documents import GONE, FileJobs
from service.files.kept import Downloads
from tests.checkout import ROOT


class Clock:
    now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


def downloads(folder: Path, clock: Clock, **limits: int) -> Downloads:
    bounds = {"max_files": 3, "max_bytes": 1000, "keep_s": 60, **limits}
    return Downloads(folder / "files", clock=clock, **bounds)


def test_a_file_is_found_by_a_name_that_no_one_can_guess(tmp_path: Path, clock: Clock) -> None:
    kept = downloads(tmp_path, clock)
    first, second = kept.add("a_de.txt", b"1"), kept.add("a_de.txt", b"2")
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.a_de\.txt", first)
    assert first != second
    found = kept.find(second)
    assert found is not None
    assert (found[0].read_bytes(), found[1]) == (b"2", "a_de.txt")
    assert downloads(tmp_path, clock).find(first) is not None, "another worker finds it"


def test_only_the_owner_sees_the_folder(tmp_path: Path, clock: Clock) -> None:
    downloads(tmp_path, clock).add("a.txt", b"1")
    assert (tmp_path / "files").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "wrong", ["", "x", "..", "../secret", ".txt", "a.", "/etc/passwd", "a.b/c", "a\0.txt", "ü.txt"]
)
def test_nothing_else_is_found(tmp_path: Path, clock: Clock, wrong: str) -> None:
    kept = downloads(tmp_path, clock)
    kept.add("a.txt", b"1")
    (tmp_path / "secret").write_text("s")
    assert kept.find(wrong) is None


@pytest.mark.parametrize(
    ("name", "kept_as"),
    [
        ("../../etc/passwd", "etc_passwd"),
        ("C:\\x\\brief.txt", "Cxbrief.txt"),
        ("Übung eins.txt", "Ubung_eins.txt"),
        ("日本.txt", "txt"),
        (".htaccess", "htaccess"),
        ("", "file"),
        ("x" * 300 + ".txt", "x" * 96 + ".txt"),
    ],
)
def test_names_are_made_harmless(tmp_path: Path, clock: Clock, name: str, kept_as: str) -> None:
    kept = downloads(tmp_path, clock)
    found = kept.find(kept.add(name, b"1"))
    assert found is not None
    assert found[1] == kept_as


def test_an_old_file_is_not_found_and_then_deleted(tmp_path: Path, clock: Clock) -> None:
    kept = downloads(tmp_path, clock)
    stored = kept.add("a.txt", b"1")
    clock.now_s += 59
    assert kept.find(stored) is not None
    clock.now_s += 1
    assert kept.find(stored) is None
    kept.sweep_now_and_then()
    assert list((tmp_path / "files").iterdir()) == []


def test_the_oldest_make_room(tmp_path: Path, clock: Clock) -> None:
    kept, stored = downloads(tmp_path, clock), []
    for number in range(4):
        clock.now_s += 1
        stored.append(kept.add("a.txt", bytes(number)))
    assert [kept.find(name) is not None for name in stored] == [False, True, True, True]
    clock.now_s += 1
    large = kept.add("b.txt", bytes(999))
    assert kept.find(stored[-1]) is None
    assert kept.find(large) is not None
    huge = kept.add("c.txt", bytes(5000))
    assert [path.name for path in (tmp_path / "files").iterdir()] == [huge]


BEGIN = """
import sys
from pathlib import Path
from service.deepl.documents import FileJobs
job = FileJobs(Path(sys.argv[1]), max_jobs=9, keep_s=9).begin(7)
print(job.id, job.key)
"""


@pytest.fixture
def jobs(tmp_path: Path) -> FileJobs:
    return FileJobs(tmp_path / "jobs", max_jobs=3, keep_s=60)


def test_a_job_that_ends_well(jobs: FileJobs) -> None:
    job = jobs.begin(7)
    state = jobs.find(job.id, job.key)
    assert state is not None
    assert (state.status, state.num_characters) == ("working", 7)
    job.finish("file")
    state = jobs.find(job.id, job.key)
    assert state is not None
    assert (state.status, state.stored, state.num_characters) == ("done", "file", 7)


def test_jobs_that_have_ended_hold_no_file_open(jobs: FileJobs) -> None:
    before = os.listdir("/proc/self/fd")
    for number in range(5):
        job = jobs.begin(number)
        job.finish("file")
    assert os.listdir("/proc/self/fd") == before


def test_a_job_that_fails(jobs: FileJobs) -> None:
    job = jobs.begin(7)
    job.fail("too long")
    state = jobs.find(job.id, job.key)
    assert state is not None
    assert (state.status, state.error) == ("failed", "too long")


def test_whoever_has_not_the_key_finds_nothing(jobs: FileJobs, tmp_path: Path) -> None:
    job = jobs.begin(7)
    assert jobs.find(job.id, "x") is None
    assert jobs.find(job.id, "\ud800") is None
    assert jobs.find("../jobs/" + job.id, job.key) is None
    assert jobs.find("A" * 32, job.key) is None
    assert job.key not in (tmp_path / "jobs" / f"{job.id}.json").read_text()


def test_a_job_whose_worker_has_gone_has_failed(jobs: FileJobs, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN, str(tmp_path / "jobs")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    state = jobs.find(*done.stdout.split())
    assert state is not None
    assert (state.status, state.error) == ("failed", GONE)


def test_what_is_too_old_goes_but_for_what_is_worked_on(tmp_path: Path) -> None:
    now_s = [0.0]
    jobs = FileJobs(tmp_path, max_jobs=9, keep_s=60, clock=lambda: now_s[0])
    old, long = jobs.begin(1), jobs.begin(2)
    old.finish("file")
    now_s[0] = max(path.stat().st_mtime for path in tmp_path.iterdir()) + 60
    jobs.begin(3)
    assert jobs.find(old.id, old.key) is None
    assert jobs.find(long.id, long.key) is not None
    assert not [name for name in os.listdir(tmp_path) if old.id in name]


def test_there_are_not_more_than_may_be_but_for_what_is_worked_on(jobs: FileJobs) -> None:
    long = jobs.begin(1)
    done = []
    for number in range(5):
        done.append(jobs.begin(number))
        done[-1].finish("file")
        time.sleep(0.01)
    found = [jobs.find(job.id, job.key) is not None for job in (long, *done)]
    assert found == [True, False, False, True, True, True]
