"""The public face: what goes around the sentences comes back, and nothing is lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from tests.engines import CopyEngine
from tests.toy import toy_pairs
from training.config import SubwordsConfig
from training.data.subwords import train_tokenizer
from translator.config import MAX_BEAM_SIZE, DecodingOptions
from translator.deadline import Deadline
from translator.engine.native import NativeEngine
from translator.engine.scheduler import Scheduler, SchedulerConfig
from translator.errors import (
    DeadlineExceededError,
    EngineClosedError,
    EngineOverloadedError,
    InputError,
    UnsupportedLanguageError,
)
from translator.pipeline.options import SearchOptions
from translator.pipeline.steps import text_by_text
from translator.pipeline.translation import Language, joined
from translator.pipeline.translator import Translator
from translator.runtime.arrange import arrange
from translator.runtime.eager import EagerRuntime
from translator.search.hypothesis import Hypothesis
from translator.store.model_directory import LoadedModel
from translator.text.characters import symbols
from translator.text.marked import MarkedText
from translator.tokens.port import SpecialIds

TEXTS = [
    *("", "   ", "\n\n\t\r\n", "😀 123 --- !!!", "Der Hund sieht die Katze."),
    "  Der Hund.  Die Katze!\r\n\r\n\tDas Kind?\n",
    *("- Der Mann\n- Die Frau\n\n  1. Das Pferd 😀\n", "Der Hund\u2028die Katze\x0cdas Kind"),
    "漢字かな。 Der Hund",
    "DER HUND UND DIE KATZE, " * 50 + "DAS KIND.",
]


@pytest.fixture
def copier(loaded: LoadedModel) -> tuple[Translator, CopyEngine]:
    engine = CopyEngine()
    return Translator(loaded, engine), engine


@pytest.fixture
def translator(loaded: LoadedModel) -> Iterator[Translator]:
    with Translator.from_model(loaded, threads=1) as translator:
        yield translator


CODE = [
    "Führe `cat Datei | grep  Wort` aus. Der ``Hund | da``.",
    "Der Hund.\n````md\n```sh\nder Hund\n```\n````\nDie Katze.",
    "Der Hund.\n  ~~~\nDie Katze ```das Kind",
    "Der `✓` Hund super👍gut. Die print('😀')",
    "Der \ue001 Hund {0} \ue002",
]


@pytest.mark.parametrize("text", CODE[:3] + CODE[4:])
def test_code_comes_back_whole(
    protecting: tuple[Translator, CopyEngine], copier: tuple[Translator, CopyEngine], text: str
) -> None:
    for translator, _ in (protecting, copier):
        [answer] = translator.translate([text], source="de", target="en")
        assert answer.text == text


def test_code_and_emoji_are_told_apart(protecting: tuple[Translator, CopyEngine]) -> None:
    translator, engine = protecting
    [answer] = translator.translate([CODE[3]], source="de", target="en")
    assert answer.text.startswith("Der `✓` Hund super 👍 gut. Die print")
    assert len(engine.submitted) == 2


@pytest.mark.parametrize("text", TEXTS)
def test_a_copying_engine_gives_back_every_byte(
    copier: tuple[Translator, CopyEngine], text: str
) -> None:
    [answer] = copier[0].translate([text], source="de", target="en")
    assert answer.text == text


def test_text_without_letters_never_reaches_the_engine(
    copier: tuple[Translator, CopyEngine],
) -> None:
    translator, engine = copier
    answers = translator.translate(TEXTS[:4], source="de", target="en")
    assert [answer.text for answer in answers] == TEXTS[:4]
    assert engine.submitted == []
    assert answers[0].score is None
    assert answers[0].finish_reasons == ()


def test_sentences_are_submitted_with_tag_and_eos(copier: tuple[Translator, CopyEngine]) -> None:
    translator, engine = copier
    translator.translate(["Der Hund. Die Katze."], source="de", target="en")
    tokenizer = translator.tokenizer
    assert [ids for ids, _ in engine.submitted] == [
        tokenizer.encode_source("Der Hund.", "en"),
        tokenizer.encode_source("Die Katze.", "en"),
    ]


def test_identity_needs_no_engine(copier: tuple[Translator, CopyEngine]) -> None:
    translator, engine = copier
    [answer] = translator.translate(["Der Hund."], source="de", target="de")
    assert answer.text == "Der Hund."
    assert engine.submitted == []


def test_an_overlong_sentence_is_split_and_nothing_is_lost(
    copier: tuple[Translator, CopyEngine],
) -> None:
    translator, engine = copier
    text = "der Hund und die Katze, " * 50 + "3 + 4 = 7 " * 60 + "x" * 500 + "."
    [answer] = translator.translate([text], source="de", target="en")
    assert answer.text == text
    assert len(engine.submitted) > 10
    assert max(len(ids) for ids, _ in engine.submitted) <= translator.description.max_source_ids


def test_emoji_inside_a_sentence_are_put_behind_it(copier: tuple[Translator, CopyEngine]) -> None:
    translator, engine = copier
    text = "Der Hund 🐶 sieht ❤️ die Katze. 😀 Das Kind."
    [answer] = translator.translate([text], source="de", target="en")
    assert answer.text == "Der Hund sieht die Katze. 🐶 ❤️ 😀 Das Kind."
    assert len({tuple(ids) for ids, _ in engine.submitted}) == 2


def protecting_translator(loaded: LoadedModel, engine: CopyEngine) -> Translator:
    """Return a translator whose vocabulary has placeholders."""
    lines = [line for pair in toy_pairs(300, random.Random(0)) for line in pair]
    config = SubwordsConfig(vocab_size=338, placeholders=8)
    tokenizer = train_tokenizer(lines, ["de", "en"], config)
    return Translator(replace(loaded, tokenizer=tokenizer), engine)


@pytest.fixture
def protecting(loaded: LoadedModel) -> tuple[Translator, CopyEngine]:
    engine = CopyEngine()
    return protecting_translator(loaded, engine), engine


def test_what_is_not_language_passes_by_the_model(
    protecting: tuple[Translator, CopyEngine],
) -> None:
    translator, engine = protecting
    text = "Der Hund {0} sieht `x.y`. https://a.b/c\n- <b>Die</b> Katze."
    [answer] = translator.translate([text], source="de", target="en")
    assert answer.text == text
    one, two, three = symbols(3)
    assert [translator.tokenizer.decode(ids) for ids, _ in engine.submitted] == [
        f"Der Hund {one} sieht {two}. {three}",
        f"{one} Die{two} Katze.",
    ]


def test_no_placeholder_is_lost_in_an_overlong_sentence(
    protecting: tuple[Translator, CopyEngine],
) -> None:
    translator, engine = protecting
    text = "der Hund {0} und, " * 30 + "`die Katze`."
    [answer] = translator.translate([text], source="de", target="en")
    assert answer.text == text
    assert max(len(ids) for ids, _ in engine.submitted) <= translator.description.max_source_ids


def test_what_a_model_leaves_out_comes_back_all_the_same(
    protecting: tuple[Translator, CopyEngine],
) -> None:
    translator, _ = protecting
    options = DecodingOptions(num_hypotheses=4, beam_size=4)
    [answer] = translator.translate(
        ["{0} ist da."], source="de", target="en", options=options, num_alternatives=3
    )
    assert answer.text == "{0} ist da."
    assert answer.flags == ()
    assert all(text.count("{0}") == 1 for text in answer.alternatives)


def test_a_placeholder_that_is_left_out_is_searched_for_once_more(loaded: LoadedModel) -> None:
    translator = protecting_translator(loaded, CirclingEngine())
    [answer] = translator.translate(["{0} ist da."], source="de", target="en")
    assert answer.text.endswith(" {0}")
    assert answer.flags == ("placeholders", "repetition", "retried")


def test_a_wrapped_sentence_is_read_whole_and_wrapped_again(loaded: LoadedModel) -> None:
    engine = CopyEngine()
    patient = replace(loaded, description=replace(loaded.description, max_source_ids=200))
    translator = Translator(patient, engine)
    wrapped = (
        "- Der Hund sieht die Katze und das Pferd und auch das Kind und\r\n"
        "  dann sieht er noch den Mann und die Frau. Das Kind sieht den\r\n"
        "  Hund."
    )
    [answer] = translator.translate([wrapped], source="de", target="en")
    assert answer.text == wrapped
    sources = {tuple(source_ids) for source_ids, _ in engine.submitted}
    assert len(sources) == 2, "two sentences, not three lines"


def test_what_has_more_spans_than_there_are_placeholders_is_cut(
    protecting: tuple[Translator, CopyEngine],
) -> None:
    translator, engine = protecting
    line = "Der Hund <b>sieht</b> {0} und <i>die Katze</i> und das Pferd dann auch und"
    wrapped = f"{line}\n  {line.lower()}\n  {line.lower()}"
    text = f"- {wrapped}"
    [answer] = translator.translate([text], source="de", target="en")
    assert answer.text == text
    assert not any(
        "<" in translator.tokenizer.decode(ids) or "{" in translator.tokenizer.decode(ids)
        for ids, _ in engine.submitted
    )


@pytest.mark.parametrize(
    "text",
    [
        "Nimm `a`/`b`/`c`/`d`/`e`/`f`/`g`/😀 und dann `x` Hund.",
        "NIMM {1} {2} {3} {4} {5} ODER {6} {7} {8} {9} UND {10} {11} {12} {13} DEN HUND.",
    ],
)
def test_pieces_of_a_sentence_come_together_again(
    protecting: tuple[Translator, CopyEngine], text: str
) -> None:
    translator, engine = protecting
    [answer] = translator.translate([text], source="de", target="en")
    assert answer.text == text
    sources = [translator.tokenizer.decode(ids) for ids, _ in engine.submitted]
    assert len(sources) == 2
    assert not any(word in source for source in sources for word in ("NIMM", "ODER", "UND"))


def test_a_form_feed_ends_a_line(copier: tuple[Translator, CopyEngine]) -> None:
    translator, engine = copier
    text = "Der Hund sieht die Katze und das Pferd und auch das Kind und\x0c\ndann den Mann."
    [answer] = translator.translate([text], source="de", target="en")
    assert answer.text == text
    assert not any("\x0c" in translator.tokenizer.decode(ids) for ids, _ in engine.submitted)


def test_capitals_are_translated_in_small_letters(
    protecting: tuple[Translator, CopyEngine],
) -> None:
    translator, engine = protecting
    text = "DER HUND SIEHT `die KATZE`! USB. Der HUND."
    with translator.decode([MarkedText(text)], SearchOptions("de", "en"), is_whole=True) as batches:
        [answer] = map(joined, text_by_text(batches, 1))
    assert answer.text == text
    decode = translator.tokenizer.decode
    sources = [decode(ids) for ids, _ in engine.submitted]
    assert sources == [f"Der Hund sieht {symbols(1)[0]}!", "Usb.", "Der HUND."]


def test_cells_of_a_table_are_translated_one_by_one(copier: tuple[Translator, CopyEngine]) -> None:
    translator, engine = copier
    text = "| Der Hund | die Katze |\n|---|---|\n| 1 | das Kind |\n"
    [answer] = translator.translate([text], source="de", target="en")
    assert answer.text == text
    decode = translator.tokenizer.decode
    assert [decode(ids) for ids, _ in engine.submitted] == ["Der Hund", "die Katze", "das Kind"]


def test_more_alternatives_than_beams_widen_the_beam(copier: tuple[Translator, CopyEngine]) -> None:
    translator, engine = copier
    greedy = DecodingOptions(beam_size=1)
    translator.translate(
        ["Der Hund."], source="de", target="en", options=greedy, num_alternatives=3
    )
    assert engine.submitted[0][1].beam_size == 4


@pytest.mark.parametrize("number", [-1, MAX_BEAM_SIZE])
def test_an_impossible_number_of_alternatives(
    copier: tuple[Translator, CopyEngine], number: int
) -> None:
    with pytest.raises(InputError, match=rf"num_alternatives: must be in 0\.\.63, got {number}"):
        copier[0].translate(["Der Hund."], source="de", target="en", num_alternatives=number)


def test_order_is_kept_when_answers_come_in_another(loaded: LoadedModel) -> None:
    engine = CopyEngine(is_lazy=True)
    translator = Translator(loaded, engine)
    texts = ["Der Hund.", "Die Katze.", "Das Kind."]
    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(translator.translate, texts, source="de", target="en")
        while len(engine.futures) < 3:
            pass
        for place in (2, 0, 1):
            engine.answer(place)
        assert [answer.text for answer in pending.result()] == texts


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("xx", "en", "xx is not supported; known languages: de, en"),
        ("de", "auto", "auto is not supported"),
    ],
)
def test_unknown_languages(
    copier: tuple[Translator, CopyEngine], source: str, target: str, message: str
) -> None:
    with pytest.raises(UnsupportedLanguageError, match=message):
        copier[0].translate(["x"], source=source, target=target)


def test_a_direction_the_model_lacks(loaded: LoadedModel) -> None:
    one_way = replace(loaded, description=replace(loaded.description, directions=("de-en",)))
    translator = Translator(one_way, CopyEngine())
    with pytest.raises(UnsupportedLanguageError, match="en to de is not a direction"):
        translator.translate(["x"], source="en", target="de")
    assert translator.languages == (
        Language(code="de", name="German", targets=("de", "en")),
        Language(code="en", name="English", targets=("en",)),
    )


def test_a_failure_cancels_what_was_submitted(loaded: LoadedModel) -> None:
    engine = CopyEngine(is_lazy=True)
    translator = Translator(loaded, engine)
    with pytest.raises(InputError, match="lone surrogates; send valid Unicode"):
        translator.translate(["Der Hund. Die Katze.", "\ud800 Kind."], source="de", target="en")
    assert [future.cancelled() for future in engine.futures] == [True, True]


def test_a_translation_can_be_ended(loaded: LoadedModel) -> None:
    def stop() -> None:
        raise InterruptedError

    engine = CopyEngine(is_lazy=True)
    translator = Translator(loaded, engine)
    with pytest.raises(InterruptedError):
        translator.translate(["Der Hund."], source="de", target="en", deadline=Deadline(look=stop))
    assert engine.futures[0].cancelled()
    with pytest.raises(DeadlineExceededError, match="takes longer than its time limit"):
        translator.translate(["Der Hund."], source="de", target="en", deadline=Deadline.within(0))


def test_a_queue_filled_by_others_is_an_overload(loaded: LoadedModel) -> None:
    translator = Translator(loaded, CopyEngine(max_queue=0))
    with pytest.raises(EngineOverloadedError, match="try again later"):
        translator.translate(["Der Hund."], source="de", target="en")


def test_more_sentences_than_the_queue_holds_are_translated(loaded: LoadedModel) -> None:
    scheduler = Scheduler(SchedulerConfig(max_queue=5))
    special_ids = SpecialIds.of(loaded.tokenizer)
    runtime = EagerRuntime(arrange(loaded.model.eval(), special_ids.forbidden_ids))
    engine = NativeEngine(special_ids, runtime, scheduler)
    text = "Der Hund. Die Katze. Das Kind sieht den Mann.\n"
    with Translator(loaded, engine) as translator:
        [one] = translator.translate([text], source="de", target="en")
        many = translator.translate([text * 4] * 3, source="de", target="en")
    assert [answer.text for answer in many] == [one.text * 4] * 3


def test_statistics_count_the_sentences(loaded: LoadedModel) -> None:
    with Translator.from_model(loaded, threads=1) as translator:
        translator.translate(["Der Hund.", "Die Katze. Das Haus."], source="de", target="en")
        done = translator.statistics()
    assert done.sentences >= 3, "a second search counts as well"
    assert done.source_tokens >= 3 * done.sentences
    assert translator.checksum == ""


def test_a_closed_translator_says_so(loaded: LoadedModel) -> None:
    translator = Translator.from_model(loaded, threads=1)
    assert translator.is_alive
    translator.close()
    assert not translator.is_alive
    with pytest.raises(EngineClosedError, match="closed; load the translator again"):
        translator.translate(["Der Hund."], source="de", target="en")


def test_many_threads_get_the_answers_of_one(translator: Translator) -> None:
    texts = [f"Der Hund {n} sieht die Katze {n * n}." for n in range(24)]
    alone = [translator.translate([t], source="de", target="en")[0].text for t in texts]
    with ThreadPoolExecutor(12) as pool:
        together = pool.map(
            lambda text: translator.translate([text], source="de", target="en")[0].text, texts
        )
        assert list(together) == alone


def test_sentences_that_touch_are_translated_with_a_space_between(
    copier: tuple[Translator, CopyEngine],
) -> None:
    translator, engine = copier
    [answer] = translator.translate(["Der Hund。Die Katze。 Das Kind。"], source="de", target="en")
    assert len(engine.submitted) == 3
    assert answer.text == "Der Hund。 Die Katze。 Das Kind。"
    told = translator.stream(["Der Hund。Die Katze。 Das Kind。"], source="de", target="en")
    assert "".join(one.separator + one.text for _, one in told) == answer.text


def test_nothing_in_nothing_out(translator: Translator) -> None:
    assert translator.translate([], source="de", target="en") == []


class CirclingEngine(CopyEngine):
    """Runs in circles in a first search, and in a second if it is `hopeless`."""

    is_hopeless = False

    def answer(self, place: int) -> None:
        options = self.submitted[place][1]
        if options.no_repeat_ngram_size and not self.is_hopeless:
            good = Hypothesis(ids=(40, 41, 42), score=-9.0, log_prob=-30.0, finish_reason="eos")
            self.futures[place].set_result([good] * options.num_hypotheses)
        else:
            circle = Hypothesis(ids=(50,) * 30, score=-1.0, log_prob=-2.0, finish_reason="length")
            self.futures[place].set_result([circle] * options.num_hypotheses)


@pytest.mark.parametrize("is_hopeless", [False, True])
def test_a_sentence_that_runs_in_circles_is_searched_once_more(
    loaded: LoadedModel, is_hopeless: bool
) -> None:
    engine = CirclingEngine()
    engine.is_hopeless = is_hopeless
    translator = Translator(loaded, engine)
    found = translator.translate(["Der Hund. Die Katze."], source="de", target="en")[0]
    assert len(engine.submitted) == 4
    assert [own.no_repeat_ngram_size for _, own in engine.submitted] == [0, 0, 4, 4]
    ids = [50] * 30 if is_hopeless else [40, 41, 42]
    assert found.text == " ".join([translator.tokenizer.decode(ids)] * 2)
    assert found.flags == (("repetition", "retried") if is_hopeless else ("retried",))
