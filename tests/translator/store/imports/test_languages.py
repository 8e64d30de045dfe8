"""Codes of other projects, and this project's."""

from __future__ import annotations

import pytest

from translator.store.imports.languages import own_code, own_codes, tags_and_pairs


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


def test_a_model_without_tags_has_the_pair_that_it_is_said_to_have() -> None:
    assert tags_and_pairs(["</s>", "a"], ("deu", "eng")) == ({}, [("de", "en")])


def test_tags_tell_the_targets_and_the_name_the_sources() -> None:
    pieces = ["</s>", ">>fra<<", ">>cmn_Hant<<", ">>deu<<", ">>", "a"]
    by_code, pairs = tags_and_pairs(pieces, ("deu+eng", "mul"))
    assert by_code == {"fr": ">>fra<<", "zh-Hant": ">>cmn_Hant<<", "de": ">>deu<<"}
    assert pairs == [
        ("de", "fr"),
        ("de", "zh-Hant"),
        ("en", "fr"),
        ("en", "zh-Hant"),
        ("en", "de"),
    ]
