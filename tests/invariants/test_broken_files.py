"""Whatever is wrong with a file of any kind: it is read as it is, or there is one clear error."""

from __future__ import annotations

import io
import random
import re
import struct
from collections.abc import Callable

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents import archive, members, texts, unchanged
from tests.sample_files import ARCHIVES, MAKERS, sample
from translator.documents.kinds import KINDS, read_file
from translator.errors import InputError

CODES = {"invalid", "unreadable_file", "encrypted_file", "file_too_large"}


def read_or_refused(kind: str, data: bytes) -> str:
    """Return the error of a file, or nothing if it is read, and can be written again."""
    caught: InputError | None = None
    try:
        unchanged(read_file(f"a.{kind}", data, "de"))
    except InputError as error:
        caught = error
    if caught is None:
        return ""
    assert str(caught).startswith("a.")
    assert "\n" not in str(caught)
    assert caught.code in CODES
    return str(caught)


def test_there_is_a_sample_of_every_kind() -> None:
    assert {*MAKERS} == {kind.endings[0] for kind in KINDS}
    assert [kind for kind in MAKERS if read_or_refused(kind, sample(kind))] == []


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("other", MAKERS)
def test_an_ending_that_lies(kind: str, other: str) -> None:
    said = read_or_refused(kind, sample(other))
    if kind in (*ARCHIVES, "pdf") and kind != other:
        assert said, "a document of another kind was read"


FEW = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])


@FEW
@given(kind=st.sampled_from([*MAKERS]), place=st.floats(0, 1, exclude_max=True))
def test_files_that_are_cut_off(kind: str, place: float) -> None:
    data = sample(kind)
    said = read_or_refused(kind, data[: int(place * len(data))])
    if kind in ARCHIVES:
        assert said


@FEW
@given(kind=st.sampled_from([*MAKERS]), seed=st.integers(0, 2**32), count=st.integers(1, 40))
def test_files_with_other_bytes_here_and_there(kind: str, seed: int, count: int) -> None:
    data, chosen = bytearray(sample(kind)), random.Random(seed)
    for _ in range(count):
        data[chosen.randrange(len(data))] = chosen.randrange(256)
    read_or_refused(kind, bytes(data))


@FEW
@given(kind=st.sampled_from(ARCHIVES), seed=st.integers(0, 2**32))
def test_directories_of_archives_that_are_corrupt(kind: str, seed: int) -> None:
    data, chosen = bytearray(sample(kind)), random.Random(seed)
    start = data.index(b"PK\x01\x02")
    for _ in range(chosen.randint(1, 8)):
        data[chosen.randrange(start, len(data))] = chosen.randrange(256)
    read_or_refused(kind, bytes(data))


@FEW
@given(kind=st.sampled_from(ARCHIVES), seed=st.integers(0, 2**32))
def test_members_that_are_corrupt_inside(kind: str, seed: int) -> None:
    """Whose checksums are right."""
    found, chosen = members(sample(kind)), random.Random(seed)
    name = chosen.choice([*found])
    content = bytearray(found[name]) or bytearray(b" ")
    for _ in range(chosen.randint(1, 20)):
        content[chosen.randrange(len(content))] = chosen.randrange(256)
    read_or_refused(kind, archive({**found, name: bytes(content)}))


@pytest.mark.parametrize("kind", ARCHIVES)
@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x05\x06" + bytes(18), b"\x00" * 100])
def test_archives_that_are_none(kind: str, data: bytes) -> None:
    assert read_or_refused(kind, data)


@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx"])
def test_documents_of_office_with_a_password(kind: str) -> None:
    container = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
    assert ": is encrypted, or of " in read_or_refused(kind, container)


@pytest.mark.parametrize("kind", ["odt", "odp", "ods"])
def test_documents_of_opendocument_with_a_password(kind: str) -> None:
    manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
    found = {**members(sample(kind)), "META-INF/manifest.xml": manifest.encode()}
    said = read_or_refused(kind, archive(found))
    assert said == f"a.{kind}: is encrypted; save it without a password"


