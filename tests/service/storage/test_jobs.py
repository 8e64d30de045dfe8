"""Files that are being translated."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from service.storage.jobs import GONE, Jobs
from tests.checkout import ROOT

BEGIN = """
import sys
from pathlib import Path
from service.storage.jobs import Jobs
job = Jobs(Path(sys.argv[1]), max_jobs=9, keep_s=9).begin(7)
print(job.id, job.key)
"""


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    return Jobs(tmp_path / "jobs", max_jobs=3, keep_s=60)


def test_a_job_that_ends_well(jobs: Jobs) -> None:
    job = jobs.begin(7)
    state = jobs.find(job.id, job.key)
    assert state is not None
    assert (state.status, state.num_characters) == ("working", 7)
    job.finish("file")
    state = jobs.find(job.id, job.key)
    assert state is not None
    assert (state.status, state.stored, state.num_characters) == ("done", "file", 7)


def test_a_job_that_fails(jobs: Jobs) -> None:
    job = jobs.begin(7)
    job.fail("too long")
    state = jobs.find(job.id, job.key)
    assert state is not None
    assert (state.status, state.error) == ("failed", "too long")


def test_whoever_has_not_the_key_finds_nothing(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.begin(7)
    assert jobs.find(job.id, "x") is None
    assert jobs.find(job.id, "\ud800") is None
    assert jobs.find("../jobs/" + job.id, job.key) is None
    assert jobs.find("A" * 32, job.key) is None
    assert job.key not in (tmp_path / "jobs" / f"{job.id}.json").read_text()


def test_a_job_whose_worker_has_gone_has_failed(jobs: Jobs, tmp_path: Path) -> None:
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
    jobs = Jobs(tmp_path, max_jobs=9, keep_s=60, clock=lambda: now_s[0])
    old, long = jobs.begin(1), jobs.begin(2)
    old.finish("file")
    now_s[0] = max(path.stat().st_mtime for path in tmp_path.iterdir()) + 60
    jobs.begin(3)
    assert jobs.find(old.id, old.key) is None
    assert jobs.find(long.id, long.key) is not None
    assert not [name for name in os.listdir(tmp_path) if old.id in name]


def test_there_are_not_more_than_may_be_but_for_what_is_worked_on(jobs: Jobs) -> None:
    long = jobs.begin(1)
    done = []
    for number in range(5):
        done.append(jobs.begin(number))
        done[-1].finish("file")
        time.sleep(0.01)
    found = [jobs.find(job.id, job.key) is not None for job in (long, *done)]
    assert found == [True, False, False, True, True, True]
