"""A second search never costs the answer of the first."""

from __future__ import annotations

import pytest

from tests.engines import CopyEngine
from translator.config import DecodingOptions
from translator.engine.call import EngineCall
from translator.errors import EngineClosedError
from translator.search.hypothesis import Hypothesis
from translator.translate.degeneration import Output
from translator.translate.sentence_search import SentenceSearch

CIRCLE, GOOD = (50,) * 30, (40, 41)


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


def search(engine: CopyEngine, search_again: bool = True) -> SentenceSearch:
    own = DecodingOptions(beam_size=2, num_hypotheses=2, search_again=search_again)
    call = EngineCall(engine)
    source = Output((60, 61), "60 61")
    return SentenceSearch(call, (4, 60, 61, 3), own, lambda ids: " ".join(map(str, ids)), source)


def test_a_good_sentence_is_searched_once() -> None:
    engine = Scripted([GOOD])
    one = search(engine)
    one.check()
    assert one.result() == ([hypothesis(GOOD)], ())
    assert len(engine.submitted) == 1


def test_what_the_second_search_finds_is_taken() -> None:
    engine = Scripted([CIRCLE, CIRCLE[1:]], [CIRCLE, GOOD])
    one = search(engine)
    one.check()
    assert one.result() == ([hypothesis(GOOD)], ("retried",))


def test_what_the_first_search_had_besides_is_taken() -> None:
    one = search(Scripted([CIRCLE, GOOD], [CIRCLE]))
    one.check()
    assert one.result() == ([hypothesis(GOOD)], ("retried",))


def test_no_second_search_if_it_is_not_wanted() -> None:
    one = search(Scripted([CIRCLE]), search_again=False)
    one.check()
    assert one.result() == ([hypothesis(CIRCLE)], ())


@pytest.mark.parametrize("error", [EngineClosedError("closed"), RuntimeError("out of memory")])
def test_a_second_search_that_fails_leaves_the_first_answer(error: Exception) -> None:
    one = search(Scripted([CIRCLE], error))
    one.check()
    assert one.result() == ([hypothesis(CIRCLE)], ("repetition",))
