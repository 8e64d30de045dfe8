"""Who is decoded together; no model and no torch in sight."""

from __future__ import annotations

import random

import pytest

from translator.config import DecodingOptions
from translator.decoding.scheduler import Request, Scheduler
from translator.errors import EngineOverloadedError

GREEDY, BEAM = DecodingOptions(beam_size=1), DecodingOptions(beam_size=4)


def request(length: int, options: DecodingOptions = GREEDY) -> Request:
    return Request([1] * length, options)


def test_the_budget_bounds_padding_and_beams() -> None:
    generator = random.Random(0)
    scheduler = Scheduler(max_batch_tokens=400)
    for _ in range(300):
        scheduler.add(request(generator.randint(1, 60), generator.choice([GREEDY, BEAM])))
    taken = 0
    while batch := scheduler.admit():
        taken += len(batch)
        lengths = [len(r.source_ids) for r in batch]
        assert len(batch) * max(lengths) * batch[0].options.beam_size <= 400
        assert len({r.options for r in batch}) == 1
        assert lengths == sorted(lengths)
    assert taken == 300


def test_the_oldest_is_always_next() -> None:
    generator = random.Random(1)
    scheduler = Scheduler(max_batch_tokens=100)
    waiting = [request(generator.randint(1, 30)) for _ in range(100)]
    for item in waiting:
        scheduler.add(item)
    while batch := scheduler.admit():
        assert waiting[0] in batch
        waiting = [item for item in waiting if item not in batch]
    assert waiting == []


def test_similar_lengths_come_together() -> None:
    scheduler = Scheduler(max_batch_tokens=40)
    for length in (10, 30, 11, 31, 9, 29):
        scheduler.add(request(length))
    assert [len(r.source_ids) for r in scheduler.admit()] == [9, 10, 11]
    assert [len(r.source_ids) for r in scheduler.admit()] == [30]


def test_a_giant_is_decoded_alone() -> None:
    scheduler = Scheduler(max_batch_tokens=10)
    scheduler.add(request(1000))
    scheduler.add(request(5))
    assert [len(r.source_ids) for r in scheduler.admit()] == [1000]
    assert [len(r.source_ids) for r in scheduler.admit()] == [5]


def test_cancelled_requests_leave_the_queue() -> None:
    scheduler = Scheduler()
    first, second = request(3), request(3)
    for item in (first, second):
        scheduler.add(item)
    first.future.cancel()
    assert scheduler.admit() == [second]
    assert scheduler.admit() == []


def test_a_full_queue_refuses() -> None:
    scheduler = Scheduler(max_queue=2)
    scheduler.add(request(1))
    scheduler.add(request(1))
    with pytest.raises(EngineOverloadedError, match="2 sentences are waiting already; try again"):
        scheduler.add(request(1))
    scheduler.admit()
    scheduler.add(request(1))


def test_draining_takes_everything() -> None:
    scheduler = Scheduler()
    waiting = [request(n) for n in (1, 2)]
    for item in waiting:
        scheduler.add(item)
    assert scheduler.drain() == waiting
    assert len(scheduler) == 0
