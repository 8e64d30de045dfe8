"""Catalogues of Java keep their keys, their comments and their way of writing."""

from __future__ import annotations

import pytest

from tests.documents import shouted, texts, unchanged
from translator.documents.catalogues.properties import read_properties

FILE = rb"""# A comment = not text
! another
title = The dog
  menu.file : Open \
      the file
path=C:\\data\\x
count={0} dogs aren''t here
empty=
key\ with\ spaces\=x Two\nlines
code=max_size
ae=K\u00e4se
last=The end"""
TEXTS = [*("The dog", "Open the file", "{0} dogs aren't here", "Two\nlines", "Käse", "The end")]


def test_values_are_units_and_nothing_else() -> None:
    document = read_properties("a.properties", FILE)
    assert texts(document) == TEXTS
    assert unchanged(document) == FILE


def test_values_are_written_as_java_reads_them() -> None:
    written = shouted(read_properties("a.properties", FILE)).decode("ascii")
    assert "title = THE DOG\n  menu.file : OPEN THE FILE\n" in written
    assert "count={0} DOGS AREN''T HERE\n" in written
    assert r"key\ with\ spaces\=x TWO\nLINES" in written
    assert r"ae=K\u00c4SE" in written
    assert written.endswith("last=THE END")


@pytest.mark.parametrize(
    ("before", "translation", "after"),
    [
        ("a=b", " ä\t\\", "a=\\ \\u00e4\\t\\\\"),
        ("a=b", "😀", "a=\\ud83d\\ude00"),
        ("a=ö\nb=x1", "ä", "a=ä\nb=x1"),
        ("a=b it's {0}", "c'est {0}", "a=c'est {0}"),
    ],
)
def test_other_letters_are_written_as_the_file_does(
    before: str, translation: str, after: str
) -> None:
    document = read_properties("a.properties", before.encode())
    assert document.rebuild([translation]).decode() == after


def test_windows_lines_and_old_encodings_stay() -> None:
    data = "a=Käse\r\nb=more \\\r\n  words\r\n".encode("cp1252")
    document = read_properties("a.properties", data)
    assert texts(document) == ["Käse", "more words"]
    assert unchanged(document) == data
    assert shouted(document) == b"a=K\\u00c4SE\r\nb=MORE WORDS\r\n"


def test_accelerators_come_back_before_the_first_letter() -> None:
    document = read_properties("a.properties", b"a=E&xit {0}\nb=R&D\nc=&File''s\n")
    assert texts(document) == ["Exit {0}", "R&D", "File''s"]
    assert shouted(document) == b"a=&EXIT {0}\nb=R&D\nc=&FILE''S\n"
