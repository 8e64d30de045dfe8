"""Engines of a pool get equal shares of the work, and end together."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from tests.waiting import wait_until
from translator.config import DecodingOptions
from translator.engine.loop import EngineLoop
from translator.engine.pool import EnginePool
from translator.engine.scheduler import EXPRESS_GROUP, Lane, Request, Scheduler, SchedulerConfig
from translator.errors import EngineClosedError, EngineOverloadedError
from translator.runtime.thread_budget import ThreadBudget
from translator.search.hypothesis import Hypothesis

OPTIONS = DecodingOptions(beam_size=1)
ANSWER = [Hypothesis(ids=(), score=0.0, log_prob=0.0, finish_reason="eos")]
DOCUMENT = EXPRESS_GROUP + 1


class HeldEngine(EngineLoop):
    """Remembers what it is given, and answers nothing before it is let go."""

    def __init__(self, max_queue: int = 100) -> None:
        super().__init__(100, Scheduler(SchedulerConfig(max_queue=max_queue)))
        self.given: list[int] = []
        self.is_let_go = threading.Event()
        self.start()

    def submit(self, source_ids, *arguments, **options):  # type: ignore[no-untyped-def]
        future = super().submit(source_ids, *arguments, **options)
        self.given.append(len(source_ids))
        return future

    def _take_turn(self, lane: Lane, newcomers: list[Request]) -> None:
        self.is_let_go.wait(60)
        for request in newcomers:
            self._deliver(lane, request, ANSWER)


@pytest.fixture
def engines() -> Iterator[list[HeldEngine]]:
    engines = [HeldEngine() for _ in range(3)]
    yield engines
    for engine in engines:
        engine.is_let_go.set()
        engine.close()


def submit(pool: EnginePool, lengths: list[int], group_size: int) -> list[Future[list[Hypothesis]]]:
    return [pool.submit([4] * length, OPTIONS, group_size=group_size) for length in lengths]


def test_the_next_sentence_goes_where_the_fewest_ids_wait(engines: list[HeldEngine]) -> None:
    submit(EnginePool(engines), [9, 4, 3, 2, 2, 9], DOCUMENT)
    assert [engine.given for engine in engines] == [[9], [4, 2], [3, 2, 9]]


def test_documents_do_not_keep_short_requests_together(engines: list[HeldEngine]) -> None:
    """Short ones overtake documents, so that only others of their kind count; then all does."""
    pool = EnginePool(engines)
    submit(pool, [50, 10, 20], DOCUMENT)
    submit(pool, [5, 5, 5, 1], EXPRESS_GROUP)
    assert [engine.given for engine in engines] == [[50, 5], [10, 5, 1], [20, 5]]


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_what_has_left_no_longer_counts(engines: list[HeldEngine], is_cancelled: bool) -> None:
    pool = EnginePool(engines)
    [_, long, _] = submit(pool, [9, 50, 9], DOCUMENT)
    if is_cancelled:
        assert long.cancel()
    else:
        engines[1].is_let_go.set()
        assert long.result(timeout=60) == ANSWER
        wait_until(lambda: pool._pending_ids[1] == [0, 0])  # callbacks come behind the result
    submit(pool, [3], DOCUMENT)
    assert engines[1].given == [50, 3]


def test_what_is_refused_does_not_count(engines: list[HeldEngine]) -> None:
    pool = EnginePool(engines)
    with pytest.raises(ValueError, match=r"source ids must be 1 or more in 0\.\.99"):
        pool.submit([4] * 50 + [100], OPTIONS)
    submit(pool, [1], 1)
    assert [engine.given for engine in engines] == [[1], [], []]


def test_all_end_together(engines: list[HeldEngine]) -> None:
    """None takes from its queue while another one finishes what it has in hand."""
    pool = EnginePool(engines)
    assert pool.is_alive
    first = submit(pool, [5, 5, 5], 1)
    wait_until(lambda: not any(len(engine._scheduler) for engine in engines))  # all are in hand
    waiting = submit(pool, [5, 5, 5], 1)
    closing = threading.Thread(target=pool.close)
    closing.start()
    wait_until(lambda: not any(engine.is_alive for engine in engines))
    assert not pool.is_alive
    for engine in engines:
        engine.is_let_go.set()
    closing.join(60)
    assert [future.result(timeout=60) for future in first] == [ANSWER] * 3
    for future in waiting:
        with pytest.raises(EngineClosedError):
            future.result(timeout=60)
    with pytest.raises(EngineClosedError):
        submit(pool, [5], 1)


def test_one_that_has_died_is_noticed_and_gets_no_work(engines: list[HeldEngine]) -> None:
    pool = EnginePool(engines)
    engines[0].is_let_go.set()
    engines[0].close()
    assert not pool.is_alive
    submit(pool, [5, 5, 5], 1)
    assert [engine.given for engine in engines] == [[], [5, 5], [5]]


def test_it_is_full_when_all_are() -> None:
    engines = [HeldEngine(max_queue=1) for _ in range(2)]
    pool = EnginePool(engines)
    submit(pool, [5, 5], 1)
    wait_until(lambda: not any(len(engine._scheduler) for engine in engines))  # all are in hand
    submit(pool, [90, 2], 1)
    with pytest.raises(EngineOverloadedError, match="1 sentences are waiting already"):
        submit(pool, [2], 1)
    assert sorted(len(engine.given) for engine in engines) == [2, 2]
    for engine in engines:
        engine.is_let_go.set()
    pool.close()


def test_one_queue_that_is_full_is_not_the_end() -> None:
    """Whoever has fewer ids may have more sentences."""
    engines = [HeldEngine(max_queue=2), HeldEngine(max_queue=9)]
    pool = EnginePool(engines)
    submit(pool, [1, 90], 1)
    wait_until(lambda: not any(len(engine._scheduler) for engine in engines))
    submit(pool, [1, 1, 1, 1], 1)
    assert [engine.given for engine in engines] == [[1, 1, 1], [90, 1, 1]]
    for engine in engines:
        engine.is_let_go.set()
    pool.close()


def test_it_may_be_closed_by_whom_it_answers(engines: list[HeldEngine]) -> None:
    """Two engines' threads that wait for one another would do so for ever."""
    pool, barrier, are_closed = EnginePool(engines), threading.Barrier(3, timeout=60), []

    def close(_: object) -> None:
        barrier.wait()
        pool.close()
        are_closed.append(True)

    for future in submit(pool, [5, 5, 5], 1):
        future.add_done_callback(close)
    for engine in engines:
        engine.is_let_go.set()
    wait_until(lambda: len(are_closed) == 3)
    pool.close()
    assert not any(engine._thread.is_alive() for engine in engines)


