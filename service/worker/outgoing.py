"""What is sent to a client: by a thread as far as it goes at once, the rest by the loop."""

from __future__ import annotations

import errno
import os
import select
import socket
import time
from collections import deque
from dataclasses import dataclass
from typing import IO

MAX_UNSENT_BYTES = 1024 * 1024
"""Bytes of an answer that wait in memory before the thread that makes them has to wait too."""

PATIENCE_S = 10.0
SLOWEST_BYTES_PER_S = 32 * 1024
"""A thread waits so long for a client, and longer by what the client has read at this rate."""

SENDFILE_BYTES = 1024 * 1024


@dataclass(slots=True)
class FilePart:
    """A part of an open file; the descriptor is its own."""

    descriptor: int
    offset: int
    num_bytes: int


class Outgoing:
    """The sending half of a connection, with the methods of a socket that gunicorn calls.

    Nothing of it waits for the client, but `sendall` when more than MAX_UNSENT_BYTES are unsent.
    Only one thread uses it at a time: the one that answers the request, and then the loop's.

    Attributes:
        unsent_bytes: that are held in memory.
    """

    def __init__(self, connection: socket.socket) -> None:
        """Send on a connection that does not block."""
        self._connection = connection
        self._queue: deque[memoryview | FilePart] = deque()
        self.unsent_bytes = 0

    def fileno(self) -> int:
        """Return the connection's descriptor."""
        return self._connection.fileno()

    def setblocking(self, _: bool) -> None:
        """Stay as it is: what gunicorn may wish for is not wanted here."""

    def gettimeout(self) -> float:
        """Return that of a socket that does not block."""
        return 0.0

    def shutdown(self, how: int) -> None:
        """Shut the connection down, as gunicorn does when an answer breaks off."""
        self._connection.shutdown(how)

    def close(self) -> None:
        """Forget what is unsent and close the connection."""
        for part in self._queue:
            if isinstance(part, FilePart):
                os.close(part.descriptor)
        self._queue.clear()
        self.unsent_bytes = 0
        self._connection.close()

    def send(self, interim: bytes) -> int:
        """Drop it: gunicorn sends only `100 Continue` in this way, and the loop has done so."""
        return len(interim)

    def sendall(self, content: bytes) -> None:
        """Send now what the client takes, and keep the rest.

        Raises:
            OSError: the connection is broken, or the client reads too slowly.
        """
        if content:
            self._queue.append(memoryview(content))
            self.unsent_bytes += len(content)
        if not self.flush() and self.unsent_bytes > MAX_UNSENT_BYTES:
            self._wait()

    def sendfile(self, file: IO[bytes], offset: int = 0, count: int | None = None) -> int:
        """Send a part of a file, of which nothing is read into memory."""
        if count is None:
            count = os.fstat(file.fileno()).st_size - offset
        self._queue.append(FilePart(os.dup(file.fileno()), offset, count))
        self.flush()
        return count

    def flush(self) -> bool:
        """Send what can be sent without waiting; return whether that was all.

        Raises:
            OSError: the connection is broken.
        """
        try:
            while self._queue:
                self._send_some(self._queue[0])
        except BlockingIOError:
            return False
        return True

    def _send_some(self, part: memoryview | FilePart) -> None:
        if isinstance(part, memoryview):
            sent = self._connection.send(part)
            self.unsent_bytes -= sent
            if sent < len(part):
                self._queue[0] = part[sent:]
            else:
                self._queue.popleft()
            return
        if part.num_bytes:
            some = min(part.num_bytes, SENDFILE_BYTES)
            sent = os.sendfile(self.fileno(), part.descriptor, part.offset, some)
            if sent == 0:
                raise BrokenPipeError(errno.EPIPE, "a file became shorter while it was sent")
            part.offset += sent
            part.num_bytes -= sent
        if part.num_bytes == 0:
            os.close(part.descriptor)
            self._queue.popleft()

    def _wait(self) -> None:
        """Wait until little enough is unsent."""
        poll = select.poll()
        poll.register(self._connection, select.POLLOUT)
        deadline, before = time.monotonic() + PATIENCE_S, self.unsent_bytes
        while self.unsent_bytes > MAX_UNSENT_BYTES:
            read_s = (before - self.unsent_bytes) / SLOWEST_BYTES_PER_S
            left_s = deadline + read_s - time.monotonic()
            if left_s <= 0:
                raise BrokenPipeError(errno.EPIPE, "the client reads its answer too slowly")
            poll.poll(left_s * 1000)
            self.flush()
