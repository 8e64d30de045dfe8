"""A kind of file knows whether it can be read here."""

from __future__ import annotations

import dataclasses

import pytest

from translator.documents.all_kinds import KINDS
from translator.documents.kind import FileOptions
from translator.errors import InputError

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
