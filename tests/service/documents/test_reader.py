"""The process that reads a file says what it finds, and has limits."""

from __future__ import annotations

import io
import subprocess
import sys

from service.documents.frames import read_bytes, read_json, write_bytes, write_json
from tests.checkout import ROOT

ASKED = {
    "name": "a.json",
    "target": "de",
    "options": {},
    "max_bytes": 1 << 30,
    "max_cpu_s": 60,
    "nice": 0,
}


def told(*frames: object) -> tuple[io.BytesIO, int]:
    """Return what the process says to some frames, and how it ends."""
    said = io.BytesIO()
    for frame in frames:
        if isinstance(frame, bytes):
            write_bytes(said, frame)
        else:
            write_json(said, frame)
    command = [sys.executable, "-m", "service.documents.reader"]
    done = subprocess.run(
        command, input=said.getvalue(), capture_output=True, cwd=ROOT, check=False
    )
    assert done.stderr == b""
    return io.BytesIO(done.stdout), done.returncode


def test_it_tells_texts_and_writes_their_translations() -> None:
    answer, status = told(ASKED, b'["one", "two"]', ["eins"], ["zwei"], None)
    assert (read_json(answer), read_json(answer)) == ([["one", []], ["two", []]], None)
    assert (read_json(answer), read_bytes(answer)) == (16, b'["eins", "zwei"]')
    assert (answer.read(), status) == (b"", 0)


def test_it_ends_in_silence_when_no_one_wants_it() -> None:
    answer, status = told(ASKED, b'["one"]')
    assert (read_json(answer), read_json(answer)) == ([["one", []]], None)
    assert (answer.read(), status) == (b"", 0)
    assert told(ASKED)[1] == 0


def test_it_has_no_more_time_than_it_is_given() -> None:
    rows = b"a," * 90_000 + b"\n"
    _, status = told({**ASKED, "name": "a.csv", "max_cpu_s": 1}, rows * 20)
    assert status == -24
