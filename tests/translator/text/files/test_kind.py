"""A kind of file knows whether it can be read here."""

from __future__ import annotations

import dataclasses

import pytest

from translator.errors import InputError
from translator.text.files.all_kinds import KINDS

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
