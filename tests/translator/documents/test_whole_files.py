"""Files that have a form are translated as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.documents.whole_files import (
    check_output,
    is_whole,
    read_whole,
    whole_endings,
)
from translator.errors import InputError


def test_names_tell_what_is_translated_as_a_whole() -> None:
    assert is_whole("a/b.DOCX")
    assert is_whole("b.po")
    assert not is_whole("a.txt")
    assert not is_whole("a.en")
    assert not is_whole("-")
    assert {".docx", ".po", ".html"} < {*whole_endings()}
    assert ".txt" not in whole_endings()


def test_an_output_has_the_format_of_its_source() -> None:
    check_output("a.pot", "de.po")
    check_output("a.docx", "b.docx")
    check_output("a.docx", "/dev/null")
    with pytest.raises(
        InputError, match=r"^b\.odt: a translation has the format of its source; let"
    ):
        check_output("a.docx", "b.odt")


def test_a_file_is_read_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.po"
    path.write_text('msgid ""\nmsgstr "Language: \\n"\n')
    assert b"Language: de" in read_whole(path, "de").rebuild([])
