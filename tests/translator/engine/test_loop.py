"""The loop of an engine, with a decoder that only writes down what it is given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engines import FirstIdEngine, answer
from tests.waiting import wait_until
from translator.config import DecodingOptions
from translator.engine.port import Statistics
from translator.engine.scheduler import Lane, Request
from translator.errors import EngineClosedError, EngineOverloadedError

GREEDY, BEAM = DecodingOptions(beam_size=1), DecodingOptions(beam_size=4)


class Dying(FirstIdEngine):
    """Breaks its promise not to raise."""

    def _take_turn(self, lane: Lane, newcomers: list[Request]) -> None:
        raise SystemExit


@pytest.fixture
def engine() -> Iterator[FirstIdEngine]:
    engine = FirstIdEngine(max_queue=3)
    yield engine
    engine.may_go_on.set()
    engine.close()


def test_each_gets_its_own_answer_or_its_own_error_on_one_thread(engine: FirstIdEngine) -> None:
    futures = [engine.submit([piece_id], GREEDY) for piece_id in (4, 9, 5)]
    assert futures[0].result(timeout=60) == answer(4)
    assert isinstance(futures[1].exception(timeout=60), ValueError)
    assert futures[2].result(timeout=60) == answer(5)
    assert engine.threads == {"translator-engine"}


def test_what_comes_meanwhile_joins_at_the_next_turn(engine: FirstIdEngine) -> None:
    engine.may_go_on.clear()
    first = engine.submit([4], GREEDY)
    assert engine.is_waiting.wait(60)
    others = [engine.submit([piece_id], GREEDY) for piece_id in (5, 6)]
    engine.may_go_on.set()
    assert [one.result(timeout=60) for one in (first, *others)] == [answer(i) for i in (4, 5, 6)]
    assert engine.turns[0] == (1, [[4]])
    assert [one for _, newcomers in engine.turns[1:] for one in newcomers] == [[5], [6]]


def test_beam_sizes_are_decoded_apart(engine: FirstIdEngine) -> None:
    futures = [engine.submit([piece_id], own) for piece_id, own in ((4, GREEDY), (5, BEAM))]
    for future in futures:
        assert future.result(timeout=60)
    assert sorted(engine.turns) == [(1, [[4]]), (4, [[5]])]


def test_what_cannot_be_decoded_is_refused_at_once(engine: FirstIdEngine) -> None:
    for source_ids in ([], [100], [-1]):
        with pytest.raises(ValueError, match=r"source ids must be 1 or more in 0\.\.99"):
            engine.submit(source_ids, GREEDY)


def test_a_full_queue_is_told_and_takes_others_later(engine: FirstIdEngine) -> None:
    engine.may_go_on.clear()
    futures = [engine.submit([4], GREEDY)]
    assert engine.is_waiting.wait(60)
    futures += [engine.submit([4], GREEDY) for _ in range(3)]
    with pytest.raises(EngineOverloadedError, match="3 sentences are waiting already"):
        engine.submit([4], GREEDY)
    engine.may_go_on.set()
    for future in futures:
        assert future.result(timeout=60)
    assert engine.submit([4], GREEDY).result(timeout=60)


def test_closing_lets_what_runs_finish_and_refuses_what_waits(engine: FirstIdEngine) -> None:
    engine.may_go_on.clear()
    running = engine.submit([4], GREEDY)
    assert engine.is_waiting.wait(60)
    waiting = engine.submit([5], GREEDY)
    engine.end()
    assert not engine.is_alive
    engine.may_go_on.set()
    engine.close()
    assert running.result(timeout=60) == answer(4)
    assert isinstance(waiting.exception(timeout=60), EngineClosedError)
    with pytest.raises(EngineClosedError, match="load the translator again"):
        engine.submit([4], GREEDY)


def test_a_callback_may_close_its_own_engine(engine: FirstIdEngine) -> None:
    seen: list[bool] = []

    def close(_: object) -> None:
        seen.append(engine.runs_here)
        engine.close()

    engine.may_go_on.clear()
    engine.submit([4], GREEDY).add_done_callback(close)
    engine.may_go_on.set()
    wait_until(lambda: engine.has_ended)
    assert seen == [True]
    assert not engine.runs_here


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_loop_that_dies_leaves_no_one_waiting() -> None:
    engine = Dying()
    assert isinstance(engine.submit([4], GREEDY).exception(timeout=60), EngineClosedError)
    wait_until(lambda: engine.has_ended)
    assert not engine.is_alive
    engine.close()


def test_a_sentence_tells_when_it_was_where(engine: FirstIdEngine) -> None:
    engine.may_go_on.clear()
    first = engine.submit([1], GREEDY)
    assert engine.is_waiting.wait(60)
    second = engine.submit([2], GREEDY)
    assert first.times is None
    engine.may_go_on.set()
    second.result(60)
    assert first.times is not None
    assert second.times is not None
    assert first.times.queued_s <= first.times.admitted_s <= first.times.finished_s
    assert second.times.queued_s <= first.times.finished_s <= second.times.admitted_s


def test_statistics_tell_what_waits_and_what_is_done(engine: FirstIdEngine) -> None:
    assert engine.statistics() == Statistics()
    engine.may_go_on.clear()
    first = engine.submit([1, 2, 3], GREEDY)
    assert engine.is_waiting.wait(60)
    others = [engine.submit([4, 5], GREEDY), engine.submit([9, 9], GREEDY)]
    now = engine.statistics()
    assert (now.queued, now.running, now.sentences, now.turns) == (2, 1, 0, 0)
    engine.may_go_on.set()
    for future in (first, *others):
        future.exception(60)
    wait_until(lambda: engine.statistics().turns == len(engine.turns))
    done = engine.statistics()
    assert (done.queued, done.running) == (0, 0)
    assert (done.sentences, done.source_tokens, done.target_tokens) == (2, 5, 2), "nine has failed"
    assert done.turn_sentences == 3
    assert done.queue_s > 0
    assert done.compute_s > 0
    assert done.busy_s > 0
