"""Actors on Ray: whoever is killed, the rows are all there, once, and the same."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from tests.checkout import ROOT
from tests.here_workers import HereWorkers
from tests.small_models import write_model
from tests.toy import toy_pairs
from translator.bulk.cluster import RayWorkers, _reason_of
from translator.bulk.formats.rows import Columns
from translator.bulk.job import Outcome, run_job
from translator.bulk.parts import Counts, Job
from translator.bulk.plan import Source
from translator.bulk.translating import RowOptions
from translator.errors import ConfigError, TranslatorError

TIMEOUT_S = 300
NUM_ROWS, PART_ROWS = 1_200, 20

CLUSTER = """
import sys
from ray.cluster_utils import Cluster

settings = {"include_dashboard": False, "object_store_memory": 80_000_000}
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **settings})
machines = [cluster.add_node(num_cpus=1, **settings) for _ in range(2)]
print(cluster.address, flush=True)
sys.stdin.readline()
cluster.remove_node(machines[0], allow_graceful=False)
sys.stdin.readline()
cluster.shutdown()
"""
"""A cluster of three machines, as far as Ray can tell; one of them dies at a word."""

needs_ray = pytest.mark.skipif(
    find_spec("ray") is None, reason="pip install -r requirements-bulk.txt"
)


class JobProcess:
    """A job as a process, of a small model and sentences of a toy language."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.model = write_model(folder / "model", "de-en", "en-de")
        rows = enumerate(toy_pairs(NUM_ROWS, random.Random(0)))
        lines = [json.dumps({"id": number, "text": pair[0]}) for number, pair in rows]
        (folder / "in.jsonl").write_text("".join(line + "\n" for line in lines))

    def start(self, out: str, *flags: str) -> subprocess.Popen[str]:
        """Start the command."""
        command = [sys.executable, "-m", "translator", "bulk", str(self.folder / "in.jsonl")]
        command += ["--out", str(self.folder / out), "--from", "de", "--to", "en"]
        command += ["--model", str(self.model), "--partition-rows", str(PART_ROWS), *flags]
        with (self.folder / "log").open("a") as log:
            return subprocess.Popen(
                command, cwd=ROOT, stdout=log, stderr=log, text=True, start_new_session=True
            )

    def parts(self, out: str) -> list[Path]:
        """Return the parts that are there."""
        return sorted((self.folder / out).glob("part-*"))

    def wait_for(self, process: subprocess.Popen[str], out: str, more: int) -> None:
        """Wait until so many more parts are there."""
        wanted = len(self.parts(out)) + more
        until(lambda: len(self.parts(out)) >= wanted or process.poll() is not None)
        assert process.poll() is None, (self.folder / "log").read_text()

    def undisturbed(self) -> bytes:
        """Return the rows as a process without a cluster translates them."""
        columns = Columns(text="text")
        place = str(self.folder / "in.jsonl")
        source = Source(place=place, columns=columns, max_rows=PART_ROWS)

        def job(*formats: object) -> Job:
            return Job(
                out=str(self.folder / "whole"),
                input_format="jsonl",
                output_format="jsonl",
                columns=columns,
                options=RowOptions(source="de", target="en"),
                models=(self.model,),
            )

        run_job(source, job, HereWorkers())
        return self.rows("whole")

    def rows(self, out: str) -> bytes:
        """Return all parts, one behind the other."""
        return b"".join(path.read_bytes() for path in self.parts(out))


def until(is_so: Callable[[], object]) -> None:
    """Wait for something, but not for ever."""
    end_s = time.monotonic() + TIMEOUT_S
    while not is_so():
        assert time.monotonic() < end_s, "waited too long"
        time.sleep(0.1)


def descendants(process: int) -> Iterator[int]:
    """Yield the processes that one has started, and theirs."""
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    for child in map(int, found.stdout.split()):
        yield child
        yield from descendants(child)


def actors(process: int) -> list[int]:
    """Return the actors that translate for a job."""

    def name(number: int) -> str:
        try:
            return Path(f"/proc/{number}/cmdline").read_text()
        except OSError:
            return ""

    return [one for one in descendants(process) if name(one).startswith("ray::MapWorker")]


