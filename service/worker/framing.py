"""Where a request of HTTP/1 ends: no more of the protocol than that.

gunicorn's parser judges every request. This file only finds the bytes that belong to it, and says
when it is not sure, so that two readings of one request never share a connection.

Source: RFC 9112, §6 and §7.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

HEAD_END = b"\r\n\r\n"
MAX_SIZE_LINE_BYTES = 1024
MAX_TRAILER_BYTES = 8192

_REQUEST_LINE = re.compile(rb"([A-Z]{3,20}) ([!-~\x80-\xff]+) HTTP/1\.([01])")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\r\n\0]*)")
_LENGTH = re.compile(rb"[0-9]{1,15}")
_SIZE_LINE = re.compile(rb"([0-9A-Fa-f]{1,12})(?:[ \t]*;[^\r\n\0]*)?")


@dataclass(frozen=True, slots=True)
class Head:
    """What the worker needs to know of a request's head.

    Attributes:
        num_bytes: of the head, the empty line included.
        method: such as `POST`; empty if not sure.
        address: path of the target, as it was sent, without a slash at the end; empty if not sure.
        length: of the body in bytes; None if it is chunked.
        awaits_continue: the client waits for `100 Continue` before it sends the body.
        is_sure: false if the request's end may be read in more than one way.
    """

    num_bytes: int
    method: str = ""
    address: str = ""
    length: int | None = 0
    awaits_continue: bool = False
    is_sure: bool = False


class MalformedChunkError(ValueError):
    """A chunked body is not what the standard says, so no one knows where it ends."""


def read_head(head: bytes) -> Head:
    """Return what a head says, which ends with its empty line.

    A head is not sure if any of its lines is malformed, folded or has a bare CR, LF or NUL; if it
    has two lengths, or a length and a transfer coding; or any coding but a single `chunked`.
    """
    first, *lines = head[: -len(HEAD_END)].split(b"\r\n")
    unsure = Head(len(head))
    request_line = _REQUEST_LINE.fullmatch(first)
    if request_line is None:
        return unsure
    framing: dict[bytes, bytes] = {}
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is None:
            return unsure
        name = field[1].lower()
        if name in (b"content-length", b"transfer-encoding", b"expect"):
            if name in framing:
                return unsure
            framing[name] = field[2].strip(b" \t").lower()
    length, coding = framing.get(b"content-length"), framing.get(b"transfer-encoding")
    expectation, is_old = framing.get(b"expect"), request_line[3] == b"0"
    if length is not None and (coding is not None or not _LENGTH.fullmatch(length)):
        return unsure
    if coding is not None and (coding != b"chunked" or is_old):
        return unsure
    if expectation not in (None, b"100-continue"):
        return unsure
    return Head(
        num_bytes=len(head),
        method=request_line[1].decode("latin-1"),
        address=request_line[2].partition(b"?")[0].decode("latin-1").rstrip("/") or "/",
        length=None if coding else int(length or 0),
        awaits_continue=expectation is not None and not is_old,
        is_sure=True,
    )


class ChunkedBody:
    """Finds the end of a chunked body while it arrives."""

    def __init__(self, start: int) -> None:
        """The body begins at byte `start` of what is searched."""
        self._at = start
        self._is_last = False  # the chunk of no bytes has been read: only the trailer is left

    def find_end(self, received: bytearray) -> int | None:
        """Return where the body ends in what has been received since `start`; None if not yet.

        Raises:
            MalformedChunkError: a size, a chunk's end or the trailer is malformed or too long.
        """
        while not self._is_last:
            line_end = received.find(b"\r\n", self._at, self._at + MAX_SIZE_LINE_BYTES)
            if line_end < 0:
                if len(received) - self._at >= MAX_SIZE_LINE_BYTES:
                    raise MalformedChunkError("the line of a chunk's size is too long")
                return None
            line = _SIZE_LINE.fullmatch(received, self._at, line_end)
            if line is None:
                raise MalformedChunkError("a chunk's size is not a hexadecimal number")
            size = int(line[1], 16)
            chunk_end = line_end + 2 + size
            if size == 0:
                self._at, self._is_last = line_end + 2, True
            elif len(received) < chunk_end + 2:
                return None
            elif received[chunk_end : chunk_end + 2] != b"\r\n":
                raise MalformedChunkError("a chunk is longer than its size")
            else:
                self._at = chunk_end + 2
        return self._find_trailer_end(received)

    def _find_trailer_end(self, received: bytearray) -> int | None:
        if received.startswith(b"\r\n", self._at):
            return self._at + 2
        end = received.find(HEAD_END, self._at, self._at + MAX_TRAILER_BYTES)
        if end < 0 and len(received) - self._at >= MAX_TRAILER_BYTES:
            raise MalformedChunkError("the trailer is too long")
        return None if end < 0 else end + len(HEAD_END)
