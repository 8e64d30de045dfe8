"""Archives are checked before anything in them is used, and keep all other members."""

from __future__ import annotations

import io
import struct
import zipfile
from collections import Counter
from collections.abc import Sequence
from functools import partial

import pytest

from tests.documents import archive, members
from translator.documents import archive as archive_module
from translator.documents.archive import Archive, ArchiveDocument
from translator.documents.document import Piece, TextUnit
from translator.documents.encoding import TextEncoding
from translator.errors import InputError
from translator.text.marked import MarkedText


def test_other_members_their_order_and_settings_stay() -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("mimetype", "x", zipfile.ZIP_STORED)
        info = zipfile.ZipInfo("b.bin", (1999, 1, 2, 3, 4, 6))
        info.external_attr, info.compress_type = 0o600 << 16, zipfile.ZIP_DEFLATED
        target.writestr(info, bytes(range(256)))
        target.writestr("a.xml", "<a/>")
        target.comment = b"hi"
    found = Archive("a.odt", written.getvalue())
    for _ in range(2):  # writing changes nothing in what was read
        changed = found.with_contents({"a.xml": [b"<b", b"/>"]}.get)
    assert members(changed) == {"mimetype": b"x", "b.bin": bytes(range(256)), "a.xml": b"<b/>"}
    with zipfile.ZipFile(io.BytesIO(changed)) as source:
        first, second, _ = source.infolist()
        assert first.compress_type == zipfile.ZIP_STORED
        assert (second.date_time, second.external_attr) == ((1999, 1, 2, 3, 4, 6), 0o600 << 16)
        assert source.comment == b"hi"


def test_a_document_joins_the_texts_of_its_members() -> None:
    unit = TextUnit(MarkedText("a"), "a", str)
    data = archive({"a.xml": "a", "b.xml": "b"})
    num_read = Counter[str]()

    def read(member: str, *pieces: Piece) -> tuple[Sequence[Piece], TextEncoding]:
        num_read[member] += 1
        return pieces, TextEncoding("latin-1")

    parts = {"b.xml": partial(read, "b.xml", "<", unit), "a.xml": partial(read, "a.xml", unit, "!")}
    document = ArchiveDocument("x.odt", Archive("x.odt", data), parts)
    assert [text.text for text in document.units] == ["a", "a"]
    written = members(document.rebuild(["ä", "語"]))
    assert [*written.items()] == [("a.xml", b"&#35486;!"), ("b.xml", b"<\xe4")]
    assert num_read == {"a.xml": 2, "b.xml": 2}


@pytest.mark.parametrize("name", ["../a", "/a", "a/../../b", "..\\a", "C:\\a", "C:/a"])
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"has a member named .*, which no document has"):
        Archive("a.docx", archive({name: "x"}))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_come_twice_are_refused() -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as target:
        target.writestr("a", "1")
        target.writestr("a", "2")
    with pytest.raises(
        InputError, match="has two members named 'a', of which programs read one or the other"
    ):
        Archive("a.docx", written.getvalue())


def test_bombs_are_refused() -> None:
    bomb = archive({"a.xml": bytes(archive_module.MIN_BYTES_OF_BOMB + 1)})
    with pytest.raises(
        InputError, match=r"unpacks to more than 200 times its size, as no document"
    ):
        Archive("a.docx", bomb)
    assert Archive("a.docx", archive({"a.xml": bytes(1 << 20)})).names == ("a.xml",)


def test_large_archives_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "MAX_BYTES", 3)
    with pytest.raises(InputError, match=r"unpacks to 1 files of 4 bytes; 10,000 files of 3 bytes"):
        Archive("a.docx", archive({"a": "four"}))
    monkeypatch.setattr(archive_module, "MAX_MEMBERS", 1)
    with pytest.raises(InputError, match=r"unpacks to 2 files of 2 bytes; 1 files"):
        Archive("a.docx", archive({"a": "1", "b": "2"}))


def test_a_member_larger_than_it_says_is_refused() -> None:
    data = bytearray(archive({"a.xml": bytes(5_000)}))
    for place in (22, data.rindex(b"PK\x01\x02") + 24):  # the size in both headers
        data[place : place + 4] = struct.pack("<I", 10)
    with pytest.raises(InputError, match=r"is damaged, or no document of this kind \(Bad CRC-32"):
        Archive("a.docx", bytes(data))


def test_damaged_content_is_refused() -> None:
    data = archive({"a.xml": "some text"}, packed=False).replace(b"some text", b"some tent", 1)
    with pytest.raises(InputError, match=r"is damaged"):
        Archive("a.docx", data)


def test_a_member_that_is_missing_is_named() -> None:
    with pytest.raises(InputError, match=r"has no content\.xml, so it is no document of this kind"):
        Archive("a.odt", archive({"a": "x"})).read("content.xml")
