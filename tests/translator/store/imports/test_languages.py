"""Codes of other projects, and this project's."""

from __future__ import annotations

import pytest

from translator.store.imports.languages import own_code, own_codes


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("de", "de"),
        ("deu", "de"),
        ("deu_Latn", "de"),
        ("zho_Hans", "zh"),
        ("zho_Hant", "zh-Hant"),
        ("cmn_Hant", "zh-Hant"),
        ("srp_Cyrl", "sr"),
        ("srp_Latn", "sr-Latn"),
        ("kor_Hang", "ko"),
        ("pt_br", "pt-BR"),
        ("arb_Arab", "ar"),
        ("ROMANCE", "ROMANCE"),
    ],
)
def test_codes_become_our_own(theirs: str, ours: str) -> None:
    assert own_code(theirs) == ours


def test_of_two_with_one_name_the_first_has_it() -> None:
    assert own_codes(["arb", "arb_Arab"]) == {"ar": "arb", "arb_Arab": "arb_Arab"}
