"""Engines of a pool get equal shares of the work, and end together."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from tests.engines import FirstIdEngine, answer
from tests.waiting import wait_until
from translator.config import DecodingOptions
from translator.engine.pool import EnginePool
from translator.engine.scheduler import EXPRESS_GROUP, Lane, Request
from translator.errors import EngineClosedError, EngineOverloadedError
from translator.runtime.thread_budget import ThreadBudget
from translator.search.hypothesis import Hypothesis

OPTIONS = DecodingOptions(beam_size=1)
ANSWER = answer(4)
DOCUMENT = EXPRESS_GROUP + 1


@pytest.fixture
def engines() -> Iterator[list[FirstIdEngine]]:
    engines = [FirstIdEngine(is_held=True) for _ in range(3)]
    yield engines
    for engine in engines:
        engine.may_go_on.set()
        engine.close()


def submit(pool: EnginePool, lengths: list[int], group_size: int) -> list[Future[list[Hypothesis]]]:
    return [pool.submit([4] * length, OPTIONS, group_size=group_size) for length in lengths]


def test_the_next_sentence_goes_where_the_fewest_ids_wait(engines: list[FirstIdEngine]) -> None:
    submit(EnginePool(engines), [9, 4, 3, 2, 2, 9], DOCUMENT)
    assert [engine.given for engine in engines] == [[9], [4, 2], [3, 2, 9]]


def test_documents_do_not_keep_short_requests_together(engines: list[FirstIdEngine]) -> None:
    """Short ones overtake documents, so that only others of their kind count; then all does."""
    pool = EnginePool(engines)
    submit(pool, [50, 10, 20], DOCUMENT)
    submit(pool, [5, 5, 5, 1], EXPRESS_GROUP)
    assert [engine.given for engine in engines] == [[50, 5], [10, 5, 1], [20, 5]]


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_what_has_left_no_longer_counts(engines: list[FirstIdEngine], is_cancelled: bool) -> None:
    pool = EnginePool(engines)
    [_, long, _] = submit(pool, [9, 50, 9], DOCUMENT)
    if is_cancelled:
        assert long.cancel()
    else:
        is_noted = threading.Event()
        long.add_done_callback(lambda _: is_noted.set())  # behind the callback of the pool
        engines[1].may_go_on.set()
        assert is_noted.wait(60)
    submit(pool, [3], DOCUMENT)
    assert engines[1].given == [50, 3]


def test_what_is_refused_does_not_count(engines: list[FirstIdEngine]) -> None:
    pool = EnginePool(engines)
    with pytest.raises(ValueError, match=r"source ids must be 1 or more in 0\.\.99"):
        pool.submit([4] * 50 + [100], OPTIONS)
    submit(pool, [1], 1)
    assert [engine.given for engine in engines] == [[1], [], []]


def test_all_end_together(engines: list[FirstIdEngine]) -> None:
    """None takes from its queue while another one finishes what it has in hand."""
    pool = EnginePool(engines)
    assert pool.is_alive
    first = submit(pool, [5, 5, 5], 1)
    wait_until(lambda: all(engine.has_all_in_hand for engine in engines))
    waiting = submit(pool, [5, 5, 5], 1)
    closing = threading.Thread(target=pool.close)
    closing.start()
    wait_until(lambda: not any(engine.is_alive for engine in engines))
    assert not pool.is_alive
    for engine in engines:
        engine.may_go_on.set()
    closing.join(60)
    assert [future.result(timeout=60) for future in first] == [ANSWER] * 3
    for future in waiting:
        with pytest.raises(EngineClosedError):
            future.result(timeout=60)
    with pytest.raises(EngineClosedError):
        submit(pool, [5], 1)


def test_one_that_has_died_is_noticed_and_gets_no_work(engines: list[FirstIdEngine]) -> None:
    pool = EnginePool(engines)
    engines[0].may_go_on.set()
    engines[0].close()
    assert not pool.is_alive
    submit(pool, [5, 5, 5], 1)
    assert [engine.given for engine in engines] == [[], [5, 5], [5]]


def test_it_is_full_when_all_are() -> None:
    engines = [FirstIdEngine(1, is_held=True) for _ in range(2)]
    pool = EnginePool(engines)
    submit(pool, [5, 5], 1)
    wait_until(lambda: all(engine.has_all_in_hand for engine in engines))
    submit(pool, [90, 2], 1)
    with pytest.raises(EngineOverloadedError, match="1 sentences are waiting already"):
        submit(pool, [2], 1)
    assert sorted(len(engine.given) for engine in engines) == [2, 2]
    for engine in engines:
        engine.may_go_on.set()
    pool.close()


def test_one_queue_that_is_full_is_not_the_end() -> None:
    """Whoever has fewer ids may have more sentences."""
    engines = [FirstIdEngine(2, is_held=True), FirstIdEngine(9, is_held=True)]
    pool = EnginePool(engines)
    submit(pool, [1, 90], 1)
    wait_until(lambda: all(engine.has_all_in_hand for engine in engines))
    submit(pool, [1, 1, 1, 1], 1)
    assert [engine.given for engine in engines] == [[1, 1, 1], [90, 1, 1]]
    for engine in engines:
        engine.may_go_on.set()
    pool.close()


def test_it_may_be_closed_by_whom_it_answers(engines: list[FirstIdEngine]) -> None:
    """Two engines' threads that wait for one another would do so for ever."""
    pool, barrier, are_closed = EnginePool(engines), threading.Barrier(3, timeout=60), []

    def close(_: object) -> None:
        barrier.wait()
        pool.close()
        are_closed.append(True)

    for future in submit(pool, [5, 5, 5], 1):
        future.add_done_callback(close)
    for engine in engines:
        engine.may_go_on.set()
    wait_until(lambda: len(are_closed) == 3)
    pool.close()
    assert all(engine.has_ended for engine in engines)


