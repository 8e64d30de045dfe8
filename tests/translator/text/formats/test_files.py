"""The ending of a name chooses the reader."""

from __future__ import annotations

import importlib

import pytest

from tests.alone import run_alone
from tests.documents import texts
from translator.errors import InputError
from translator.text.formats import files
from translator.text.formats.files import FILE_FORMATS, file_format, read_file


@pytest.mark.parametrize("ending", FILE_FORMATS)
def test_every_format_has_a_reader(ending: str) -> None:
    module, _, function = FILE_FORMATS[ending].reader.rpartition(".")
    assert callable(getattr(importlib.import_module(f"translator.text.files.{module}"), function))
    assert "/" in FILE_FORMATS[ending].media_type


def test_endings_are_read_in_any_case_and_with_folders() -> None:
    assert file_format("a.b/Report.DOCX").name == "Word"
    assert texts(read_file("x/a.JSON", b'["hello"]')) == ["hello"]


def test_the_language_goes_to_those_that_name_it() -> None:
    data = b'msgid ""\nmsgstr "Language: \\n"\n'
    assert read_file("a.po", data, "de").rebuild([]) == data.replace(b": ", b": de")
    assert texts(read_file("a.txt", b"hello", "de")) == ["hello"]


@pytest.mark.parametrize("name", ["a.pdf", "a", "docx", "a.docx.exe"])
def test_other_files_are_refused(name: str) -> None:
    with pytest.raises(
        InputError, match=r"is no file that can be translated; those end in \.txt, "
    ):
        read_file(name, b"")


def test_too_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 3)
    with pytest.raises(InputError, match=r"^a\.txt: has 4 bytes, and 3 is the most; split it"):
        read_file("a.txt", b"four")


def test_readers_are_loaded_when_they_are_needed() -> None:
    code = (
        "import sys, translator.text.formats.files;"
        "print(*(name for name in sys.modules if 'text.files' in name or 'zipfile' in name))"
    )
    done = run_alone(code)
    assert done.stdout.split() == []
