"""Text files of any size, plain or compressed: `.gz`, `.xz` and `.zst` by their names."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd

from translator.errors import InputError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD = "-"  # standard input or output
STANDARD_INPUT = Path("/dev/stdin")
BLOCK = 1 << 16
WIDE = {
    codecs.BOM_UTF32_LE: "UTF-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""Encodings by the marks that texts in them begin with, by iconv's names."""

NO_TEXTS = {
    b"{\\rtf": "is in RTF; save it as .docx or .odt",
    b"\xd0\xcf\x11\xe0": "is of an old Office; save it as .docx, .xlsx or .pptx",
    b"PK\x03\x04": "is an archive; if it is a document, give its name the right ending, as .docx",
    b"%PDF-": "is a PDF; give its name the ending .pdf",
}
"""What files that are no texts begin with, and what is to be said of them."""


class _XzReader(io.RawIOBase):
    """The contents of a .xz file of one stream or several, with zeros between and behind them.

    To `lzma.open`, a stream that is damaged at its beginning is the end of the file.
    """

    def __init__(self, path: Path) -> None:
        self._packed = path.open("rb")
        self._decoder = lzma.LZMADecompressor()

    def close(self) -> None:
        """Close the file as well."""
        self._packed.close()
        super().close()

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read into `buffer`; return the number of bytes, 0 at the end.

        Raises:
            lzma.LZMAError: a stream is damaged.
            EOFError: it is cut short.
        """
        room, data = memoryview(buffer), b""
        while not data:
            packed = b""
            if self._decoder.eof:
                packed = self._first_of_next_stream()
                if not packed:
                    return 0
                self._decoder = lzma.LZMADecompressor()
            elif self._decoder.needs_input:
                packed = self._packed.read(BLOCK)
                if not packed:
                    raise EOFError("a stream is cut short")
            data = self._decoder.decompress(packed, len(room))
        room[: len(data)] = data
        return len(data)

    def _first_of_next_stream(self) -> bytes:
        """Return what follows the stream that has ended and the zeros behind it, if anything."""
        packed = self._decoder.unused_data or self._packed.read(BLOCK)
        while packed and not packed.strip(b"\0"):
            packed = self._packed.read(BLOCK)
        return packed.lstrip(b"\0")


def _open_xz(path: Path, mode: str) -> Any:
    return io.BufferedReader(_XzReader(path), BLOCK) if mode == "rb" else lzma.open(path, mode)


OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": _open_xz, ".zst": zstd.open}


@contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, decompressed; `-` is standard input.

    Raises:
        InputError: it cannot be decompressed, or standard input is closed.
    """
    if str(path) == STANDARD:
        if sys.stdin is None:
            raise InputError("standard input is closed; name a file")
        yield sys.stdin.buffer
        return
    open_file = OPENERS.get(Path(path).suffix, open)
    try:
        with open_file(Path(path), "rb") as stream:
            yield stream
    except (gzip.BadGzipFile, EOFError, lzma.LZMAError, zlib.error, zstd.ZstdError) as error:
        raise InputError(f"{path}: damaged archive ({error}); fetch it again") from error


def read_blocks(path: Path) -> Iterator[bytes]:
    """Yield the contents of a file, decompressed, a megabyte at a time."""
    with opened(path) as stream:
        while block := stream.read(1 << 20):
            yield block


def byte_lines(path: str | Path) -> Iterator[bytes]:
    """Yield the lines of a file as bytes, each with its newline; only a newline ends one.

    A byte order mark of UTF-8 is taken off.

    Raises:
        InputError: the file is no text, or in UTF-16 or UTF-32; the message says what to do.
    """
    with opened(path) as stream:
        first = stream.readline()
        refuse_others(first, path)
        if first := first.removeprefix(codecs.BOM_UTF8):
            yield first
        yield from stream


def read_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a file; only a newline ends one, and a byte order mark is taken off.

    Raises:
        InputError: a line is not UTF-8; the message gives its number, and what to do.
    """
    for number, line in enumerate(byte_lines(path), start=1):
        try:
            yield line.decode().removesuffix("\n")
        except UnicodeDecodeError as error:
            told = f"{path}, line {number}: is not UTF-8 ({error.reason})"
            raise InputError(f"{told}; {conversion(path)}") from error


def read_text(path: str | Path) -> str:
    """Return the contents of a file as they are, but for a byte order mark.

    Raises:
        InputError: they are not UTF-8; the message says what to do.
    """
    with opened(path) as stream:
        content = stream.read()
    refuse_others(content[:BLOCK], path)
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 ({error.reason}); {conversion(path)}") from error


def refuse_others(head: bytes, path: str | Path) -> None:
    """Refuse what is no text, and a text whose characters have two or four bytes each.

    Raises:
        InputError: its `head` says so, or the zero bytes there.
    """
    for mark, told in NO_TEXTS.items():
        if head.startswith(mark):
            raise InputError(f"{path}: {told}")
    found = next((name for mark, name in WIDE.items() if head.startswith(mark)), None)
    if found is None and 4 * head.count(0) > len(head):
        found = "UTF-16LE" if head[1::2].count(0) > head[::2].count(0) else "UTF-16BE"
    if found is not None:
        raise InputError(f"{path}: is in {found}; {conversion(path, found)}")


def conversion(path: str | Path, encoding: str = "") -> str:
    """Return what to do about a text that is in another encoding; Windows' own if none is given."""
    name = Path(path).name
    packed = Path(path).suffix in OPENERS
    plain = Path(path).with_suffix("") if packed else Path(path)
    told = "convert it" if encoding else "if it is in Windows-1252, convert it"
    unpack = f"unpack {name}, and " if packed else ""
    command = f"iconv -f {encoding or 'WINDOWS-1252'} -t UTF-8 {plain} > {plain.stem}-utf8"
    return f"{unpack}{told}: {command}{plain.suffix}"


def sha256(path: Path) -> str:
    """Return the SHA-256 of the contents of a file, decompressed."""
    digest = hashlib.sha256()
    for block in read_blocks(path):
        digest.update(block)
    return digest.hexdigest()


def count_lines(path: Path) -> int:
    """Return how many lines a file has; a last one without newline counts."""
    count, last = 0, b"\n"
    for block in read_blocks(path):
        count, last = count + block.count(b"\n"), block[-1:]
    return count + (last != b"\n")


def compress(source: Path, destination: Path) -> None:
    """Write `source` to `destination`, compressed as its name asks, and remove `source`.

    A symbolic link stays one: its target is written.
    """
    target, open_file = Path(os.path.realpath(destination)), OPENERS.get(destination.suffix)
    if open_file is None:
        source.replace(target)
        return
    temporary = target.with_name(f".{target.name}.tmp{destination.suffix}")
    with open_file(temporary, "wb") as packed:
        for block in read_blocks(source):
            packed.write(block)
    temporary.replace(target)
    source.unlink()
