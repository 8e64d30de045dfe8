"""A process that reads one file, tells its texts, is told their translations, and writes it.

    python -m service.documents.reader

It is started by `service.documents.apart`, and ends when its standard input does.
"""

from __future__ import annotations

import gc
import os
import resource
import sys
from collections.abc import Iterator
from typing import BinaryIO, cast

from service.documents.frames import (
    BLOCK_BYTES,
    ReadingOrder,
    in_parts,
    read_bytes,
    read_json,
    write_bytes,
    write_json,
)
from translator.documents.document import Document
from translator.documents.kinds import FileOptions, read_file
from translator.errors import InputError


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
    """Serve one file.

    Raises:
        EOFError: the other process has ended.
    """
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
    """Yield the translations, as they come."""
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
