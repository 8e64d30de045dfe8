"""Workers that share a folder of metrics: processes of their own, as under gunicorn."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.http import metrics as sharing
from tests.checkout import ROOT
from tests.disk import small_disk

WORKER = """
import sys
from pathlib import Path
from types import SimpleNamespace
from service.http import metrics as sharing
from service.http.metrics import Metrics

folder = Path(sys.argv[1])
place = sharing.share(folder)
metrics = Metrics(folder)
metrics.read_worker(SimpleNamespace(refused=2, connections=10))
metrics.read_from(lambda: {"downloaded_models": 3})
metrics.count(endpoint="/x", method="GET", status=200, seconds=0.1)
metrics.refresh()
print(place, flush=True)
for line in sys.stdin:
    if line.strip() == "refuse":
        metrics.read_worker(SimpleNamespace(refused=3, connections=10))
        metrics.count(endpoint="/y", method="GET", status=200, seconds=0.1)
        continue
    every = metrics.exposition().decode().splitlines()
    print(*[sample for sample in every if sample[0] != "#"], sep="|", flush=True)
"""


class Worker:
    """A process that has counted one request, two refusals and ten connections."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(folder)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.place = int(self._line())

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def samples(self) -> dict[str, float]:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        pairs = (sample.rpartition(" ") for sample in self._line().strip().split("|"))
        return {name: float(value) for name, _, value in pairs}

    def refuse_more(self) -> None:
        """Have it refuse a third translation, and answer another request."""
        assert self.process.stdin is not None
        self.process.stdin.write("refuse\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=60)


@contextmanager
def workers(folder: Path, count: int) -> Iterator[list[Worker]]:
    started = [Worker(folder) for _ in range(count)]
    yield started
    for worker in started:
        worker.kill()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "metrics"


REQUESTS = 'translator_requests_total{endpoint="/x",method="GET",status="200"}'


def test_all_workers_are_added_up_whichever_is_asked(folder: Path) -> None:
    with workers(folder, 2) as (first, second):
        assert [first.place, second.place] == [0, 1]
        for worker in (first, second):
            found = worker.samples()
            assert found[REQUESTS] == 2
            assert found["translator_refused_total"] == 4
            assert found["translator_connections"] == 20
            assert found["translator_downloaded_models"] == 3, "all know of the same ones"
            assert found['translator_request_seconds_count{endpoint="/x"}'] == 2


def test_what_a_worker_has_done_since_it_was_asked_reaches_the_other_one(folder: Path) -> None:
    with workers(folder, 2) as (asked, other):
        other.refuse_more()
        end_s = time.monotonic() + 60
        while asked.samples()["translator_refused_total"] != 5:
            assert time.monotonic() < end_s
            time.sleep(0.1)


def test_a_dead_worker_leaves_its_counts_and_nothing_else(folder: Path) -> None:
    with workers(folder, 1) as [survivor]:
        with workers(folder, 1):
            assert survivor.samples()["translator_connections"] == 20
        found = survivor.samples()
        assert found["translator_connections"] == 10
        assert found[REQUESTS] == 2
        with workers(folder, 1) as [replacement]:
            assert replacement.place == 1, "the place of the dead one"
            assert survivor.samples()[REQUESTS] == 3
            assert survivor.samples()["translator_connections"] == 20


def test_files_do_not_pile_up(folder: Path) -> None:
    with workers(folder, 1):
        before = sorted(path.name for path in folder.iterdir())
    for _ in range(3):
        with workers(folder, 1) as [worker]:
            assert worker.place == 0
    assert sorted(path.name for path in folder.iterdir()) == before


def test_no_file_has_holes_that_a_full_disk_could_not_fill(folder: Path) -> None:
    with workers(folder, 1) as [worker]:
        worker.refuse_more()
        worker.samples()
        files = [*folder.glob("*.db")]
        assert len(files) == len(sharing.KINDS)
        for path in files:
            assert path.stat().st_blocks * 512 >= path.stat().st_size == sharing.FILE_BYTES


def test_a_full_disk_is_an_error_before_any_metric_is_made(folder: Path) -> None:
    with small_disk(1000), pytest.raises(OSError, match="File too large"):
        sharing.share(folder)
