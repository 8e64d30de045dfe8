"""What is said over a pipe arrives whole, in whatever parts the pipe gives it."""

from __future__ import annotations

import io

import pytest

from service.documents.frames import (
    CHARS_AT_ONCE,
    in_parts,
    read_bytes,
    read_json,
    write_bytes,
    write_json,
)


class Dripping(io.BytesIO):
    """A pipe that gives three bytes at a time."""

    def read(self, count: int | None = -1, /) -> bytes:
        return super().read(min(count or 0, 3))


def test_frames_arrive_whole() -> None:
    stream = io.BytesIO()
    write_bytes(stream, b"a longer frame")
    write_json(stream, ["ä", "\ud800", None])
    write_bytes(stream, b"")
    pipe = Dripping(stream.getvalue())
    assert read_bytes(pipe) == b"a longer frame"
    assert read_json(pipe) == ["ä", "\ud800", None]
    assert read_bytes(pipe) == b""
    with pytest.raises(EOFError):
        read_bytes(pipe)
    with pytest.raises(EOFError):
        read_bytes(io.BytesIO(stream.getvalue()[:12]))


@pytest.mark.parametrize("sizes", [[], [1], [CHARS_AT_ONCE] * 3, [1] * 10, [9 * CHARS_AT_ONCE, 1]])
def test_parts_have_every_item_once(sizes: list[int]) -> None:
    parts = [*in_parts(iter(sizes), lambda size: size)]
    assert [size for part in parts for size in part] == sizes
    assert all(part and sum(part[:-1]) < CHARS_AT_ONCE for part in parts)
