"""Other ways to ask: numbers come back in the places of what stood for them."""

from __future__ import annotations

import pytest

from tests.small_models import small_tokenizer
from translator.pipeline.chunks import Chunk, chunks_of
from translator.pipeline.variants import Variant, variants_of
from translator.rules.writing import Replacement
from translator.tokens.tokenizer import Tokenizer

STAND_IN = Replacement(4, 9, "47", "1,200", "1,200")
SPELLED = Replacement(14, 18, "3:30", None, "3:30 PM")


def tokenizer_with_placeholders() -> Tokenizer:
    tokenizer = Tokenizer(small_tokenizer().serialized)
    tokenizer.num_placeholders = 8
    return tokenizer


def chunk() -> Chunk:
    [only] = chunks_of("Der 1.200 Hund 3.30", small_tokenizer(), "en", 100, source="de")
    return only


def test_a_stand_in_or_a_placeholder_is_read_in_the_place_of_a_number() -> None:
    tokenizer = tokenizer_with_placeholders()
    found = list(variants_of(chunk(), [STAND_IN], tokenizer, 100))
    read = [tokenizer.decode(variant.source_ids) for variant in found]
    assert [text.replace(" ", "") for text in read] == ["Der47Hund3.30", "Der\ue001Hund3.30"]
    assert [dict(variant.numbers) for variant in found] == [{"47": "1,200"}, {"\ue001": "1,200"}]


def test_what_may_stay_has_no_way_back() -> None:
    one, other = variants_of(chunk(), [STAND_IN, SPELLED], tokenizer_with_placeholders(), 100)
    assert dict(one.numbers) == {"47": "1,200"}
    assert dict(other.numbers) == {"\ue001": "1,200", "\ue002": "3:30 PM"}


def test_there_is_none_without_numbers_or_for_what_is_too_long() -> None:
    assert list(variants_of(chunk(), [], small_tokenizer(), 100)) == []
    assert list(variants_of(chunk(), [STAND_IN], small_tokenizer(), 3)) == []


@pytest.mark.parametrize(
    ("translation", "expected"),
    [
        ("The city has 47 people.", "The city has 5,592,260 people."),
        ("The city has 147 people.", None),
        ("The city has 47.5 people.", None),
        ("47 cities have 47 people.", None),
        ("The city has people.", None),
        ("the 47th", "the 5,592,260th"),
    ],
)
def test_a_stand_in_must_be_there_once(translation: str, expected: str | None) -> None:
    assert Variant((), {"47": "5,592,260"}, "en").with_numbers(translation) == expected


def test_english_ordinals_follow_the_number() -> None:
    assert Variant((), {"47": "22"}, "en").with_numbers("her 47th birthday") == "her 22nd birthday"


def test_numbers_that_stay_need_no_way_back() -> None:
    assert Variant((), {}, "de").with_numbers("um 15:30 Uhr") == "um 15:30 Uhr"
