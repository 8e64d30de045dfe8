"""A process that reads one file, tells its texts, is told their translations, and writes it.

    python -m service.files.reader

It is started by `service.files.process`, and ends when its standard input does. The two talk in
frames, as `multiprocessing` writes them into a pipe.
"""

from __future__ import annotations

import gc
import json
import os
import resource
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from typing import Any, TypedDict, TypeVar, cast

from translator import Document
from translator.documents.kinds import FileOptions, read_file
from translator.errors import InputError

T = TypeVar("T")
BLOCK_BYTES = 1 << 20
CHARS_AT_ONCE = 1 << 16
"""A frame of texts has little more, since to read one holds Python's lock."""


class ReadingOrder(TypedDict):
    """What the process that reads a file is told first; the file comes behind it."""

    name: str
    target: str
    options: dict[str, Any]
    max_bytes: int
    max_cpu_s: int
    nice: int


def write_json(stream: Connection, frame: object) -> None:
    """Write one frame of JSON."""
    stream.send_bytes(json.dumps(frame).encode())


def read_json(stream: Connection) -> object:
    """Return what the next frame says; an EOFError says that the other process has ended."""
    return json.loads(stream.recv_bytes())


def in_parts(items: Iterable[T], size_of: Callable[[T], int]) -> Iterator[list[T]]:
    """Yield items in parts of about CHARS_AT_ONCE."""
    part, size = list[T](), 0
    for item in items:
        part.append(item)
        size += size_of(item)
        if size >= CHARS_AT_ONCE:
            yield part
            part, size = [], 0
    if part:
        yield part


def main() -> None:
    """Serve one file on standard input and output."""
    incoming, outgoing = Connection(0, writable=False), Connection(os.dup(1), readable=False)
    os.dup2(2, 1)  # what a library prints must not come between
    try:
        serve(incoming, outgoing)
    except (EOFError, BrokenPipeError):  # no one wants it any more
        os._exit(0)


def serve(incoming: Connection, outgoing: Connection) -> None:
    """Serve one file; an EOFError says that the other process has ended."""
    order = cast(ReadingOrder, read_json(incoming))
    limit_to(order["max_bytes"], order["max_cpu_s"])
    os.nice(order["nice"])
    gc.disable()  # nearly all that is made stays, and to search it takes most of the time
    try:
        document = _read(order, incoming.recv_bytes())
        for part in in_parts(document.units, lambda unit: len(unit.text) + 8):
            write_json(outgoing, [[unit.text, unit.spans] for unit in part])
        write_json(outgoing, None)
        content = memoryview(document.rebuild(_translations(incoming)))
    except InputError as error:
        write_json(outgoing, {"error": str(error), "code": error.code, "limit": error.limit})
        return
    except MemoryError:
        write_json(outgoing, {"error": "", "code": "file_too_large", "limit": None})
        return
    write_json(outgoing, [len(content), *document.left_alone])
    for start in range(0, len(content), BLOCK_BYTES):
        outgoing.send_bytes(content[start : start + BLOCK_BYTES])


def _translations(incoming: Connection) -> Iterator[str]:
    while (part := cast("list[str] | None", read_json(incoming))) is not None:
        yield from part


def _read(order: ReadingOrder, data: bytes) -> Document[bytes]:
    options = FileOptions.read(order["options"])
    return read_file(order["name"], data, order["target"], options)


def limit_to(max_bytes: int, max_cpu_s: int) -> None:
    """Let this process have no more memory and time than it is given."""
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (max_cpu_s, max_cpu_s + 1))  # a signal, then the end
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
