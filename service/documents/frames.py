"""What two processes tell each other over a pipe: frames, each with its length before it."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, TypedDict, TypeVar

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
