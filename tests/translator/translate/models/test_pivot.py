"""Two legs, with translators that only mark what they have read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from translator.text.marked import MarkedText
from translator.translate.models.pivot import carried, stream_on, translate_on
from translator.translate.translation import SentenceTranslation, Translation, WrongNumbers

SENTENCES = (
    SentenceTranslation(
        separator="- ", source="Eins.", text="one.", score=-1.0, finish_reasons=("eos",)
    ),
    SentenceTranslation(
        separator="\n\n",
        source="Zwei, lang.",
        text="two, long.",
        score=-2.0,
        finish_reasons=("eos", "length"),
        flags=("retried",),
    ),
    SentenceTranslation(separator=" ", source="日本", text="日本"),
)
LEGS = (("de", "en"), ("en", "fr"))
TEXT = "- Eins.\n\nZwei, lang. 日本\n"
FIRST = Translation(
    text="- one.\n\ntwo, long. 日本\n",
    score=-5 / 3,
    finish_reasons=("eos", "eos", "length"),
    flags=("retried",),
    sentences=SENTENCES,
)


def second_leg(units: Sequence[MarkedText]) -> list[Translation]:
    return [
        Translation(
            text=unit.text.upper(),
            score=-0.5,
            finish_reasons=("eos",),
            flags=("copied",) if "long" in unit.text else (),
            alternatives=(f"{unit.text.upper()} 1",) * ("long" in unit.text),
        )
        for unit in units
    ]


def test_sentences_and_separators_are_those_of_the_source() -> None:
    [found] = translate_on([MarkedText(TEXT)], [FIRST], second_leg, legs=LEGS)
    assert found.text == "- ONE.\n\nTWO, LONG. 日本\n"
    assert [one.source for one in found.sentences] == ["Eins.", "Zwei, lang.", "日本"]
    assert [one.text for one in found.sentences] == ["ONE.", "TWO, LONG.", "日本"]


def test_what_both_legs_say_is_told() -> None:
    [found] = translate_on([MarkedText(TEXT)], [FIRST], second_leg, legs=LEGS)
    assert found.via == "en"
    assert [one.via for one in found.sentences] == ["en", "en", ""], "no model has read the last"
    assert [one.score for one in found.sentences] == [-1.5, -2.5, None]
    assert found.score == pytest.approx((2 * -1.5 + 3 * -2.5) / 5)
    assert found.flags == ("copied", "retried")
    assert found.sentences[0].finish_reasons == ("eos", "eos")
    assert found.sentences[1].finish_reasons == ("eos", "length", "eos")


def test_alternatives_are_those_of_the_second_leg() -> None:
    [found] = translate_on([MarkedText(TEXT)], [FIRST], second_leg, LEGS, num_alternatives=3)
    assert found.alternatives == ("- ONE.\n\nTWO, LONG. 1 日本\n",), "each only once"


def test_a_text_that_no_model_has_read_has_gone_nowhere() -> None:
    nothing = Translation(text="1, 2, 3")
    [found] = translate_on([MarkedText("1, 2, 3")], [nothing], second_leg, legs=LEGS)
    assert found == nothing


def test_a_stream_tells_the_same_in_groups_that_grow() -> None:
    groups = list[list[str]]()

    def noting(units: Sequence[MarkedText]) -> list[Translation]:
        groups.append([unit.text for unit in units])
        return second_leg(units)

    last = SentenceTranslation(separator="\n", source="", text="")
    told = [(number, one) for number in range(3) for one in (*SENTENCES, last)]
    units = [MarkedText(TEXT)] * 3
    found = list(stream_on(units, iter(told), noting, legs=LEGS))
    [expected] = translate_on(units[:1], [FIRST], second_leg, legs=LEGS)
    for number in range(3):
        own = [one for place, one in found if place == number]
        assert tuple(own[:-1]) == expected.sentences
        assert own[-1] == last
    assert groups[0] == ["one."], "the first sentence is not kept waiting"
    assert sum(map(len, groups)) == 6
    assert len(groups[-1]) > 1


def test_a_stream_asks_for_no_more_than_it_needs() -> None:
    taken = list[int]()

    def told() -> Iterator[tuple[int, SentenceTranslation]]:
        for place in range(3):
            taken.append(place)
            yield 0, SENTENCES[0]

    stream = stream_on([MarkedText(TEXT)], told(), second_leg, legs=LEGS)
    next(stream)
    assert taken == [0]


def test_spans_are_carried_from_leg_to_leg() -> None:
    text = "Nimm `a` und <b>."
    unit = MarkedText(text, ((5, 8), (13, 16)))
    first = Translation(
        text="<b> and `a` take.",
        sentences=(
            SentenceTranslation(
                separator="", source=text, text="<b> and `a` take.", finish_reasons=("eos",)
            ),
        ),
    )
    seen = list[MarkedText]()

    def noting(units: Sequence[MarkedText]) -> list[Translation]:
        seen.extend(units)
        return second_leg(units)

    translate_on([unit], [first], noting, legs=LEGS)
    assert seen == [MarkedText("<b> and `a` take.", ((0, 3), (8, 11)))]


@pytest.mark.parametrize(
    ("known", "text", "spans"),
    [
        ([], "a b", ()),
        (["x"], "a b", ()),
        (["x", "x"], "x x x", ((0, 1), (2, 3))),  # as many as there were
        (["x", "xy"], "xy x", ((0, 2), (3, 4))),  # the longest first
        (["a", "b"], "ab", ((0, 2),)),  # what touches is one span
        (["<\U000f0001></\U000f0001>"], "<\U000f0001>a</\U000f0001>", ((0, 3), (4, 8))),
    ],
)
def test_verbatim_spans_are_found_in_a_translation(
    known: list[str], text: str, spans: tuple[tuple[int, int], ...]
) -> None:
    assert carried(known, text) == spans


@pytest.mark.parametrize(("target", "text"), [("fr", "ONE. TWO."), ("ja", "ONE.TWO.")])
def test_a_space_that_the_language_between_needs_is_left_out_where_none_is(
    target: str, text: str
) -> None:
    first = Translation(
        text="one. two.",
        sentences=(
            SentenceTranslation(separator="", source="一。", text="one. ", finish_reasons=("eos",)),
            SentenceTranslation(separator="", source="二。", text="two.", finish_reasons=("eos",)),
        ),
    )
    legs = (("zh", "en"), ("en", target))
    [found] = translate_on([MarkedText("一。二。")], [first], second_leg, legs)
    assert found.text == text


def test_wrong_numbers_of_both_legs_are_told() -> None:
    first = Translation(
        text="58",
        sentences=(
            SentenceTranslation(
                separator="",
                source="Es sind 85.",
                text="It is 58.",
                finish_reasons=("eos",),
                flags=("numbers",),
                numbers=WrongNumbers(("85",), ("58",)),
            ),
        ),
    )

    def second(units: Sequence[MarkedText]) -> list[Translation]:
        own = SentenceTranslation(
            separator="", source="It is 58.", text="Ce sont 59.", numbers=WrongNumbers(("58",), ())
        )
        return [Translation(text=own.text, sentences=(own,)) for _ in units]

    [found] = translate_on([MarkedText("Es sind 85.")], [first], second, LEGS)
    assert found.sentences[0].numbers == WrongNumbers(("85", "58"), ("58",))
    assert found.flags == ("numbers",)
