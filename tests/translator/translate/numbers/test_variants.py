"""Other ways to ask: numbers come back in the places of what stood for them."""

from __future__ import annotations

import pytest

from tests.small_models import small_tokenizer
from translator.text.numbers.writing import Replacement
from translator.tokens.chunks import chunks_of
from translator.translate.numbers.variants import Variant, variants_of


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
