"""A file in another process is what it is in this one; all that happens there is one error."""

from __future__ import annotations

import csv
import io
import os
import resource
import signal
import threading
import time
from collections.abc import Callable

import pytest

from service.documents import apart
from service.documents.apart import ApartDocument
from tests.documents import shout, shouted
from tests.workbooks import workbook
from translator.documents.kinds import NO_OPTIONS, FileOptions, read_file
from translator.errors import DeadlineExceededError, InputError


def opened(
    name: str,
    content: bytes,
    options: FileOptions = NO_OPTIONS,
    timeout_s: float | None = 60,
    while_waiting: Callable[[], None] = lambda: None,
) -> ApartDocument:
    return ApartDocument(
        name, content, "de", options, timeout_s=timeout_s, while_waiting=while_waiting
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
        assert resource.prlimit(there.pid, resource.RLIMIT_CPU)[0] == 5 * 60


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
