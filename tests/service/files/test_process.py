"""A file in another process is what it is in this one; all that happens there is one error."""

from __future__ import annotations

import csv
import io
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe

import pytest

from service.files import process as apart
from service.files import routes as documents
from service.files.process import SubprocessDocument
from service.files.reader import CHARS_AT_ONCE, in_parts
from tests.checkout import ROOT
from tests.documents import shout, shouted
from tests.pdf_files import drawn, with_a_damaged_page
from tests.workbooks import workbook
from translator.deadline import Deadline
from translator.documents.kinds import NO_OPTIONS, FileOptions, read_file
from translator.errors import DeadlineExceededError, InputError


def opened(
    name: str,
    content: bytes,
    options: FileOptions = NO_OPTIONS,
    timeout_s: float | None = 60,
    while_waiting: Callable[[], None] = lambda: None,
) -> SubprocessDocument:
    return SubprocessDocument(
        name, content, "de", options, Deadline.within(timeout_s, while_waiting)
    )


def table(num_rows: int) -> bytes:
    written = io.StringIO()
    csv.writer(written).writerows(
        [n, f'A "black" dog {n}\n', "more & more"] for n in range(num_rows)
    )
    return written.getvalue().encode()


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("a.csv", table(20_000), FileOptions(columns=("2",))),
        ("a.xlsx", workbook(), FileOptions(sheet_names=True)),
        ("a.html", "<p>Ein <b>großer</b> Hund 😀</p>".encode(), NO_OPTIONS),
    ],
)
def test_it_is_what_it_is_in_this_process(name: str, content: bytes, options: FileOptions) -> None:
    here = read_file(name, content, "de", options)
    with opened(name, content, options) as there:
        assert tuple(there.units) == tuple(here.units)
        assert there.rebuild([shout(unit) for unit in there.units]) == shouted(here)


def test_it_says_what_it_has_left_alone() -> None:
    with opened("a.pdf", with_a_damaged_page()) as there:
        there.rebuild(["Die erste Seite ist gut."])
        assert there.left_alone == ["The second page is damaged.", "xy"]


def test_an_error_of_a_reader_is_told() -> None:
    with pytest.raises(InputError, match=r"^a\.json: is not JSON") as caught:
        opened("a.json", b"{")
    assert caught.value.code == "invalid"
    with pytest.raises(InputError, match=r"^a\.docx: is encrypted") as caught:
        opened("a.docx", b"\xd0\xcf\x11\xe0")
    assert caught.value.code == "encrypted_file"


def test_too_few_translations_are_a_mistake_of_the_caller() -> None:
    with (
        opened("a.json", b'["one", "two"]') as there,
        pytest.raises(ValueError, match="1 translations"),
    ):
        there.rebuild(["eins"])


def test_more_memory_than_there_may_be_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "MAX_BYTES", 100 << 20)
    with pytest.raises(InputError, match=r"^a\.csv: takes more memory or time than") as caught:
        opened("a.csv", table(200_000))
    assert caught.value.code == "file_too_large"


def test_a_process_has_as_much_memory_and_time_as_is_promised() -> None:
    with opened("a.txt", b"one") as there:
        assert resource.prlimit(there.pid, resource.RLIMIT_AS)[0] == 2 << 30
        assert resource.prlimit(there.pid, resource.RLIMIT_CPU) == (5 * 60, 5 * 60 + 1)


@pytest.mark.parametrize(
    ("sent", "message", "code"),
    [
        (signal.SIGSEGV, r"^a\.txt: is damaged in a way that ends .* \(status -11\)", "invalid"),
        (signal.SIGKILL, r"^a\.txt: takes more memory or time than", "file_too_large"),
    ],
)
def test_a_reader_that_fails_as_a_whole_is_one_error(
    sent: signal.Signals, message: str, code: str
) -> None:
    with opened("a.txt", b"one") as there:
        os.kill(there.pid, sent)
        with pytest.raises(InputError, match=message) as caught:
            there.rebuild(["eins"])
        assert caught.value.code == code