@pytest.mark.parametrize("kind", ARCHIVES)
def test_archives_with_a_password(kind: str) -> None:
    data = bytearray(sample(kind))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(mark)
        while place >= 0:
            data[place + offset] |= 1
            place = data.find(mark, place + 4)
    assert read_or_refused(kind, bytes(data)) == (
        f"a.{kind}: is encrypted; save it without a password"
    )


_MICROSOFT = "application/vnd.ms-"
_FAMILY = "application/vnd.openxmlformats-officedocument."


@pytest.mark.parametrize(
    ("kind", "ending", "media_type"),
    [
        ("docx", "docm", f"{_MICROSOFT}word.document.macroEnabled.main+xml"),
        ("docx", "dotx", f"{_FAMILY}wordprocessingml.template.main+xml"),
        ("docx", "dotm", f"{_MICROSOFT}word.template.macroEnabledTemplate.main+xml"),
        ("pptx", "pptm", f"{_MICROSOFT}powerpoint.presentation.macroEnabled.main+xml"),
        ("pptx", "ppsx", f"{_FAMILY}presentationml.slideshow.main+xml"),
        ("pptx", "ppsm", f"{_MICROSOFT}powerpoint.slideshow.macroEnabled.main+xml"),
        ("pptx", "potx", f"{_FAMILY}presentationml.template.main+xml"),
        ("pptx", "potm", f"{_MICROSOFT}powerpoint.template.macroEnabled.main+xml"),
        ("xlsx", "xlsm", f"{_MICROSOFT}excel.sheet.macroEnabled.main+xml"),
        ("xlsx", "xltx", f"{_FAMILY}spreadsheetml.template.main+xml"),
        ("xlsx", "xltm", f"{_MICROSOFT}excel.template.macroEnabled.main+xml"),
    ],
)
def test_macros_templates_and_shows_are_read_as_documents(
    kind: str, ending: str, media_type: str
) -> None:
    found = members(sample(kind))
    types = found["[Content_Types].xml"]
    own = re.search(rb"application/[\w.-]*\.(?:document|presentation|sheet)\.main\+xml", types)
    assert own is not None
    found["[Content_Types].xml"] = types.replace(own[0], media_type.encode())
    document = read_file(f"a.{ending}", archive(found))
    assert texts(document) == texts(read_file(f"a.{kind}", sample(kind)))


def test_macros_come_back_as_they_are() -> None:
    found = {**members(sample("docx")), "word/vbaProject.bin": b"\xd0\xcf\x11\xe0macro"}
    document = read_file("a.docm", archive(found))
    written = members(document.rebuild([unit.text.upper() for unit in document.units]))
    assert written["word/vbaProject.bin"] == found["word/vbaProject.bin"]


def test_more_sheets_than_any_document_has() -> None:
    sheets = {f"xl/worksheets/sheet{number}.xml": b"<worksheet/>" for number in range(10_001)}
    said = read_or_refused("xlsx", archive({**members(sample("xlsx")), **sheets}))
    assert "10,000 files of" in said


def of_pages(change: Callable[[pikepdf.Pdf], None]) -> bytes:
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(sample("pdf"))) as pdf:
        change(pdf)
        pdf.save(written)
    return written.getvalue()


def in_a_circle(pdf: pikepdf.Pdf) -> None:
    pdf.Root.Pages.Kids.append(pdf.Root.Pages)


def of_nothing(pdf: pikepdf.Pdf) -> None:
    pdf.Root.Pages.Kids = pikepdf.Array([])
    pdf.Root.Pages.Count = 0


def too_many(pdf: pikepdf.Pdf) -> None:
    pdf.Root.Pages.Count = 2**31 - 1


@pytest.mark.parametrize("change", [in_a_circle, of_nothing, too_many])
def test_pages_that_make_no_sense(change: Callable[[pikepdf.Pdf], None]) -> None:
    read_or_refused("pdf", of_pages(change))


def test_a_directory_that_lies_about_sizes() -> None:
    data = bytearray(sample("docx"))
    place = data.index(b"PK\x01\x02")
    data[place + 24 : place + 28] = struct.pack("<I", 0xFFFFFFF0)
    assert "unpacks to" in read_or_refused("docx", bytes(data))
