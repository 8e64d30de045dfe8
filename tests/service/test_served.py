"""The translator as the routes see it."""

from __future__ import annotations

import functools
from typing import Any, cast

import pytest

from service.served import ServedTranslator
from service.storage.cache import TranslationCache
from tests.service.conftest import FakeTranslator
from translator.config import DecodingOptions
from translator.errors import EngineOverloadedError
from translator.text.marked import MarkedText
from translator.translate.translator import Translator

PAIR: dict[str, Any] = {"source": "de", "target": "en", "timeout_s": None}


def nothing() -> None:
    pass


def served(fake: FakeTranslator, max_bytes: int = 10**6) -> ServedTranslator:
    cache = TranslationCache(max_bytes) if max_bytes else None
    return ServedTranslator(cast(Translator, fake), cache)


def test_only_what_is_new_is_translated_and_all_comes_back_in_order() -> None:
    fake = FakeTranslator()
    translator = served(fake)
    translator.translate_prepared(["b"], **PAIR, while_waiting=nothing)
    found = translator.translate_prepared(["a", "b", "c"], **PAIR, while_waiting=nothing)
    assert [translation.text for translation in found] == ["A", "B", "C"]
    again = translator.translate_prepared(["c", "a"], source="de", target="en", while_waiting=print)
    assert [translation.text for translation in again] == ["C", "A"]
    assert [call[0] for call in fake.calls] == [("b",), ("a", "c")]


@pytest.mark.parametrize(
    "other",
    [
        {"target": "pt-BR"},
        {"source": "en"},
        {"num_alternatives": 1},
    ],
)
def test_whatever_changes_a_translation_is_in_the_key(other: dict[str, Any]) -> None:
    fake = FakeTranslator()
    translator = served(fake)
    translator.translate_prepared(["a"], **PAIR, while_waiting=nothing)
    translator.translate_prepared(["a"], **{**PAIR, **other}, while_waiting=nothing)
    assert len(fake.calls) == 2


def test_spans_options_and_the_model_are_in_the_key() -> None:
    translator = served(FakeTranslator())
    greedy, beam = DecodingOptions(beam_size=1), DecodingOptions(beam_size=4)
    key = functools.partial(translator._key, "models")
    keys = {
        key("a b", {}),
        key(MarkedText("a b"), {}),
        key(MarkedText("a b", ((0, 1),)), {}),
        key("a b", {"options": greedy}),
        key("a b", {"options": beam}),
        key("a b", {"source": "x", "target": "y"}),
        key("a b", {"source": "y", "target": "x"}),
        key("a b", {"timeout_s": 5}),
    }
    assert len(keys) == 6, "a text without spans is one key, and a time limit changes nothing"
    assert translator._key("others", "a b", {}) not in keys


def test_other_models_of_a_pair_translate_anew() -> None:
    fake = FakeTranslator()
    translator = served(fake)
    for checksum in ("first", "first", "second"):
        fake.checksum = checksum
        translator.translate_prepared(["a"], **PAIR, while_waiting=nothing)
    assert len(fake.calls) == 2


def test_texts_with_separators_of_any_kind_do_not_collide() -> None:
    translator = served(FakeTranslator())
    for text in ("a|b", "a", "a\0b", "a,b"):
        [found] = translator.translate_prepared([text], **PAIR, while_waiting=nothing)
        assert found.text == text.upper()


def test_an_error_is_not_kept() -> None:
    fake = FakeTranslator()
    translator = served(fake)
    fake.error = EngineOverloadedError("full")
    with pytest.raises(EngineOverloadedError):
        translator.translate_prepared(["a"], **PAIR, while_waiting=nothing)
    fake.error = None
    [found] = translator.translate_prepared(["a"], **PAIR, while_waiting=nothing)
    assert found.text == "A"


def test_without_a_cache_everything_is_translated() -> None:
    fake = FakeTranslator()
    translator = served(fake, max_bytes=0)
    for _ in range(2):
        translator.translate_prepared(["a"], **PAIR, while_waiting=nothing)
    assert len(fake.calls) == 2
    assert translator.languages is fake.languages, "what it does not know is the translator's own"
