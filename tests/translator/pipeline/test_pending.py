"""Sentences of a text come in order, each when it and all before it are done."""

from __future__ import annotations

import dataclasses
from itertools import islice

import pytest

from tests.engines import CopyEngine
from tests.translator.pipeline.test_translator import protecting_translator
from translator.config import DecodingOptions
from translator.deadline import Deadline
from translator.engine.port import Times
from translator.engine.scheduler import EXPRESS_GROUP
from translator.errors import InputError, UnsupportedLanguageError
from translator.pipeline.options import SearchOptions
from translator.pipeline.steps import text_by_text
from translator.pipeline.translation import joined
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel
from translator.text.marked import MarkedText

TEXT = "  Der Hund.  Die Katze!\r\n\r\n\tDas Kind?\n"


def test_times_are_those_of_the_sentences(loaded: LoadedModel) -> None:
    [found] = Translator(loaded, CopyEngine()).translate([TEXT], source="de", target="en")
    assert [one.times for one in found.sentences] == [
        Times(1, 2, 4),
        Times(1, 3, 5),
        Times(1, 4, 6),
    ]
    assert found.times == Times(1, 2, 6)


def test_a_sentence_comes_before_the_next_is_done(loaded: LoadedModel) -> None:
    engine = CopyEngine(is_lazy=True)
    translator = Translator(loaded, engine)

    def answer_next() -> None:
        engine.answer(sum(future.done() for future in engine.futures))

    stream = translator.stream(
        [TEXT], source="de", target="en", deadline=Deadline(look=answer_next)
    )
    sentences = [sentence.text for _, sentence in islice(stream, 2)]
    assert sentences == ["Der Hund.", "Die Katze!"]
    assert not engine.futures[2].done()
    stream.close()
    assert engine.futures[2].cancelled()


def test_one_long_sentence_is_no_short_request(loaded: LoadedModel) -> None:
    engine = CopyEngine()
    Translator(loaded, engine).translate(["D" * 600], source="de", target="en")
    assert len(engine.group_sizes) > EXPRESS_GROUP
    assert min(engine.group_sizes) > EXPRESS_GROUP


def test_a_date_that_ends_a_sentence_keeps_its_stop(loaded: LoadedModel) -> None:
    with Translator(loaded, CopyEngine()) as translator:
        [found] = translator.translate(["Frei ab 1.9. Keine Haustiere."], source="de", target="en")
    assert found.text == "Frei ab 1.9. Keine Haustiere."


def test_sentences_that_are_done_come_in_one_batch(loaded: LoadedModel) -> None:
    engine = CopyEngine(is_lazy=True)
    texts = [MarkedText("Der Hund. Die Katze!"), MarkedText("123"), MarkedText("Das Kind?")]
    with Translator(loaded, engine).decode(texts, SearchOptions("de", "en")) as batches:
        engine.answer(0)
        assert [[number for number, _ in next(batches)]] == [[0]]
        for place in (1, 2):
            engine.answer(place)
        assert [number for number, _ in next(batches)] == [0, 0, 1, 2, 2]


def test_a_stream_within_one_language_is_the_text(loaded: LoadedModel) -> None:
    engine = CopyEngine()
    found = list(Translator(loaded, engine).stream([TEXT], source="de", target="de"))
    assert [(number, part.separator, part.text) for number, part in found] == [(0, TEXT, "")]
    assert engine.submitted == []


def test_a_stream_refuses_what_translate_refuses(loaded: LoadedModel) -> None:
    translator = Translator(loaded, CopyEngine())
    with pytest.raises(UnsupportedLanguageError, match="fr is not supported"):
        next(translator.stream(["Der Hund."], source="de", target="fr"))
    with pytest.raises(InputError, match="surrogates"):
        next(translator.stream(["Der \ud800."], source="de", target="en"))


def test_marked_spans_pass_by_the_model(loaded: LoadedModel) -> None:
    engine = CopyEngine()
    translator = protecting_translator(loaded, engine)
    text = MarkedText("Der Hund Bello Wau sieht. Die Katze Mimi.", ((9, 18), (36, 40)))
    with translator.decode([text], SearchOptions("de", "en"), is_whole=True) as batches:
        [answer] = map(joined, text_by_text(batches, 1))
    assert answer.text == text.text
    read = [translator.tokenizer.decode(ids) for ids, _ in engine.submitted]
    assert read == ["Der Hund \ue001 sieht.", "Die Katze \ue001."]


def test_candidates_have_their_scores_best_first(loaded: LoadedModel) -> None:
    translator = Translator(loaded, CopyEngine())
    text = "  Der Hund.  Die Katze!\n"
    [found] = translator.translate([text], source="de", target="en", num_alternatives=2)
    assert [one.text for one in found.candidates] == [found.text, *found.alternatives]
    assert found.text == text
    assert [one.score for one in found.candidates] == [-1, -2, -3]  # of the engine, the mean
    assert [one.log_prob for one in found.candidates] == [2 * -2, 2 * -101, 2 * -200]
    [plain] = translator.translate([text], source="de", target="en")
    assert (plain.candidates, plain.text) == ((), text)
    [number] = translator.translate(["12"], source="de", target="en", num_alternatives=2)
    assert (number.candidates, number.alternatives) == ((), ())


def test_of_equal_candidates_the_best_one_counts(loaded: LoadedModel) -> None:
    translator = Translator(loaded, CopyEngine())
    [found] = translator.translate(["a"], source="de", target="en", num_alternatives=5)
    assert len({one.text for one in found.candidates}) == len(found.candidates) < 6
    scores = [one.score for one in found.candidates]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == -1


def test_a_model_may_give_several_by_default(loaded: LoadedModel) -> None:
    several = DecodingOptions(beam_size=3, num_hypotheses=3)
    model = dataclasses.replace(
        loaded, description=dataclasses.replace(loaded.description, decoding=several)
    )
    for translator, options in (
        (Translator(model, CopyEngine()), None),
        (Translator(loaded, CopyEngine()), several),
    ):
        [found] = translator.translate(["Der Hund."], source="de", target="en", options=options)
        assert len(found.alternatives) == 2
        [one] = translator.translate(
            ["Der Hund."], source="de", target="en", options=options, num_alternatives=0
        )
        assert (one.text, one.alternatives, one.candidates) == (found.text, (), ())
