"""One table of all kinds of files chooses the reader by the ending of a name."""

from __future__ import annotations

import dataclasses

import pytest

from tests.alone import run_alone
from tests.documents import texts
from translator.documents import kinds
from translator.documents.all_kinds import KINDS
from translator.documents.kinds import kind_of, kinds_by_ending, read_file
from translator.errors import InputError


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


def test_a_kind_without_its_packages_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = dataclasses.replace(KINDS[0], modules=("no_such_module",), extra="more")
    monkeypatch.setattr(kinds, "KINDS", (lacking, *KINDS[1:]))
    assert "txt" not in kinds_by_ending()
    assert kind_of("a.txt") is lacking


def test_too_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "MAX_FILE_BYTES", 3)
    with pytest.raises(InputError, match=r"^a\.txt: has 4 bytes, and 3 is the most; split it"):
        read_file("a.txt", b"four")


def test_readers_are_loaded_when_they_are_needed() -> None:
    code = (
        "import sys, translator.documents.kinds;"
        "print(*(name for name in sys.modules if '.documents.' in name or 'zipfile' in name))"
    )
    done = run_alone(code)
    assert sorted(done.stdout.split()) == [
        f"translator.documents.{name}" for name in ("all_kinds", "kind", "kinds")
    ]
