"""A translation says of each of its sentences what it says of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.engines import CopyEngine
from translator.pipeline.translation import (
    SentenceStream,
    SentenceTranslation,
    Translation,
    joined,
)
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel


def sentence(separator: str, source: str, text: str, **more: Any) -> SentenceTranslation:
    return SentenceTranslation(separator=separator, source=source, text=text, **more)


def test_a_translation_has_its_sentences(loaded: LoadedModel) -> None:
    translator = Translator(loaded, CopyEngine())
    [answer] = translator.translate(["- Der Hund.\n  Die Katze.\n"], source="de", target="en")
    assert answer.sentences == tuple(
        SentenceTranslation(
            separator=separator, source=text, text=text, score=-1.0, finish_reasons=("eos",)
        )
        for separator, text in (("- ", "Der Hund."), ("\n  ", "Die Katze."))
    )


def test_sentences_are_joined_to_a_translation() -> None:
    found = joined(
        [
            sentence("", "a", "A", score=-1.0, finish_reasons=("eos",), terms=("a",)),
            sentence(
                " ", "b", "B", score=-4.0, finish_reasons=("eos", "length"), flags=("copied",)
            ),
            sentence("\n", "1", "1"),
            sentence("!", "", ""),
        ]
    )
    assert found.text == "A B\n1!"
    assert found.score == pytest.approx(-3.0)
    assert found.finish_reasons == ("eos", "eos", "length")
    assert (found.flags, found.terms, len(found.sentences)) == (("copied",), ("a",), 3)
    assert joined([sentence("x", "", "")]) == Translation(text="x")


def test_the_end_of_a_stream_gives_up_the_rest_as_does_an_error() -> None:
    closed: list[str] = []
    stream = SentenceStream(iter([(0, sentence("", "a", "A"))]), lambda: closed.append("end"))
    assert [number for number, _ in stream] == [0]
    assert closed == ["end"]

    def failing() -> Iterator[tuple[int, SentenceTranslation]]:
        raise ValueError("late")
        yield

    with pytest.raises(ValueError, match="late"):
        next(SentenceStream(failing(), lambda: closed.append("error")))
    assert closed == ["end", "error"]
