"""What a client has sent, cut into requests."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from service.worker.framing import HEAD_END, ChunkedBody, Head, MalformedChunkError, read_head

MAX_HEAD_BYTES = 64 * 1024
CHUNKING_BYTES = 64 * 1024
"""Bytes that the sizes of its chunks may add to the longest body."""

PIECE_BYTES = 8192  # gunicorn's parser copies what is left of a piece at every read


class Stage(Enum):
    """How much of a request is there."""

    HEAD = auto()
    HEAD_TOO_LONG = auto()
    BODY = auto()
    COMPLETE = auto()


class RequestBytes(Iterator[bytes]):
    """The bytes of one request for gunicorn's parser, and then no more.

    Attributes:
        num_bytes: of all pieces.
        is_sure: whether its head can be read in one way only.
        is_whole: whether its end is among them, as far as the worker can tell.
        ran_dry: the parser has asked for more.
    """

    def __init__(self, content: bytes, is_sure: bool, is_whole: bool) -> None:
        """Serve `content` in pieces, as a socket would."""
        self._pieces = (
            content[start : start + PIECE_BYTES] for start in range(0, len(content), PIECE_BYTES)
        )
        self.num_bytes = len(content)
        self.is_sure = is_sure
        self.is_whole = is_whole
        self.ran_dry = False

    def __next__(self) -> bytes:
        """Return the next piece."""
        piece = next(self._pieces, None)
        if piece is None:
            self.ran_dry = True
            raise StopIteration
        return piece


class Incoming:
    """The bytes received on one connection, and what is known of the first request in them.

    Attributes:
        head: of the first request, once it is complete.
    """

    def __init__(self, max_body_bytes: int) -> None:
        """Read bodies up to a length; longer ones are cut off, for the application to refuse."""
        self._max_body_bytes = max_body_bytes
        self._begin(b"")

    def _begin(self, received: bytes | bytearray) -> None:
        self._received = bytearray(received)
        self._searched = 0
        self._chunks: ChunkedBody | None = None
        self._end: int | None = None
        self._is_whole = True
        self.head: Head | None = None

    def __len__(self) -> int:
        """Return the number of bytes held."""
        return len(self._received)

    def feed(self, received: bytes) -> None:
        """Append what has been received."""
        self._received += received

    def stage(self) -> Stage:
        """Look at what has come; return how much of the first request is there."""
        if self.head is None:
            at = self._received.find(HEAD_END, self._searched)
            if at < 0:
                self._searched = max(0, len(self._received) - len(HEAD_END) + 1)
                too_long = len(self._received) > MAX_HEAD_BYTES
                return Stage.HEAD_TOO_LONG if too_long else Stage.HEAD
            if at > MAX_HEAD_BYTES:
                return Stage.HEAD_TOO_LONG
            self.head = read_head(bytes(self._received[: at + len(HEAD_END)]))
        if self._end is None:
            self._end = self._find_end(self.head)
        return Stage.BODY if self._end is None else Stage.COMPLETE

    def take(self) -> RequestBytes:
        """Remove the first request, which is complete, and return it; the next one begins."""
        assert self.head is not None
        assert self._end is not None, "the request is not complete"
        content = bytes(self._received[: self._end])
        request = RequestBytes(content, self.head.is_sure, self._is_whole)
        # Where no one knows the end of a request, no one knows the beginning of the next.
        self._begin(self._received[self._end :] if self._is_whole else b"")
        return request

    def clear(self) -> None:
        """Forget everything."""
        self._begin(b"")

    def _find_end(self, head: Head) -> int | None:
        """Return the request's end; None if it has not come. What is cut off is not whole."""
        start, received = head.num_bytes, len(self._received)
        if not head.is_sure or (head.length or 0) > self._max_body_bytes:
            self._is_whole = False
            return start
        if head.length is not None:
            end = start + head.length
            return end if received >= end else None
        self._chunks = self._chunks or ChunkedBody(start)
        try:
            body_end = self._chunks.find_end(self._received)
        except MalformedChunkError:
            self._is_whole = False
            return received
        if body_end is None and received - start > self._max_body_bytes + CHUNKING_BYTES:
            self._is_whole = False
            return received
        return body_end
