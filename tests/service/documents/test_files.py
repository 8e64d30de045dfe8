"""Files are read and translated by the library; their language is told by a sample."""

from __future__ import annotations

from typing import cast

import pytest

from service.documents import files as documents
from service.documents.apart import ApartDocument
from tests.service.conftest import FakeTranslator
from translator.documents.kinds import read_file
from translator.errors import InputError
from translator.text.glossary import Glossary
from translator.translate.translator import Translator

TEXT = "\ufeffGuten Tag.\r\n\r\n\tUnd: 5 > 3\n"


def translated(name: str, content: bytes) -> bytes:
    return documents.translate(
        cast(Translator, FakeTranslator()),
        read_file(name, content, "en"),
        source="de",
        target="en",
        timeout_s=None,
        while_waiting=lambda: None,
    )


def test_a_text_comes_back_with_all_that_is_no_sentence() -> None:
    assert translated("a.txt", TEXT.encode()).decode() == TEXT.upper()


def test_a_glossary_is_applied() -> None:
    found = documents.translate(
        cast(Translator, FakeTranslator()),
        read_file("a.txt", b"Ein Hut.", "en"),
        source="de",
        target="en",
        glossary=Glossary(pairs={"Hut": "hat"}),
        timeout_s=None,
        while_waiting=lambda: None,
    )
    assert found == b"EIN hat."


def test_a_catalogue_keeps_its_keys() -> None:
    assert translated("a.json", b'{"a": "Hallo", "b": 1}') == b'{"a": "HALLO", "b": 1}'


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