def test_who_waits_may_give_up_and_the_process_ends() -> None:
    def give_up() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        opened("a.csv", table(100_000), while_waiting=give_up)
    with pytest.raises(DeadlineExceededError, match="takes longer to read"):
        opened("a.csv", table(100_000), timeout_s=0)
    with opened("a.txt", b"one") as there:
        pid = there.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_reading_and_writing_have_one_deadline_and_one_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(apart, "LOOK_EVERY_S", 0.001)
    looks, stopped, content = list[float](), list[int](), table(9)

    def look() -> None:
        looks.append(0.0)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)

    with opened("a.csv", content, while_waiting=look) as there:
        num_looks = len(looks)
        os.kill(there.pid, signal.SIGSTOP)  # or it would at times be done before the first look
        stopped.append(there.pid)
        assert there.rebuild(unit.text for unit in there.units) == content
        assert len(looks) > num_looks > 0
    with opened("a.csv", content, timeout_s=600) as there:
        os.kill(there.pid, signal.SIGSTOP)
        now_s = time.monotonic
        monkeypatch.setattr("translator.deadline.time.monotonic", lambda: now_s() + 601)
        with pytest.raises(DeadlineExceededError, match="takes longer to read or write"):
            there.rebuild(unit.text for unit in there.units)


def test_only_so_many_are_open_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    places = threading.BoundedSemaphore(1)
    monkeypatch.setattr(apart, "_PLACES", places)
    with opened("a.txt", b"one"):
        start = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            opened("a.txt", b"one", timeout_s=0.3)
        assert time.monotonic() - start >= 0.3
    with opened("a.txt", b"one") as there:
        assert there.rebuild(["eins"]) == b"eins"
    assert places.acquire(blocking=False)


@pytest.mark.parametrize("sizes", [[], [1], [CHARS_AT_ONCE] * 3, [1] * 10, [9 * CHARS_AT_ONCE, 1]])
def test_parts_have_every_item_once(sizes: list[int]) -> None:
    parts = [*in_parts(iter(sizes), lambda size: size)]
    assert [size for part in parts for size in part] == sizes
    assert all(part and sum(part[:-1]) < CHARS_AT_ONCE for part in parts)


ASKED = {
    "name": "a.json",
    "target": "de",
    "options": {},
    "max_bytes": 1 << 30,
    "max_cpu_s": 60,
    "nice": 0,
}


def told(*frames: object) -> tuple[list[object], int]:
    """Return what the process says to some frames, and how it ends."""
    incoming, asks = Pipe(duplex=False)
    hears, outgoing = Pipe(duplex=False)
    command, said = [sys.executable, "-m", "service.files.reader"], list[object]()
    with incoming, outgoing:
        process = subprocess.Popen(
            command,
            stdin=incoming.fileno(),
            stdout=outgoing.fileno(),
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
    with asks:
        for frame in frames:
            asks.send_bytes(frame if isinstance(frame, bytes) else json.dumps(frame).encode())
    with hears, suppress(EOFError):
        while True:
            said.append(json.loads(hears.recv_bytes()))
    assert process.communicate()[1] == b""
    return said, process.returncode


def test_it_tells_texts_and_writes_their_translations() -> None:
    said, status = told(ASKED, b'["one", "two"]', ["eins"], ["zwei"], None)
    assert (said, status) == ([[["one", []], ["two", []]], None, [16], ["eins", "zwei"]], 0)


def test_it_ends_in_silence_when_no_one_wants_it() -> None:
    assert told(ASKED, b'["one"]') == ([[["one", []]], None], 0)
    assert told(ASKED) == ([], 0)


def test_it_has_no_more_time_than_it_is_given() -> None:
    rows = b"a," * 90_000 + b"\n"
    _, status = told({**ASKED, "name": "a.csv", "max_cpu_s": 1}, rows * 20)
    assert status == -24


def test_a_sample_is_the_start_of_the_text() -> None:
    lines = "\n\n".join(f"Der Satz {number}." for number in range(2000))
    sample = documents.sample_of(read_file("a.txt", lines.encode(), "en"))
    assert sample.startswith("Der Satz 0.")
    assert len(sample) <= documents.SAMPLE_CHARS


def test_what_cannot_be_read_is_told() -> None:
    with pytest.raises(InputError, match=r"^Invalid request: a\.json"):
        documents.opened("a.json", b"{", "en")
    with pytest.raises(InputError, match=r"^Invalid request: a\.json") as caught:
        documents.opened("a.json", b"{" * (documents.SMALL_BYTES + 1), "en")
    assert caught.value.code == "unreadable_file"


def test_only_small_files_that_are_not_painted_are_read_in_this_process() -> None:
    line = drawn(lambda canvas: canvas.drawString(50, 400, "The dog slept."))
    assert len(line) < documents.SMALL_BYTES
    with documents.opened("a.PDF", line, "en") as document:
        assert isinstance(document, SubprocessDocument)
    with documents.opened("a.txt", b"x" * documents.SMALL_BYTES, "en") as document:
        assert not isinstance(document, SubprocessDocument)
    with documents.opened("a.txt", b"x" * (documents.SMALL_BYTES + 1), "en") as document:
        assert isinstance(document, SubprocessDocument)
        assert document.rebuild(["y"]) == b"y"
