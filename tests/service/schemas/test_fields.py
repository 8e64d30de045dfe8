"""What JSON calls values, and strings that UTF-8 can carry."""

from __future__ import annotations

from typing import Any

import pytest

from service.schemas.fields import json_type, string_of
from translator.errors import InputError


def test_json_names_its_types() -> None:
    values: list[Any] = [None, {}, [], "a", True, 1, 1.5]
    names = [json_type(value) for value in values]
    assert names == ["null", "an object", "an array", "a string", "a boolean", *["a number"] * 2]


def test_a_string_must_be_one_and_fit_utf8() -> None:
    assert string_of("q", "schön 😀") == "schön 😀"
    with pytest.raises(InputError, match="q must be a string, got null"):
        string_of("q", None)
    with pytest.raises(InputError, match=r"q\[2\] has a lone surrogate, U\+D83D, at character 1"):
        string_of("q[2]", "a\ud83d")
