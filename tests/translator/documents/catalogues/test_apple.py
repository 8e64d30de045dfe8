"""Catalogues of Apple's systems keep their keys, their comments and their encoding."""

from __future__ import annotations

import codecs

import pytest

from tests.documents import shouted, texts, unchanged
from translator.documents.catalogues.apple import read_strings

FILE = r"""/* Title; "of" = "the window"; */
"title" = "The dog";
// a note
key = "Say \"hello\"\nto %@";
"A \"b\"" = "caf\U00e9";
"number"="12";
"alone";
"""


def test_values_are_units_and_nothing_else() -> None:
    document = read_strings("a.strings", FILE.encode())
    assert texts(document) == ["The dog", 'Say "hello"\nto %@', "café"]
    assert unchanged(document) == FILE.encode()
    written = shouted(document).decode()
    assert '\n"title" = "THE DOG";\n' in written
    assert r'key = "SAY \"HELLO\"\nTO %@";' in written
    assert r'"A \"b\"" = "CAFÉ";' in written


def test_files_in_utf_16_stay_so() -> None:
    data = codecs.BOM_UTF16_LE + FILE.encode("utf-16-le")
    document = read_strings("a.strings", data)
    assert unchanged(document) == data
    assert shouted(document).startswith(codecs.BOM_UTF16_LE)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_breaks_stay_as_they_were_typed(newline: str) -> None:
    data = f'"a" = "One{newline}two";{newline}"b" = "One\\ntwo";'.encode()
    written = shouted(read_strings("a.strings", data))
    assert written == data.replace(b"One", b"ONE").replace(b"two", b"TWO")
