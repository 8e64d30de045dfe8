"""Files that unpack to far more than they are get refused before they fill the memory."""

from __future__ import annotations

import base64
import tracemalloc
import zlib
from collections.abc import Callable

import pikepdf
import pytest

from tests.pdf_files import changed, drawn, report
from translator.documents.pdf.document import read_pdf
from translator.documents.pdf.unpacking import check_unpacked
from translator.errors import InputError


def with_stream(content: bytes, **about: object) -> bytes:
    """Return a page with one more stream, packed already."""

    def add(pdf: pikepdf.Pdf) -> None:
        stream = pikepdf.Stream(pdf, content)
        for key, value in about.items():
            stream[f"/{key}"] = value
        pdf.Root.More = pdf.make_indirect(stream)

    return changed(report(), add, compress_streams=False)


def test_usual_files_pass() -> None:
    check_unpacked("a.pdf", report())
    check_unpacked("a.pdf", drawn(lambda canvas: canvas.drawString(9, 9, "a"), pageCompression=1))
    check_unpacked("a.pdf", b"no PDF, stream\n nothing")


def test_a_stream_of_several_blocks_ends() -> None:
    packed = zlib.compress(b"0 0 m 1 1 l S\n" * 200_000)
    check_unpacked("a.pdf", with_stream(packed, Filter=pikepdf.Name.FlateDecode))


def test_bombs_are_refused_and_not_unpacked() -> None:
    packed = zlib.compress(b"0" * (300 << 20), 9)
    data = with_stream(packed, Filter=pikepdf.Name.FlateDecode)
    tracemalloc.start()
    with pytest.raises(InputError, match=r"^a\.pdf: unpacks to more than [\d,]+ bytes, as no doc"):
        read_pdf("a.pdf", data)
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("ASCII85Decode", lambda packed: base64.a85encode(packed) + b"~>"),
        ("ASCIIHexDecode", lambda packed: packed.hex().encode() + b">"),
    ],
)
def test_bombs_in_letters_are_refused(name: str, write: Callable[[bytes], bytes]) -> None:
    names = pikepdf.Array([pikepdf.Name(f"/{name}"), pikepdf.Name.FlateDecode])
    data = with_stream(write(zlib.compress(b"0" * (40 << 20), 9)), Filter=names)
    with pytest.raises(InputError, match=r"^a\.pdf: unpacks to more than"):
        check_unpacked("a.pdf", data)
    check_unpacked("a.pdf", with_stream(b"~~not that", Filter=names))


def test_pictures_are_not_counted() -> None:
    packed = zlib.compress(b"0" * (64 << 20), 9)
    picture = {"Filter": pikepdf.Name.FlateDecode, "Subtype": pikepdf.Name.Image}
    check_unpacked("a.pdf", with_stream(packed, **picture))


def test_what_is_packed_twice_is_refused() -> None:
    names = pikepdf.Array([pikepdf.Name.FlateDecode, pikepdf.Name.FlateDecode])
    data = with_stream(zlib.compress(zlib.compress(b"0" * 9)), Filter=names)
    with pytest.raises(InputError, match=r"^a\.pdf: has a stream that is packed twice"):
        check_unpacked("a.pdf", data)
