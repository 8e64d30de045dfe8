"""The numbers of a chunk, those of its translations, and other ways to ask for it."""

from __future__ import annotations

import pytest

from tests.small_models import small_tokenizer
from translator.pipeline.chunks import Chunk, chunks_of
from translator.pipeline.numbers import NumberCheck, Variant
from translator.rules.comparison import AGREED
from translator.rules.writing import Replacement
from translator.text.characters import Alphabet
from translator.tokens.tokenizer import Tokenizer


def check(text: str, has_placeholders: bool = True, source: str = "de") -> NumberCheck:
    tokenizer = Tokenizer(small_tokenizer().serialized)
    tokenizer.num_placeholders = 8 if has_placeholders else 0
    known, scripts = frozenset([*map(chr, range(128)), *"üéö🌲"]), frozenset({"LATIN"})
    tokenizer.alphabet = Alphabet(scripts, known | {*"ÇçŠ"}, known)
    [chunk] = chunks_of(text, tokenizer, "en", 200, source=source)
    return NumberCheck(chunk, tokenizer, 200)


def test_a_translation_is_compared_as_it_will_be_written() -> None:
    one = check("Es kostet 1.200,50 Euro im Jahr.")
    assert one.wrong("It costs 1.200,50 euros a year.") == AGREED, "signs are those of English"
    assert [mention.text for mention in one.wrong("It costs 200.50 euros.").missing] == ["1.200,50"]


def test_what_placeholders_stand_for_is_not_compared() -> None:
    one = check("Siehe https://example.org/17 oder Seite 3.")
    assert one.wrong("See \ue001 or page 3.") == AGREED
    assert one.wrong("See \ue001 or page 4.") != AGREED


def test_signs_of_currencies_are_read_though_placeholders_stand_for_them() -> None:
    one = check("Der Gewinn stieg auf £20 Mio.")
    assert one.wrong("Profits rose to \ue00120m.") == AGREED
    assert one.wrong("Profits rose to \ue00120.") != AGREED
    one = check("Der Gewinn stieg auf USD 20 Mio.")
    assert one.wrong("Profits rose to \ue001 20m.") == AGREED


def test_without_placeholders_names_must_be_there_as_they_are() -> None:
    one = check("Die Nummer PG-9146308 passt nicht.", has_placeholders=False)
    assert one.wrong("The number PG-9146308 does not fit.") == AGREED
    wrong = one.wrong("The number PG-914608 does not fit.")
    assert [mention.text for mention in wrong.missing] == ["PG-9146308"]
    [variant] = one.variants(wrong)
    assert dict(variant.numbers) == {"47": "PG-9146308"}


def test_without_placeholders_sections_of_laws_may_be_spelled_out() -> None:
    one = check("Siehe § 13(2).", has_placeholders=False)
    assert one.wrong("See section 13(2).") == AGREED
    assert one.wrong("See section 14(2).") != AGREED


def test_without_placeholders_variables_and_code_must_be_there_too() -> None:
    one = check("Hallo {{name}}, rufen Sie `git status` auf.", has_placeholders=False)
    assert one.wrong("Hello {{name}}, call `git status`.") == AGREED
    wrong = one.wrong("Hello {name}, call `git status`.")
    assert [mention.text for mention in wrong.missing] == ["{{name}}"]
    assert one.flag(wrong) == "placeholders"
    [variant] = one.variants(wrong)
    assert dict(variant.numbers) == {"47": "{{name}}"}


def test_without_placeholders_names_that_cannot_be_spelled_must_be_there_too() -> None:
    one = check("Frau Żuk und Łukasz Ñuñez sind 40 und da.", has_placeholders=False)
    assert one.wrong("Ms Żuk and Łukasz Ñuñez are 40 and there.") == AGREED
    wrong = one.wrong("Ms Zuk and Łukasz Ñuñez are 40 and there.")
    assert [mention.text for mention in wrong.missing] == ["Żuk"]
    assert one.flag(wrong) == "placeholders"
    [variant] = one.variants(wrong)
    assert dict(variant.numbers) == {"47": "Żuk"}
    assert check("Das ist 🌲 naiv‽", has_placeholders=False).wrong("That is naive") == AGREED


def test_names_that_may_be_misspelled_must_be_there_as_they_are() -> None:
    one = check("Çelik, Frau Šok und Anaïs sprachen über Façons Brot.")
    assert one.wrong("Çelik, Ms Šok and \ue001 spoke about Façon's bread.") == AGREED
    wrong = one.wrong("ÇELIK, Ms Sok and \ue001 spoke about façon bread.")
    assert [mention.text for mention in wrong.missing] == ["Šok"]
    assert one.flag(wrong) == "placeholders"
    placeholder, stand_in = one.variants(wrong)
    assert dict(placeholder.numbers) == {"\ue002": "Šok"}
    assert dict(stand_in.numbers) == {"47": "Šok"}


def test_what_is_wrong_is_named() -> None:
    one = check("Es sind zwölf oder 13.")
    assert one.flag(one.wrong("It is two or 13.")) == "numbers"
    assert one.flag(one.wrong("It is twelve or 14.")) == "numbers"


def test_nothing_is_compared_where_nobody_has_said_the_languages() -> None:
    assert check("Es sind 3.", source="").wrong("It is 4.") == AGREED


def test_variants_replace_the_numbers_that_are_wrong() -> None:
    one = check("Der Hund ist 3 Jahre und 1.200 Tage alt.")
    [stand_in, placeholder] = one.variants(one.wrong("The dog is 3 years old."))
    assert dict(stand_in.numbers) == {"47": "1,200"}
    assert dict(placeholder.numbers) == {"\ue001": "1,200"}


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
    found = list(NumberCheck(chunk(), tokenizer, 100).with_replaced([STAND_IN]))
    read = [tokenizer.decode(variant.source_ids) for variant in found]
    assert [text.replace(" ", "") for text in read] == ["Der47Hund3.30", "Der\ue001Hund3.30"]
    assert [dict(variant.numbers) for variant in found] == [{"47": "1,200"}, {"\ue001": "1,200"}]


def test_what_may_stay_has_no_way_back() -> None:
    one, other = NumberCheck(chunk(), tokenizer_with_placeholders(), 100).with_replaced(
        [STAND_IN, SPELLED]
    )
    assert dict(one.numbers) == {"47": "1,200"}
    assert dict(other.numbers) == {"\ue001": "1,200", "\ue002": "3:30 PM"}


def test_there_is_none_without_numbers_or_for_what_is_too_long() -> None:
    assert list(NumberCheck(chunk(), small_tokenizer(), 100).with_replaced([])) == []
    assert list(NumberCheck(chunk(), small_tokenizer(), 3).with_replaced([STAND_IN])) == []


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
