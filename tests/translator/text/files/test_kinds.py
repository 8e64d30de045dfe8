"""One table of all kinds of files chooses the reader by the ending of a name."""

from __future__ import annotations

import dataclasses
import importlib
from collections import Counter

import pytest

from tests.alone import run_alone
from tests.documents import texts
from translator.errors import InputError
from translator.text.files import kinds
from translator.text.files.kinds import KINDS, FileKind, kind_of, kinds_by_ending, read_file


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.endings[0])
def test_every_kind_has_a_reader_and_says_what_it_does(kind: FileKind) -> None:
    module, _, function = kind.reader.rpartition(".")
    assert callable(getattr(importlib.import_module(f"translator.text.files.{module}"), function))
    assert "/" in kind.media_type
    assert kind.translated
    assert kind.stays
    assert bool(kind.extra) == bool(kind.modules)


def test_no_ending_has_two_kinds() -> None:
    count = Counter(ending for kind in KINDS for ending in kind.endings)
    assert max(count.values()) == 1
    assert {*count} == {*kinds_by_ending()}  # in the tests' environment nothing is missing


def test_endings_are_read_in_any_case_and_with_folders() -> None:
    kind = kind_of("a.b/Report.DOCX")
    assert kind is not None
    assert kind.name == "Word"
    assert kind_of("a.b/Report") is None
    assert texts(read_file("x/a.JSON", b'["hello"]')) == ["hello"]


def test_the_language_goes_to_those_that_name_it() -> None:
    data = b'msgid ""\nmsgstr "Language: \\n"\n'
    assert read_file("a.po", data, "de").rebuild([]) == data.replace(b": ", b": de")
    assert texts(read_file("a.txt", b"hello", "de")) == ["hello"]


@pytest.mark.parametrize("name", ["a.exe", "a", "docx", "a.docx.exe"])
def test_other_files_are_refused(name: str) -> None:
    with pytest.raises(
        InputError, match=r"is no file that can be translated; those end in \.txt, "
    ):
        read_file(name, b"")


def test_a_kind_without_its_packages_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lacking = dataclasses.replace(KINDS[0], modules=("json", "no_such_module"), extra="more")
    monkeypatch.setattr(kinds, "KINDS", (lacking, *KINDS[1:]))
    assert "txt" not in kinds_by_ending()
    with pytest.raises(
        InputError, match=r"^a\.txt: Plain text needs .* `pip install '\.\[more\]'`"
    ):
        read_file("a.txt", b"hello")


def test_too_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "MAX_FILE_BYTES", 3)
    with pytest.raises(InputError, match=r"^a\.txt: has 4 bytes, and 3 is the most; split it"):
        read_file("a.txt", b"four")


def test_readers_are_loaded_when_they_are_needed() -> None:
    code = (
        "import sys, translator.text.files.kinds;"
        "print(*(name for name in sys.modules if 'text.files.' in name or 'zipfile' in name))"
    )
    done = run_alone(code)
    assert done.stdout.split() == ["translator.text.files.kinds"]
