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


@pytest.mark.parametrize(
    ("declared", "codec", "text", "written_as"),
    [
        ("iso-8859-1", "utf-8", "Łódź — it’s", "utf-8"),
        ("Windows-1252", "utf-8", "für", "utf-8"),
        ("koi8-r", "utf-8", "Привет", "utf-8"),
        ("ISO-8859-1", "cp1252", "“Früh” – für 5 €", "ISO-8859-1"),
        ("us-ascii", "cp1252", "für", "us-ascii"),
        ("iso-8859-1", "latin-1", "für \x81", "iso-8859-1"),
        ("iso-8859-1", "latin-1", "plain", "iso-8859-1"),
        ("koi8-r", "koi8-r", "Привет", "koi8-r"),
        ("gbk", "gbk", "联通", "gbk"),  # which is valid UTF-8, too
        ("UTF8", "utf-8", "Łódź", "UTF8"),
    ],
)
def test_a_page_that_declares_a_wrong_encoding_is_read_and_says_what_it_is(
    declared: str, codec: str, text: str, written_as: str
) -> None:
    page = '<p>é</p><meta charset="{}"><p>{}</p>' if codec == "utf-8" else '<meta charset="{}">{}'
    document = read_page("a.html", page.format(declared, text).encode(codec))
    assert texts(document)[-1] == text
    assert unchanged(document) == page.format(written_as, text).encode(codec)


def test_markup_is_read_by_its_own_readers() -> None:
    assert shouted(read_page("a.html", b"<p>Hi <b>you</b></p><pre>no</pre>")) == (
        b"<p>HI <b>YOU</b></p><pre>no</pre>"
    )
    code = b"# Head\n\n```\nno\n```\n\n- one two\n"
    assert shouted(read_markdown("a.md", code)) == b"# HEAD\n\n```\nno\n```\n\n- ONE TWO\n"
