"""A second search never costs the answer of the first."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

import pytest

from tests.engines import CopyEngine
from translator.config import DecodingOptions
from translator.engine.call import FREE_STEPS, EngineCall
from translator.errors import EngineClosedError
from translator.pipeline.chunks import Chunk
from translator.pipeline.degeneration import Flag, Output, retry_options
from translator.pipeline.numbers import NumberCheck
from translator.pipeline.sentence_search import SearchResult, SentenceSearch, of_rare_word
from translator.search.hypothesis import Hypothesis
from translator.text.brackets import never
from translator.text.characters import Alphabet
from translator.text.protection import Protected
from translator.tokens.tokenizer import Tokenizer

CIRCLE, GOOD = (50,) * 30, (40, 41)
OPTIONS = DecodingOptions(beam_size=2, num_hypotheses=2)


def hypothesis(ids: tuple[int, ...]) -> Hypothesis:
    return Hypothesis(ids=ids, score=-1.0, log_prob=-2.0, finish_reason="eos")


class Scripted(CopyEngine):
    """Gives prepared answers, one a search; an exception is raised, at once or by the future."""

    def __init__(self, *answers: list[tuple[int, ...]] | Exception) -> None:
        super().__init__()
        self.answers = list(answers)

    def answer(self, place: int) -> None:
        answer = self.answers[place]
        if isinstance(answer, EngineClosedError):
            raise answer
        if isinstance(answer, Exception):
            self.futures[place].set_exception(answer)
        else:
            self.futures[place].set_result([hypothesis(ids) for ids in answer])


def alike(_: str) -> float:
    return -9.0


class Words(Tokenizer):
    """Reads each word as one id: itself if it is a number."""

    num_placeholders = 8

    def __init__(self) -> None:
        self.alphabet = Alphabet(frozenset({"LATIN"}))
        self.log_prob = functools.lru_cache(alike)

    def encode_source(self, text: str, target: str, source: str = "") -> list[int]:
        self.read = [*getattr(self, "read", []), text]
        return [4, *(int(word) if word.isdigit() else 9 for word in text.split()), 3]


def search(
    engine: CopyEngine,
    search_again: bool = True,
    text: str = "60 61",
    languages: tuple[str, str] = ("", ""),
    call: EngineCall | None = None,
    label_ids: tuple[int, ...] = (),
    meaning: str | None = None,
    has_lost: Callable[[str], bool] = never,
    is_turned: Callable[[str], bool] = never,
) -> SentenceSearch:
    own = dataclasses.replace(OPTIONS, search_again=search_again)
    call = call or EngineCall(engine)
    source = Output((60, 61), text, has_lost=has_lost, meaning=meaning, is_turned=is_turned)
    ids = (4, 60, 61, 3)
    numbers = NumberCheck(Chunk(ids, Protected(text), "", str, languages), Words(), 100)

    def decode(ids: tuple[int, ...]) -> str:
        return " ".join(map(str, ids))

    return SentenceSearch(call, ids, own, decode, source, numbers, label_ids=label_ids)


def found(ids: tuple[int, ...], *flags: Flag) -> SearchResult:
    return SearchResult([hypothesis(ids)], [" ".join(map(str, ids))], flags)


def test_a_good_sentence_is_searched_once() -> None:
    engine = Scripted([GOOD])
    one = search(engine)
    one.check()
    assert one.result() == found(GOOD)
    assert len(engine.submitted) == 1


def test_a_turned_sentence_is_flagged_and_not_searched_again() -> None:
    engine = Scripted([GOOD])
    one = search(engine, is_turned=lambda _: True)
    one.check()
    assert one.result() == found(GOOD, "negation")
    assert len(engine.submitted) == 1
    unchecked = search(Scripted([GOOD]), search_again=False, is_turned=lambda _: True)
    unchecked.check()
    assert unchecked.result() == found(GOOD)


def test_what_the_second_search_finds_is_taken() -> None:
    engine = Scripted([CIRCLE, CIRCLE[1:]], [CIRCLE, GOOD])
    one = search(engine)
    one.check()
    assert one.result() == found(GOOD, "retried")


def test_what_the_first_search_had_besides_is_taken() -> None:
    one = search(Scripted([CIRCLE, GOOD], [CIRCLE]))
    one.check()
    assert one.result() == found(GOOD, "retried")


def test_no_second_search_if_it_is_not_wanted() -> None:
    one = search(Scripted([CIRCLE]), search_again=False)
    one.check()
    assert one.result() == found(CIRCLE)


@pytest.mark.parametrize("error", [EngineClosedError("closed"), RuntimeError("out of memory")])
def test_a_second_search_that_fails_leaves_the_first_answer(error: Exception) -> None:
    one = search(Scripted([CIRCLE], error))
    one.check()
    assert one.result() == found(CIRCLE, "repetition")


def test_a_sentence_that_is_checked_twice_is_asked_for_again_once() -> None:
    engine = Scripted([CIRCLE, CIRCLE[1:]], [CIRCLE, GOOD])
    doubtful = search(engine)
    doubtful.check()
    doubtful.check()
    assert doubtful.result() == found(GOOD, "retried")
    assert len(engine.submitted) == 2


def test_text_that_makes_no_sense_is_not_searched_again_for_ever() -> None:
    count, one_answer = 400, list[tuple[int, ...]]([CIRCLE])
    engine = Scripted(*[one_answer] * count)
    call = EngineCall(engine)
    searches = [search(engine, call=call) for _ in range(count // 2)]
    for doubtful in searches:
        doubtful.check()
    steps = len(CIRCLE) + 1
    first = count // 2 * 2 * steps
    second = (len(engine.submitted) - count // 2) * retry_options(OPTIONS, (), "").beam_size * steps
    assert FREE_STEPS < second <= first + FREE_STEPS
    answers = [doubtful.result() for doubtful in searches]
    assert answers[0] == found(CIRCLE, "repetition", "retried")
    assert answers[-1] == found(CIRCLE, "repetition")


GERMAN_ENGLISH = ("de", "en")


def test_a_wrong_number_is_asked_for_by_a_stand_in() -> None:
    engine = Scripted([(60, 71)], [(60, 47)])
    one = search(engine, text="60 9999", languages=GERMAN_ENGLISH)
    one.check()
    assert one.result() == SearchResult([hypothesis((60, 47))], ["60 9999"], ("retried",))
    assert [ids for ids, _ in engine.submitted[1:]] == [[4, 60, 47, 3]]


LONG = "one (two, three, four, five) six"


def test_a_lost_part_in_brackets_is_asked_for_with_spaces() -> None:
    engine = Scripted([(60, 71)], [(60, 47)])
    one = search(engine, text=LONG, has_lost=lambda text: "47" not in text)
    one.check()
    assert one.result() == found((60, 47), "retried")
    spaced = "one ( two, three, four, five ) six"
    assert [ids for ids, _ in engine.submitted[1:]] == [[4, *[9] * len(spaced.split()), 3]]


def test_a_part_in_brackets_that_stays_lost_is_told() -> None:
    engine = Scripted([(60, 71)], [(60, 72)], [(60, 73)])
    one = search(engine, text=LONG, has_lost=lambda _: True)
    one.check()
    assert one.result() == found((60, 71), "brackets", "retried")
    assert len(engine.submitted) == 3


def test_if_that_does_not_help_it_is_searched_for_in_two_other_ways() -> None:
    engine = Scripted([(60, 71)], [(60, 48)], [(60, 72)], [(60, 9999)])
    one = search(engine, text="60 9999", languages=GERMAN_ENGLISH)
    one.check()
    one.result()
    assert [ids for ids, _ in engine.submitted[1:]] == [
        [4, 60, 47, 3],
        [4, 60, 61, 3],
        [4, 60, 9, 3],
    ]


def test_all_sentences_that_it_does_not_help_are_searched_for_together() -> None:
    answers: list[tuple[int, ...]] = [
        (60, 71),
        (60, 71),
        (60, 48),
        (60, 48),
        (60, 9999),
        (60, 72),
        (60, 9999),
        (60, 72),
    ]
    engine = Scripted(*[[answer] for answer in answers])
    call = EngineCall(engine)
    searches = [search(engine, text="60 9999", languages=GERMAN_ENGLISH, call=call) for _ in "ab"]
    for doubtful in searches:
        doubtful.check()
    for doubtful in searches:
        doubtful.check_variant()
        doubtful.check_variant()
    assert len(engine.submitted) == 8
    assert [doubtful.result().texts for doubtful in searches] == [["60 9999"]] * 2
    assert len(engine.submitted) == 8


def test_a_wider_search_that_has_the_right_numbers_comes_before_placeholders() -> None:
    engine = Scripted([(60, 71)], [(60, 48)], [(60, 71), (61, 60)], [(60, 61)])
    one = search(engine, languages=GERMAN_ENGLISH)
    one.check()
    assert one.result() == found((61, 60), "retried")


def test_what_stays_wrong_is_told() -> None:
    one = search(Scripted([(60, 71)], [(60, 72)], [(60, 73)], [(60, 73)]), languages=GERMAN_ENGLISH)
    one.check()
    result = one.result()
    assert result.flags == ("numbers", "retried")
    assert [mention.text for mention in result.numbers.missing] == ["61"]
    assert [mention.text for mention in result.numbers.added] == ["71"]
    assert result.texts == ["60 71"]


def test_numbers_are_not_compared_if_no_second_search_is_wanted() -> None:
    one = search(Scripted([(60, 71)]), search_again=False, languages=GERMAN_ENGLISH)
    one.check()
    assert one.result() == found((60, 71))


class Labels(CopyEngine):
    """Gives the word as it is written, and then in the other spelling, a log-probability each."""

    def __init__(self, *log_probs: float) -> None:
        super().__init__()
        self.log_probs = log_probs

    def answer(self, place: int) -> None:
        log_prob = self.log_probs[place]
        found = Hypothesis(ids=(40 + place,), score=0, log_prob=2 * log_prob, finish_reason="eos")
        self.futures[place].set_result([found])


@pytest.mark.parametrize(
    ("log_probs", "expected"), [((-0.9, -0.2), "41"), ((-0.4, -0.45), "41"), ((-0.4, -0.7), "40")]
)
def test_a_label_is_translated_from_the_spelling_that_is_known_better(
    log_probs: tuple[float, float], expected: str
) -> None:
    engine = Labels(*log_probs)
    searched = search(engine, label_ids=(4, 70, 3))
    searched.check()
    result = searched.result()
    assert (list(result.texts), result.flags) == ([expected], ())
    assert engine.submitted[1][0] == [4, 70, 3]


def rare(log_prob: float, *texts: str, flags: tuple[Flag, ...] = ()) -> SearchResult:
    hypotheses = [
        Hypothesis(ids=(5,), score=log_prob, log_prob=log_prob, finish_reason="eos") for _ in texts
    ]
    return of_rare_word(SearchResult(hypotheses, texts, flags), "Schwerin")


def test_a_rare_word_whose_translation_is_a_guess_stays_as_it_is() -> None:
    result = rare(-1.5, "gravity", "heaviness", flags=("retried",))
    assert (result.texts, result.flags) == (["Schwerin", "gravity"], ("retried", "copied"))
    assert len(result.hypotheses) == 2


@pytest.mark.parametrize(
    ("log_prob", "text", "expected"),
    [(-1.3, "gravity", "gravity"), (-0.1, "schwerin", "Schwerin"), (-5.0, "schwerin", "Schwerin")],
)
def test_a_rare_word_is_translated_or_keeps_its_capital(
    log_prob: float, text: str, expected: str
) -> None:
    result = rare(log_prob, text)
    assert (result.texts, result.flags) == ([expected], ())


def test_a_text_with_nothing_to_translate_is_no_guess() -> None:
    assert of_rare_word(SearchResult(), "Schwerin") == SearchResult((), [], ())


def test_a_word_of_the_lexicon_has_its_meaning_and_behind_it_what_the_model_found() -> None:
    options = dataclasses.replace(OPTIONS, num_hypotheses=2)
    engine = Scripted([CIRCLE, GOOD])
    searched = search(engine, meaning="wig")
    searched.check()
    result = searched.result()
    assert options.num_hypotheses == len(result.texts) == len(result.hypotheses)
    assert (result.texts[0], result.flags) == ("wig", ())
    assert result.texts[1] == " ".join(map(str, CIRCLE))
    assert len(engine.submitted) == 1, "nothing is asked for again"


def test_a_meaning_that_the_model_found_as_well_is_there_once() -> None:
    searched = search(Scripted([GOOD, CIRCLE]), meaning=" ".join(map(str, CIRCLE)))
    searched.check()
    assert [text.split()[0] for text in searched.result().texts] == [str(CIRCLE[0]), str(GOOD[0])]


def test_one_search_alone_does_without_the_lexicon() -> None:
    searched = search(Scripted([GOOD]), search_again=False, meaning="wig")
    searched.check()
    assert searched.result() == found(GOOD)
