"""A process that reads one file, tells its texts, is told their translations, and writes it.

    python -m service.files.reader

It is started by `service.files.process`, and ends when its standard input does. The two talk in
frames, each with its length before it.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, TypedDict, TypeVar, cast

from translator import Document
from translator.documents.kinds import FileOptions, read_file
from translator.errors import InputError

T = TypeVar("T")
_LENGTH = struct.Struct("<Q")
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


def write_bytes(stream: BinaryIO, data: bytes) -> None:
    """Write one frame."""
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def write_json(stream: BinaryIO, frame: object) -> None:
    """Write one frame of JSON."""
    write_bytes(stream, json.dumps(frame).encode())


def read_bytes(stream: BinaryIO) -> bytes:
    """Return the next frame; an EOFError says that the other process has ended."""
    [length] = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return _exactly(stream, length)


def read_json(stream: BinaryIO) -> object:
    """Return what the next frame says; see `read_bytes`."""
    return json.loads(read_bytes(stream))


def _exactly(stream: BinaryIO, count: int) -> bytes:
    """Return so many bytes, which a pipe may give in several parts."""
    parts = list[bytes]()
    while count:
        part = stream.read(count)
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


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
    incoming = sys.stdin.buffer
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not come between
    try:
        serve(incoming, outgoing)
    except (EOFError, BrokenPipeError):  # no one wants it any more
        os._exit(0)


def serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Serve one file; an EOFError says that the other process has ended."""
    order = cast(ReadingOrder, read_json(incoming))
    limit_to(order["max_bytes"], order["max_cpu_s"])
    os.nice(order["nice"])
    gc.disable()  # nearly all that is made stays, and to search it takes most of the time
    try:
        document = _read(order, read_bytes(incoming))
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
        write_bytes(outgoing, bytes(content[start : start + BLOCK_BYTES]))


def _translations(incoming: BinaryIO) -> Iterator[str]:
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
