"""A file that another process has read, and will write: see `service.files.reader`."""

from __future__ import annotations

import dataclasses
import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar, cast

from service.files.reader import ReadingOrder, in_parts, read_json, write_json
from translator import LOOK_EVERY_S, NO_DEADLINE, Deadline, MarkedText, as_many
from translator.documents.kinds import FileOptions
from translator.errors import DeadlineExceededError, InputError

T = TypeVar("T")
AT_ONCE = 4
"""Such processes that a worker has at a time; the next file waits for one to end."""

MAX_BYTES = 2 << 30
"""Of memory that one may take, its programs and libraries included."""

MAX_CPU_S = 300
NICENESS = 5
"""Texts of others are translated first."""

LARGE_BLOCK = 64 << 10
"""Bytes from which the C library takes a block from the system by itself, to give it back at once.

Otherwise half of the memory at the end is blocks that are free, between small ones that are not.
"""

_ROOT = Path(__file__).parents[2]
_PLACES = threading.BoundedSemaphore(AT_ONCE)


class SubprocessDocument:
    """A document in another process; a context that ends it."""

    def __init__(
        self,
        name: str,
        content: bytes,
        target: str,
        options: FileOptions,
        deadline: Deadline = NO_DEADLINE,
    ) -> None:
        """Start the process, and wait for what it finds in the file; see `read_file`.

        Deadline is for reading and for writing; what its look raises ends the process. A file that
        cannot be read is an InputError.
        """
        self._name, self._deadline = name, deadline
        while not _PLACES.acquire(timeout=LOOK_EVERY_S):
            self._look()
        with ExitStack() as stack:
            stack.callback(_PLACES.release)
            incoming, self._in = Pipe(duplex=False)
            self._out, outgoing = Pipe(duplex=False)
            stack.callback(self._in.close)
            stack.callback(self._out.close)
            with incoming, outgoing:
                self._process = _started(incoming, outgoing)
            stack.callback(self._process.wait)
            stack.callback(self._process.kill)
            self.units = self._ask(content, target, options)
            self.left_alone: Sequence[str] = ()
            self._stack = stack.pop_all()

    def __enter__(self) -> SubprocessDocument:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def rebuild(self, translations: Iterable[str]) -> bytes:
        """Return the document with its translations; see `Document.rebuild`.

        What is told, the process writes at once, and neither of the two holds it.
        """
        texts = as_many(translations, len(self.units))
        self._tell(in_parts(texts, lambda text: len(text) + 8))
        self._tell([None])
        length, *self.left_alone = cast("tuple[int, *tuple[str, ...]]", self._said())
        written = io.BytesIO()
        while written.tell() < length:
            self._wait()
            written.write(self._received(Connection.recv_bytes))
        return written.getvalue()

    def _ask(self, content: bytes, target: str, options: FileOptions) -> Sequence[MarkedText]:
        order: ReadingOrder = {
            "name": self._name,
            "target": target,
            "options": dataclasses.asdict(options),
            "max_bytes": MAX_BYTES,
            "max_cpu_s": MAX_CPU_S,
            "nice": NICENESS,
        }
        self._tell([order])
        with suppress(BrokenPipeError):  # what it says next tells why it has ended
            self._in.send_bytes(content)
        units: list[MarkedText] = []
        while (part := self._said()) is not None:
            for text, spans in cast("list[tuple[str, list[list[int]]]]", part):
                units.append(MarkedText(text, tuple((start, end) for start, end in spans)))
        return tuple(units)

    def _tell(self, frames: Iterable[object]) -> None:
        with suppress(BrokenPipeError):
            for frame in frames:
                write_json(self._in, frame)

    def _said(self) -> object:
        """Return what the process says next; an error of its own is raised here."""
        self._wait()
        answer = self._received(read_json)
        if isinstance(answer, dict):
            if not answer["error"]:
                raise self._too_large()
            raise InputError(answer["error"], answer["code"], answer["limit"])
        return answer

    def _received(self, read: Callable[[Connection], T]) -> T:
        try:
            return read(self._out)
        except (EOFError, OSError) as error:  # the second inside of a frame
            status = self._process.wait()
            if -status in (signal.SIGKILL, signal.SIGXCPU):  # from the system, and from the limit
                raise self._too_large() from error
            raise InputError(
                f"{self._name}: is damaged in a way that ends the program which reads it "
                f"(status {status}); save it again"
            ) from error

    def _too_large(self) -> InputError:
        return InputError(
            f"{self._name}: takes more memory or time than there is for one file; split it",
            "file_too_large",
        )

    def _wait(self) -> None:
        while not self._out.poll(LOOK_EVERY_S):
            self._look()

    def _look(self) -> None:
        self._deadline.look()
        if self._deadline.left_s() == 0:
            raise DeadlineExceededError(
                "the file takes longer to read or write than its time limit"
            )


def _started(incoming: Connection, outgoing: Connection) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "service.files.reader"],
        stdin=incoming.fileno(),
        stdout=outgoing.fileno(),
        env={**os.environ, "MALLOC_MMAP_THRESHOLD_": str(LARGE_BLOCK)},
        cwd=_ROOT,
        start_new_session=True,
    )