@pytest.mark.slow
@needs_ray
def test_killed_actors_and_jobs_lose_and_double_nothing(tmp_path: Path) -> None:
    job = JobProcess(tmp_path)
    first = job.start("out", "--actors", "2")
    job.wait_for(first, "out", 2)
    os.kill(actors(first.pid)[0], signal.SIGKILL)
    job.wait_for(first, "out", 3)
    left = list(descendants(first.pid))
    first.kill()
    first.wait()
    assert 0 < len(job.parts("out")) < NUM_ROWS // PART_ROWS
    until(lambda: not any(Path(f"/proc/{one}/exe").exists() for one in left))
    for part in job.parts("out")[1:]:
        part.unlink()  # so that enough is left
    second = job.start("out", "--actors", "1")
    job.wait_for(second, "out", 1)
    os.killpg(second.pid, signal.SIGINT)  # as a terminal does
    assert second.wait(TIMEOUT_S) == 130
    assert job.start("out", "--actors", "1").wait(TIMEOUT_S) == 0
    assert job.rows("out") == job.undisturbed()
    assert job.rows("out").count(b"\n") == NUM_ROWS
    assert not (tmp_path / "out" / "_unfinished").exists()
    said = (tmp_path / "log").read_text()
    assert "interrupted; the same command does what is left" in said
    assert "Traceback" not in said


@pytest.mark.slow
@needs_ray
def test_a_killed_machine_loses_and_doubles_nothing(tmp_path: Path) -> None:
    job, pipe = JobProcess(tmp_path), subprocess.PIPE
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    cluster = subprocess.Popen(
        [sys.executable, "-c", CLUSTER], env=environment, stdin=pipe, stdout=pipe, text=True
    )
    assert cluster.stdin is not None
    assert cluster.stdout is not None
    try:
        started = job.start("out", "--address", cluster.stdout.readline().strip())
        job.wait_for(started, "out", 2)
        cluster.stdin.write("kill\n")
        cluster.stdin.flush()
        assert started.wait(TIMEOUT_S) == 0
    finally:
        cluster.communicate("end\n", timeout=TIMEOUT_S)
    assert job.rows("out") == job.undisturbed()


@pytest.mark.slow
@needs_ray
def test_a_model_that_cannot_be_loaded_ends_the_job_in_one_line(tmp_path: Path) -> None:
    job = JobProcess(tmp_path)
    weights = job.model / "weights.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert job.start("out", "--actors", "1").wait(TIMEOUT_S) == 1
    last = (tmp_path / "log").read_text().splitlines()[-1]
    assert last.startswith("error: ")
    assert "weights.safetensors: SHA-256 differs" in last


def test_what_ray_says_in_many_lines_is_one() -> None:
    said = _reason_of(RuntimeError("Traceback:\n  a\n\nImportError: no module\n"))
    assert said.startswith("Ray has given up (ImportError: no module). Each machine needs ")
    assert "\n" not in said


@needs_ray
@pytest.mark.parametrize("num_done", [0, 2])
def test_what_is_done_before_ray_gives_up_is_kept(
    monkeypatch: pytest.MonkeyPatch, num_done: int
) -> None:
    ray = MagicMock()
    ray.exceptions.RayError = RuntimeError
    outcomes = [Outcome(number=number, counts=Counts()) for number in range(num_done)]

    def rows() -> Iterator[tuple[Outcome, bool]]:
        yield from ((outcome, False) for outcome in outcomes)
        raise ray.exceptions.RayError("gone")

    monkeypatch.setattr("translator.bulk.cluster._ray", lambda *_: contextlib.nullcontext(ray))
    monkeypatch.setattr("translator.bulk.cluster.values_of", lambda row: row)
    monkeypatch.setattr(RayWorkers, "_outcomes", lambda *_: SimpleNamespace(iter_rows=rows))
    found = RayWorkers().run(MagicMock(), [], MagicMock())
    if num_done:
        assert [*found] == outcomes
    else:
        with pytest.raises(TranslatorError, match=r"^Ray has given up \(gone\)"):
            next(found)


@needs_ray
def test_there_must_be_an_actor() -> None:
    with pytest.raises(ConfigError, match="--actors: must be 1 or more, got 0"):
        RayWorkers(actors=0)


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"bulk extras: ray\[data\].*pip install '\.\[bulk\]'"):
        RayWorkers()
