"""Text files come back with every line and byte that is no language."""

from __future__ import annotations

import pytest

from tests.documents import shouted, texts, unchanged
from translator.documents import plain
from translator.documents.plain import read_markdown, read_page, read_text


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
        *("one two three\nfour\n", "\n```\ncode that is long\n\nmore\n```\n", "\nend")
    ]
    assert unchanged(document) == data


def test_an_empty_file_has_no_unit() -> None:
    document = read_text("a.txt", b"")
    assert texts(document) == []
    assert document.rebuild([]) == b""


def test_a_page_is_read_in_the_encoding_that_it_declares() -> None:
    data = '<meta charset="iso-8859-2"><p>Žába <b>a pes</b></p>'.encode("iso-8859-2")
    document = read_page("a.html", data)
    [text] = texts(document)
    assert text.startswith("Žába <")
    assert unchanged(document) == data
    written = document.rebuild([text.replace("Žába", "Ж")])
    assert written == data.replace("Žába".encode("iso-8859-2"), b"&#1046;")


def test_markup_is_read_by_its_own_readers() -> None:
    assert shouted(read_page("a.html", b"<p>Hi <b>you</b></p><pre>no</pre>")) == (
        b"<p>HI <b>YOU</b></p><pre>no</pre>"
    )
    code = b"# Head\n\n```\nno\n```\n\n- one two\n"
    assert shouted(read_markdown("a.md", code)) == b"# HEAD\n\n```\nno\n```\n\n- ONE TWO\n"
