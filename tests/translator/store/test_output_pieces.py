"""The pieces that a language is written with survive being packed, and wrong ones are told."""

from __future__ import annotations

import pytest

from translator.store.output_pieces import pack, problem, unpack


@pytest.mark.parametrize("ids", [[0], [5], [0, 3, 4, 63, 64, 7999], list(range(100))])
def test_packing_keeps_what_is_there(ids: list[int]) -> None:
    assert unpack(pack(reversed(ids))) == ids


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({}, ""),
        ({"de": "1f"}, ""),
        ({"de": "1g"}, "output_pieces.de: is no hexadecimal number"),
        ({"de": "-1"}, "output_pieces.de: is no hexadecimal number"),
        ({"fr": "1f"}, "output_pieces.fr: the model knows de, en only"),
        ({"de": "1f", "en": "0"}, "output_pieces.en: must be some of the 8 pieces"),
        ({"en": "100"}, "output_pieces.en: must be some of the 8 pieces"),
    ],
)
def test_what_is_wrong_is_told(table: dict[str, str], expected: str) -> None:
    assert problem(table, ("de", "en"), 8) == expected
