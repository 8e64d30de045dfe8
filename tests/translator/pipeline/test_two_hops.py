"""Two hops, with translators that only mark what they have read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from tests.fake_models import FakeModel
from translator.deadline import NO_DEADLINE, Deadline
from translator.pipeline.face import Lease
from translator.pipeline.options import SearchOptions, TextOptions
from translator.pipeline.pivot import carried
from translator.pipeline.texts import stream_texts, translate_texts
from translator.pipeline.translation import SentenceTranslation, Translation, WrongNumbers, joined
from translator.text.glossary import Glossary
from translator.text.marked import MarkedText

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
TEXT = "- Eins.\n\nZwei, lang. 日本\n"


class First(FakeModel):
    """Has learned what it says of any text."""

    def __init__(self, sentences: Sequence[SentenceTranslation], tail: str = "") -> None:
        self.sentences, self.tail = sentences, tail

    def sentences_of(
        self, text: MarkedText, options: SearchOptions
    ) -> Iterator[SentenceTranslation]:
        yield from self.sentences
        yield SentenceTranslation(separator=self.tail, source="", text="")


class Second(FakeModel):
    """Marks what it has read."""

    def __init__(self) -> None:
        self.read = list[list[MarkedText]]()

    @contextmanager
    def decode(self, texts, options, deadline=NO_DEADLINE, *, is_whole=False, on_step=None):  # type: ignore[no-untyped-def]
        self.read.append(list(texts))
        with super().decode(texts, options, deadline, is_whole=is_whole) as batches:
            yield batches

    def sentences_of(
        self, text: MarkedText, options: SearchOptions
    ) -> Iterator[SentenceTranslation]:
        is_long, upper = "long" in text.text, text.text.upper()
        yield SentenceTranslation(
            separator="",
            source=text.text,
            text=upper,
            score=-0.5,
            finish_reasons=("eos",),
            flags=("copied",) if is_long else (),
        )
        others = (f"{upper} 1",) if is_long and options.num_alternatives else ()
        yield SentenceTranslation(separator="", source="", text="", alternatives=others)


class Pivot(FakeModel):
    """Goes through two models."""

    def __init__(self, first: FakeModel, second: FakeModel, via: str = "en") -> None:
        self.first, self.second, self.via = first, second, via

    @contextmanager
    def lease(
        self, source: str, target: str, deadline: Deadline = NO_DEADLINE, *, has_form: bool = False
    ) -> Iterator[Sequence[Lease]]:
        yield Lease(source, self.via, self.first), Lease(self.via, target, self.second)


def translated(
    first: FakeModel, second: FakeModel | None = None, text: str = TEXT, **options: object
) -> Translation:
    wanted = TextOptions(**{"source": "de", "target": "fr", **options})  # type: ignore[arg-type]
    [found] = translate_texts(Pivot(first, second or Second()), [text], wanted)
    return found


def test_sentences_and_separators_are_those_of_the_source() -> None:
    found = translated(First(SENTENCES, "\n"))
    assert found.text == "- ONE.\n\nTWO, LONG. 日本\n"
    assert [one.source for one in found.sentences] == ["Eins.", "Zwei, lang.", "日本"]
    assert [one.text for one in found.sentences] == ["ONE.", "TWO, LONG.", "日本"]


def test_what_both_legs_say_is_told() -> None:
    found = translated(First(SENTENCES, "\n"))
    assert found.via == "en"
    assert [one.via for one in found.sentences] == ["en", "en", ""], "no model has read the last"
    assert [one.score for one in found.sentences] == [-1.5, -2.5, None]
    assert found.score == pytest.approx((2 * -1.5 + 3 * -2.5) / 5)
    assert found.flags == ("copied", "retried")
    assert found.sentences[0].finish_reasons == ("eos", "eos")
    assert found.sentences[1].finish_reasons == ("eos", "length", "eos")


def test_alternatives_are_those_of_the_second_leg() -> None:
    found = translated(First(SENTENCES, "\n"), num_alternatives=3)
    assert found.alternatives == ("- ONE.\n\nTWO, LONG. 1 日本\n",), "each only once"


def test_a_text_that_no_model_has_read_has_gone_nowhere() -> None:
    assert translated(First((), "1, 2, 3"), text="1, 2, 3") == Translation(text="1, 2, 3")


def test_a_stream_tells_the_same_and_does_not_keep_the_first_sentence_waiting() -> None:
    second = Second()
    options = TextOptions(source="de", target="fr")
    stream = stream_texts(Pivot(First(SENTENCES, "\n"), second), [TEXT] * 3, options)
    first = next(stream)
    assert second.read == [[MarkedText("one.")]]
    told = [first, *stream]
    for number in range(3):
        sentences = [sentence for place, sentence in told if place == number]
        assert joined(sentences) == translated(First(SENTENCES, "\n"))


def test_spans_are_carried_from_leg_to_leg() -> None:
    text = "Nimm `a` und Hund."
    first = SentenceTranslation(
        separator="",
        source="Nimm `a` und chien.",
        text="chien and `a` take.",
        finish_reasons=("eos",),
    )
    second = Second()
    glossary = Glossary(pairs={"Hund": "chien"}, keep=("`a`",))
    translated(First([first]), second, text, glossary=glossary)
    assert second.read == [[MarkedText("chien and `a` take.", ((0, 5), (10, 13)))]]


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
    first = [
        SentenceTranslation(separator="", source="一。", text="one. ", finish_reasons=("eos",)),
        SentenceTranslation(separator="", source="二。", text="two.", finish_reasons=("eos",)),
    ]
    assert translated(First(first), None, "一。二。", source="zh", target=target).text == text


class Wrong(Second):
    """Has a number wrong."""

    def sentences_of(
        self, text: MarkedText, options: SearchOptions
    ) -> Iterator[SentenceTranslation]:
        yield SentenceTranslation(
            separator="",
            source=text.text,
            text="Ce sont 59.",
            finish_reasons=("eos",),
            numbers=WrongNumbers(("58",), ()),
        )
        yield SentenceTranslation(separator="", source="", text="")


def test_wrong_numbers_of_both_legs_are_told() -> None:
    first = SentenceTranslation(
        separator="",
        source="Es sind 85.",
        text="It is 58.",
        finish_reasons=("eos",),
        flags=("numbers",),
        numbers=WrongNumbers(("85",), ("58",)),
    )
    found = translated(First([first]), Wrong(), "Es sind 85.")
    assert found.sentences[0].numbers == WrongNumbers(("85", "58"), ("58",))
    assert found.flags == ("numbers",)
