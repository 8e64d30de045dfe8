"""The ending of a name chooses the kind of a file, from one table."""

from __future__ import annotations

import dataclasses
import importlib
from collections import Counter

import pytest

from tests.alone import run_alone
from tests.documents import texts
from translator.documents import kinds
from translator.documents.kinds import (
    KINDS,
    FileKind,
    FileOptions,
    check_is_read,
    check_output,
    is_whole,
    kind_of,
    kinds_by_ending,
    read_file,
    whole_endings,
)
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


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "a.rst",
            r"^a\.rst: is reStructuredText, which is not read, and its markup or code would ",
        ),
        (
            "x/A.ADOC",
            r"^x/A\.ADOC: is AsciiDoc, .* would be translated as well; convert it into HTML$",
        ),
        ("a.ftl", r"is Fluent, .*; put its texts into a catalogue such as \.po or \.json$"),
        ("a.org", r"is Org, "),
        ("a.tex", r"is LaTeX, "),
        ("a.py", r"is source code, "),
        ("a.tsx", r"is source code, "),
    ],
)
def test_what_looks_like_plain_text_is_refused_by_name(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as found:
        read_file(name, b"hello")
    assert found.value.code == "unknown_kind_of_file"


def test_names_that_may_be_of_plain_text_are_not_refused() -> None:
    for name in ("-", "a", "a.txt", "rst", "train.en", "train.cs", "train.pl", "a.log", "a.ts"):
        check_is_read(name)


def test_a_kind_without_its_packages_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = dataclasses.replace(KINDS[0], modules=("no_such_module",), extra="more")
    monkeypatch.setattr(kinds, "KINDS", (lacking, *KINDS[1:]))
    assert "txt" not in kinds_by_ending()
    assert kind_of("a.txt") is lacking


def test_readers_are_loaded_when_they_are_needed() -> None:
    code = (
        "import sys, translator.documents.kinds;"
        "print(*(name for name in sys.modules if '.documents.' in name or 'zipfile' in name))"
    )
    done = run_alone(code)
    assert set(done.stdout.split()) == {
        "translator.documents.document",
        "translator.documents.kinds",
    }


PLAIN = KINDS[0]


def test_a_kind_is_available_if_its_packages_are_installed() -> None:
    assert all(kind.is_available for kind in KINDS)  # the tests' environment has them all
    assert dataclasses.replace(PLAIN, modules=("json",), extra="x").is_available
    assert not dataclasses.replace(PLAIN, modules=("no_such_module",), extra="x").is_available


def test_a_kind_without_its_packages_says_how_to_install_them() -> None:
    lacking = dataclasses.replace(PLAIN, modules=("json", "no_such_module"), extra="more")
    with pytest.raises(
        InputError, match=r"^a\.txt: Plain text needs .* `pip install '\.\[more\]'`"
    ):
        lacking.read("a.txt", b"hello", None)


def test_options_of_other_kinds_are_refused() -> None:
    with pytest.raises(InputError, match=r"^a\.txt: Plain text has no option 'columns'$"):
        PLAIN.read("a.txt", b"hello", None, FileOptions(columns=("1",)))
    PLAIN.read("a.txt", b"hello", None, FileOptions(sheet_names=False))


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"column": ["1"]}, r"column: unknown .*columns"),
        ({"columns": "1"}, r"columns: "),
        ({"sheet_names": "yes"}, r"sheet_names: "),
    ],
)
def test_unknown_and_wrong_options_are_refused(wanted: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        FileOptions.read(wanted)


def test_options_are_read() -> None:
    assert FileOptions.read({"columns": ["a", "2"], "sheet_names": True}) == FileOptions(
        columns=("a", "2"), sheet_names=True
    )
    assert FileOptions().asked == ()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.endings[0])
def test_every_kind_has_a_reader(kind: FileKind) -> None:
    module, _, function = kind.reader.rpartition(".")
    assert callable(getattr(importlib.import_module(f"translator.documents.{module}"), function))
    assert "/" in kind.media_type
    assert bool(kind.extra) == bool(kind.modules)


def test_no_ending_has_two_kinds() -> None:
    count = Counter(ending for kind in KINDS for ending in kind.endings)
    assert max(count.values()) == 1


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
