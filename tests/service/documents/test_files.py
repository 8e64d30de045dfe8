"""Files are read by the library; their language is told by a sample."""

from __future__ import annotations

import pytest

from service.documents import files as documents
from service.documents.apart import ApartDocument
from translator.documents.kinds import read_file
from translator.errors import InputError


def test_every_kind_of_the_library_is_offered() -> None:
    assert {"txt", "html", "docx", "odt", "po", "srt", "xliff", "json", "md"} <= {
        *documents.formats()
    }


def test_a_sample_is_the_start_of_the_text() -> None:
    lines = "\n\n".join(f"Der Satz {number}." for number in range(2000))
    sample = documents.sample_of(read_file("a.txt", lines.encode(), "en"))
    assert sample.startswith("Der Satz 0.")
    assert len(sample) <= documents.SAMPLE_CHARS


def test_what_cannot_be_read_is_told() -> None:
    with pytest.raises(InputError, match=r"^Invalid request: a\.json"):
        documents.opened("a.json", b"{", "en")
    with pytest.raises(InputError, match=r"^Invalid request: a\.json") as caught:
        documents.opened("a.json", b"{" * (documents.SMALL_BYTES + 1), "en")
    assert caught.value.code == "unreadable_file"


def test_only_small_files_are_read_in_this_process() -> None:
    with documents.opened("a.txt", b"x" * documents.SMALL_BYTES, "en") as document:
        assert not isinstance(document, ApartDocument)
    with documents.opened("a.txt", b"x" * (documents.SMALL_BYTES + 1), "en") as document:
        assert isinstance(document, ApartDocument)
        assert document.rebuild(["y"]) == b"y"
