"""How large a PDF becomes when it is unpacked, before anything of it is kept in memory."""

from __future__ import annotations

import base64
import re
import zlib

from translator.documents.archive import MAX_BYTES, MAX_RATIO, MIN_BYTES_OF_BOMB
from translator.errors import InputError

_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_TWICE = re.compile(rb"/Filter\s*\[[^\]]*/(?:Flate|LZW|RunLength)Decode[^\]]*/FlateDecode")
_AS_TEXT = re.compile(rb"/Filter\s*\[\s*/ASCII(?P<kind>85|Hex)Decode[^\]]*/FlateDecode")
_HEAD = 1_024  # bytes before a stream, in which it says what it is
_BLOCK = 1 << 20


def check_unpacked(name: str, data: bytes) -> None:
    """Refuse a file that unpacks to far more than it is; pictures are not counted.

    Raises:
        InputError: naming the limit, or a stream that is packed twice.
    """
    most = min(max(MAX_RATIO * len(data), MIN_BYTES_OF_BOMB), MAX_BYTES)
    total = 0
    for found in _STREAM.finditer(data):
        head = data[max(found.start() - _HEAD, 0) : found.start()].rpartition(b" obj")[2]
        if _TWICE.search(head):
            raise InputError(f"{name}: has a stream that is packed twice, as no document needs")
        is_picture = b"/Image" in head and b"/ObjStm" not in head
        if b"/FlateDecode" in head and not is_picture:
            packed = memoryview(data)[found.end() :]
            if as_text := _AS_TEXT.search(head):
                packed = memoryview(_from_text(data, found.end(), as_text["kind"]))
            total += _unpacked(packed, most - total)
        if total > most:
            raise InputError(
                f"{name}: unpacks to more than {most:,} bytes, as no document of its size does",
                "file_too_large",
            )


def _from_text(data: bytes, start: int, kind: bytes) -> bytes:
    end = data.find(b"endstream", start)
    text = data[start : end if end >= 0 else None].partition(b"~>" if kind == b"85" else b">")[0]
    try:
        return base64.a85decode(text) if kind == b"85" else bytes.fromhex(text.decode("ascii"))
    except ValueError:
        return b""  # readers cannot read it either


def _unpacked(packed: memoryview, most: int) -> int:
    """Return how many bytes a stream unpacks to, or a few more than `most`."""
    total, unpacker = 0, zlib.decompressobj()
    try:
        while not unpacker.eof and packed and total <= most:
            block, packed = packed[:_BLOCK], packed[_BLOCK:]
            total += len(unpacker.decompress(block, _BLOCK))
            while unpacker.unconsumed_tail and not unpacker.eof and total <= most:
                total += len(unpacker.decompress(unpacker.unconsumed_tail, _BLOCK))
    except zlib.error:
        pass  # readers go on with what they have got so far
    return total
