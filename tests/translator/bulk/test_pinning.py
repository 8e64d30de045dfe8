"""Cores: each process has its own, until it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.checkout import ROOT

CODE = (
    "import os, sys; from pathlib import Path; from translator.bulk.pinning import pin;"
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
