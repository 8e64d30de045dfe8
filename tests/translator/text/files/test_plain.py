"""Text files come back with every line and byte that is no language."""

from __future__ import annotations

import pytest

from tests.documents import shouted, texts, unchanged
from translator.text.files import plain
from translator.text.files.plain import read_markdown, read_marked_up, read_page, read_text
from translator.text.formats.document import Document


@pytest.mark.parametrize("read", [read_text, read_markdown, read_page])
def test_a_file_comes_back_as_it_was(read: object) -> None:
    assert callable(read)
    data = "\ufeffOne.\r\n\r\n  - two\t–\r\n".encode()
    assert unchanged(read("a.txt", data)) == data


def test_a_text_is_translated() -> None:
    assert shouted(read_text("a.txt", "Grüß dich.\n".encode("cp1252"))) == b"GR\xdcSS DICH.\n"


def test_long_texts_are_cut_at_blank_lines_outside_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "_MOST_CHARS", 10)
    data = b"one two three\nfour\n\n```\ncode that is long\n\nmore\n```\n\nend"
    document = read_text("a.txt", data)
    assert texts(document) == [
        *("one two three\nfour\n", "\n```\ncode that is long\n\nmore\n```\n", "\nend"),
    ]
    assert unchanged(document) == data


def test_an_empty_file_has_no_unit() -> None:
    document = read_text("a.txt", b"")
    assert texts(document) == []
    assert document.rebuild([]) == b""


def test_a_page_is_read_in_the_encoding_that_it_declares() -> None:
    def read(text: str) -> Document[str]:
        return Whole(text)

    data = '<meta charset="iso-8859-2"><p>Žába'.encode("iso-8859-2")
    document = read_marked_up("a.html", data, read)
    assert unchanged(document) == data
    assert document.rebuild(["Ж"]) == b"&#1046;"


class Whole:
    """A text as one unit."""

    def __init__(self, text: str) -> None:
        from translator.text.marked import MarkedText

        self.units = [MarkedText(text)]

    def rebuild(self, translations: object) -> str:
        assert isinstance(translations, list)
        return str(translations[0])
