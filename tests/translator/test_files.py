"""Files of any kind read alike, and what is wrong with one is told with its name."""

from __future__ import annotations

import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from translator.errors import InputError
from translator.files import OPENERS, compress, count_lines, read_blocks, read_lines, read_text


def zstd_compress(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with OPENERS[".zst"](buffer, "wb") as stream:
        stream.write(content)
    return buffer.getvalue()


TEXT = "Ein Hund\u2028läuft.\r\n\nZwei"
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstd_compress,
}


@pytest.mark.parametrize("suffix", PACKERS)
def test_compressed_or_not_the_lines_are_the_same(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"text.de{suffix}"
    path.write_bytes(PACKERS[suffix](TEXT.encode()))
    assert list(read_lines(path)) == ["Ein Hund\u2028läuft.\r", "", "Zwei"]
    assert count_lines(path) == 3


@pytest.mark.parametrize("suffix", PACKERS)
def test_what_is_compressed_is_read_back_and_its_source_is_gone(
    tmp_path: Path, suffix: str
) -> None:
    source, packed = tmp_path / "plain", tmp_path / f"out{suffix}"
    source.write_text("a\nb\n" * 1000)
    compress(source, packed)
    assert list(read_lines(packed)) == ["a", "b"] * 1000
    assert [path.name for path in tmp_path.iterdir()] == [packed.name]
    assert (packed.stat().st_size < 1000) == bool(suffix)


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
@pytest.mark.parametrize("damage", ["cut short", "something else"])
def test_a_damaged_archive_is_named(tmp_path: Path, suffix: str, damage: str) -> None:
    path = tmp_path / f"text{suffix}"
    whole = PACKERS[suffix](b"line\n" * 10_000)
    path.write_bytes(whole[:-9] if damage == "cut short" else b"plain text\n")
    with pytest.raises(InputError, match=rf"text\{suffix}: damaged archive .*fetch it again"):
        list(read_lines(path))


@pytest.mark.parametrize(("suffix", "at"), [(".gz", 2), (".xz", 2), (".xz", 30), (".zst", 2)])
def test_damage_behind_a_whole_archive_is_found(tmp_path: Path, suffix: str, at: int) -> None:
    path = tmp_path / f"text{suffix}"
    second = bytearray(PACKERS[suffix](b"second\n" * 10))
    path.write_bytes(PACKERS[suffix](b"first\n") + second)
    assert len(list(read_lines(path))) == 11
    second[at] ^= 0xFF
    path.write_bytes(PACKERS[suffix](b"first\n") + second)
    with pytest.raises(InputError, match="damaged archive"):
        list(read_lines(path))


@pytest.mark.parametrize("size", [7, 7_000_000])
def test_zeros_may_follow_a_stream_of_xz(tmp_path: Path, size: int) -> None:
    path = tmp_path / "text.xz"
    packed = PACKERS[".xz"](b"1234567" * (size // 7))
    path.write_bytes(packed + b"\0" * 100_000 + packed + b"\0" * 4)
    assert sum(map(len, read_blocks(path))) == 2 * size
    path.write_bytes(packed + b"\0" * 4 + b"garbage")
    with pytest.raises(InputError, match="damaged archive"):
        count_lines(path)


def test_a_line_that_is_not_utf8_is_numbered(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"a\nb\n\xff\n")
    with pytest.raises(InputError, match=r"text, line 3: is not UTF-8 \(invalid start byte\)"):
        list(read_lines(path))


def test_empty_files_have_no_lines(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert list(read_lines(tmp_path / "empty")) == []
    assert count_lines(tmp_path / "empty") == 0


def test_a_text_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes("ä\r\n\n".encode())
    assert read_text(path) == "ä\r\n\n"
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"page\.html: is not UTF-8 \(invalid start byte\)"):
        read_text(path)


@pytest.mark.parametrize(
    ("beginning", "message"),
    [
        (b"{\\rtf1\\ansi Hallo}", "is in RTF; save it as .docx or .odt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "is of an old Office; save it as .docx"),
        (b"PK\x03\x04\x14", "is an archive; if it is a document, give its name the right ending"),
        (b"%PDF-1.7\n", "is a PDF; give its name the ending .pdf"),
    ],
)
@pytest.mark.parametrize("read", [read_text, read_lines])
def test_what_is_no_text_is_refused(
    tmp_path: Path, beginning: bytes, message: str, read: Callable[[Path], object]
) -> None:
    path = tmp_path / "letter"
    path.write_bytes(beginning + b"\n" * 9)
    with pytest.raises(InputError, match=f"letter: {message}"):
        tuple(read(path))  # type: ignore[arg-type]