def test_what_is_refused_may_be_submitted_elsewhere(engines: list[HeldEngine]) -> None:
    """From a callback: no engine keeps its lock meanwhile."""
    first, second, _ = engines
    running = [engine.submit([4], OPTIONS) for engine in (first, second)]
    wait_until(lambda: not len(first._scheduler) and not len(second._scheduler))
    waiting = [engine.submit([4], OPTIONS) for engine in (first, second)]
    barrier, refused = threading.Barrier(2, timeout=60), []

    def submit_to(other: HeldEngine) -> None:
        barrier.wait()
        with pytest.raises(EngineClosedError):
            other.submit([4], OPTIONS)
        refused.append(other)

    for future, other in zip(waiting, (second, first), strict=True):
        future.add_done_callback(lambda _, other=other: submit_to(other))
    for engine in (first, second):
        engine.end()
        engine.is_let_go.set()
    wait_until(lambda: len(refused) == 2)
    assert all(future.result(timeout=60) == ANSWER for future in running)


def test_others_may_come_later(engines: list[HeldEngine]) -> None:
    pool = EnginePool(engines[:1])
    submit(pool, [5, 5], 1)
    pool.add(*engines[1:])
    submit(pool, [5, 5], 1)
    assert [engine.given for engine in engines] == [[5, 5], [5], [5]]


def test_who_comes_too_late_is_closed(engines: list[HeldEngine]) -> None:
    pool = EnginePool(engines[:1])
    pool.close()
    pool.add(*engines[1:])
    assert not any(engine.is_alive for engine in engines)


def test_the_statistics_are_those_of_all_engines() -> None:
    engines = [HeldEngine(), HeldEngine()]
    pool = EnginePool(engines)
    futures = [pool.submit([1, 2], OPTIONS) for _ in range(4)]
    wait_until(lambda: pool.statistics().queued + pool.statistics().running == 4)
    for engine in engines:
        engine.is_let_go.set()
    for future in futures:
        future.result(60)
    assert pool.statistics().sentences == 4
    assert pool.statistics().source_tokens == 8
    pool.close()


def test_engines_take_turns_within_a_budget_that_others_share(engines: list[HeldEngine]) -> None:
    pool = EnginePool(engines[:2])
    pool.share_threads(ThreadBudget(1))
    pool.add(engines[2])
    for engine in engines:
        engine.is_let_go.set()
    turns, running = list[int](), set[int]()

    def noted(number: int, take_turn):  # type: ignore[no-untyped-def]
        def turn(lane: Lane, newcomers: list[Request]) -> None:
            running.add(number)
            turns.append(len(running))
            take_turn(lane, newcomers)
            running.discard(number)

        return turn

    for number, engine in enumerate(engines):
        engine._take_turn = noted(number, engine._take_turn)  # type: ignore[method-assign]
    futures = submit(pool, [4] * 60, DOCUMENT)
    assert [future.result(60) for future in futures] == [ANSWER] * 60
    assert {*turns} == {1}, "engines that were in a turn together"
    assert all(engine.given for engine in engines)


def test_the_weights_of_all_engines_are_counted_once(
    engines: list[HeldEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HeldEngine, "num_bytes", 700)
    assert EnginePool(engines).num_bytes == 700


def test_attention_is_read_by_an_engine_that_can(
    engines: list[HeldEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = EnginePool(engines)
    assert pool.second_pass() is None
    reader = object()
    monkeypatch.setattr(engines[-1], "second_pass", lambda: reader)
    assert pool.second_pass() is reader