def test_what_is_refused_may_be_submitted_elsewhere(engines: list[FirstIdEngine]) -> None:
    """From a callback: no engine keeps its lock meanwhile."""
    first, second, _ = engines
    running = [engine.submit([4], OPTIONS) for engine in (first, second)]
    wait_until(lambda: first.has_all_in_hand and second.has_all_in_hand)
    waiting = [engine.submit([4], OPTIONS) for engine in (first, second)]
    barrier, refused = threading.Barrier(2, timeout=60), []

    def submit_to(other: FirstIdEngine) -> None:
        barrier.wait()
        with pytest.raises(EngineClosedError):
            other.submit([4], OPTIONS)
        refused.append(other)

    for future, other in zip(waiting, (second, first), strict=True):
        future.add_done_callback(lambda _, other=other: submit_to(other))  # type: ignore[misc]
    for engine in (first, second):
        engine.end()
        engine.may_go_on.set()
    wait_until(lambda: len(refused) == 2)
    assert all(future.result(timeout=60) == ANSWER for future in running)


def test_others_may_come_later(engines: list[FirstIdEngine]) -> None:
    pool = EnginePool(engines[:1])
    submit(pool, [5, 5], 1)
    pool.add(*engines[1:])
    submit(pool, [5, 5], 1)
    assert [engine.given for engine in engines] == [[5, 5], [5], [5]]


def test_who_comes_too_late_is_closed(engines: list[FirstIdEngine]) -> None:
    pool = EnginePool(engines[:1])
    pool.close()
    pool.add(*engines[1:])
    assert not any(engine.is_alive for engine in engines)


def test_the_statistics_are_those_of_all_engines() -> None:
    engines = [FirstIdEngine(is_held=True), FirstIdEngine(is_held=True)]
    pool = EnginePool(engines)
    futures = [pool.submit([4, 2], OPTIONS) for _ in range(4)]
    wait_until(lambda: pool.statistics().queued + pool.statistics().running == 4)
    for engine in engines:
        engine.may_go_on.set()
    for future in futures:
        future.result(60)
    assert pool.statistics().sentences == 4
    assert pool.statistics().source_tokens == 8
    pool.close()


def test_engines_take_turns_within_a_budget_that_others_share(engines: list[FirstIdEngine]) -> None:
    pool = EnginePool(engines[:2])
    pool.share_threads(ThreadBudget(1))
    pool.add(engines[2])
    for engine in engines:
        engine.may_go_on.set()
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
    engines: list[FirstIdEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FirstIdEngine, "num_bytes", 700)
    assert EnginePool(engines).num_bytes == 700


def test_attention_is_read_by_an_engine_that_can(
    engines: list[FirstIdEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = EnginePool(engines)
    assert pool.forced_scorer() is None
    reader = object()
    monkeypatch.setattr(engines[-1], "forced_scorer", lambda: reader)
    assert pool.forced_scorer() is reader
