"""Tags of OPUS-MT's models tell the languages that they translate to."""

from __future__ import annotations

from translator.store.imports.tags import tags_and_pairs


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
