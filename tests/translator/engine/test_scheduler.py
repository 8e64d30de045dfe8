"""Who is decoded next, by simulation with a clock of its own; no model and no torch in sight."""

from __future__ import annotations

import random

import pytest

from translator.config import DecodingOptions
from translator.engine.scheduler import (
    EXPRESS_GROUP,
    Lane,
    Queue,
    Request,
    Scheduler,
    SchedulerConfig,
)
from translator.errors import DeadlineExceededError, EngineOverloadedError

GREEDY, BEAM = DecodingOptions(beam_size=1), DecodingOptions(beam_size=4)


def request(length: int, options: DecodingOptions = GREEDY, group_size: int = 1) -> Request:
    return Request([1] * length, options, group_size=group_size)


class Simulation:
    """A machine whose steps cost time, and whose sentences need as many steps as they have ids."""

    def __init__(self, scheduler: Scheduler, cost_s: float = 1e-4) -> None:
        self.scheduler, self.cost_s, self.now_s = scheduler, cost_s, 0.0
        self.left: dict[Request, int] = {}
        self.finished_s: dict[Request, float] = {}
        self.lanes: dict[Request, Lane] = {}
        self.most_padded = 0

    def step(self) -> bool:
        """Take one step in one lane; return whether there was one to take."""
        lane = self.scheduler.choose(self.now_s)
        if lane is None:
            return False
        admitted = self.scheduler.admit(lane)
        for item in admitted:
            self.left[item], self.lanes[item] = len(item.source_ids), lane
        rows = len(lane.running) * lane.beam_size
        longest = max(len(item.source_ids) for item in lane.running)
        self.most_padded = max(self.most_padded, rows * longest)
        spent_s = self.cost_s * (1 + rows / 8 + sum(len(r.source_ids) for r in admitted) / 50)
        self.now_s += spent_s
        self.scheduler.spend(lane, spent_s)
        for item in list(lane.running):
            self.left[item] -= 1
            if not self.left[item]:
                self.finished_s[item] = self.now_s
                self.scheduler.release(lane, item)
        return True

    def run(self) -> None:
        while self.step():
            pass


def test_everything_is_decoded_and_the_budget_bounds_padding_and_beams() -> None:
    generator = random.Random(0)
    scheduler = Scheduler(SchedulerConfig(max_batch_tokens=400))
    waiting = [
        request(
            generator.randint(1, 60), generator.choice([GREEDY, BEAM]), generator.choice([1, 100])
        )
        for _ in range(400)
    ]
    simulation = Simulation(scheduler)
    for item in waiting:
        scheduler.add(item)
        if generator.random() < 0.3:
            simulation.step()
    simulation.run()
    assert simulation.finished_s.keys() == set(waiting)
    assert simulation.most_padded <= 400
    assert scheduler.choose(0.0) is None


def test_the_encoder_is_never_given_more_than_its_bound() -> None:
    scheduler = Scheduler(SchedulerConfig(max_encode_tokens=100))
    for _ in range(100):
        scheduler.add(request(30))
    lane = scheduler.choose(0.0)
    assert lane is not None
    assert [len(item.source_ids) for item in scheduler.admit(lane)] == [30, 30, 30]


def test_a_sentence_beyond_the_bound_joins_alone_and_holds_no_one_up() -> None:
    scheduler = Scheduler(SchedulerConfig(max_encode_tokens=100, express_gap_s=0.0))
    for length in (130, 130, 20, 20):
        scheduler.add(request(length))
    taken = []
    for _ in range(3):
        lane = scheduler.choose(0.0)
        assert lane is not None
        taken.append([len(item.source_ids) for item in scheduler.admit(lane)])
    assert taken == [[130], [130], [20, 20]]


@pytest.mark.parametrize("group_size", [1, EXPRESS_GROUP, EXPRESS_GROUP + 1])
def test_a_short_request_overtakes_a_book_and_the_book_still_finishes(group_size: int) -> None:
    def short_request() -> list[Request]:
        return [request(20, group_size=group_size) for _ in range(group_size)]

    def seconds_for(lines: list[Request], simulation: Simulation) -> float:
        before_s = simulation.now_s
        for line in lines:
            simulation.scheduler.add(line)
        while not simulation.finished_s.keys() >= set(lines):
            simulation.step()
        return simulation.now_s - before_s

    simulation, lines = Simulation(Scheduler()), short_request()
    book = [request(20, group_size=500) for _ in range(500)]
    for item in book:
        simulation.scheduler.add(item)
    for _ in range(30):
        simulation.step()
    beside_s, alone_s = (
        seconds_for(lines, simulation),
        seconds_for(short_request(), Simulation(Scheduler())),
    )
    assert (beside_s < 2 * alone_s) == (group_size <= 8), "8 sentences are still a short request"
    simulation.run()
    assert simulation.finished_s.keys() == {*book, *lines}


def test_a_book_keeps_its_share_beside_an_endless_stream_of_lines() -> None:
    scheduler = Scheduler(SchedulerConfig(express_weight=4.0))
    simulation = Simulation(scheduler)
    book = [request(20, group_size=500) for _ in range(500)]
    for item in book:
        scheduler.add(item)
    spent_s = {True: 0.0, False: 0.0}
    while not simulation.finished_s.keys() >= set(book):
        scheduler.add(request(20))
        before_s, lane = simulation.now_s, scheduler.choose(simulation.now_s)
        simulation.step()
        assert lane is not None
        spent_s[lane.is_express] += simulation.now_s - before_s
    assert 0.15 < spent_s[False] / sum(spent_s.values()) < 0.3


def test_similar_lengths_come_together_and_the_longest_come_first() -> None:
    scheduler = Scheduler(SchedulerConfig(max_batch_tokens=40, max_encode_tokens=40))
    for length in (10, 30, 11, 31, 9, 29):
        scheduler.add(request(length, group_size=100))
    taken = []
    while (lane := scheduler.choose(0.0)) is not None:
        admitted = scheduler.admit(lane)
        taken.append([len(item.source_ids) for item in admitted])
        for item in list(lane.running):
            scheduler.release(lane, item)
    assert taken == [[31], [30], [29], [11, 10, 9]]


def test_what_arrives_during_a_sweep_waits_for_the_next() -> None:
    """Otherwise an endless stream of similar sentences would starve the others."""
    scheduler = Scheduler(SchedulerConfig(max_rows=1))
    first = [request(length, group_size=100) for length in (30, 5)]
    for item in first:
        scheduler.add(item)
    served = []
    for _ in range(6):
        lane = scheduler.choose(0.0)
        assert lane is not None
        served += scheduler.admit(lane)
        scheduler.add(request(30, group_size=100))
        for item in list(lane.running):
            scheduler.release(lane, item)
    assert served.index(first[1]) == 1


def test_documents_take_larger_turns_while_no_line_would_have_to_wait() -> None:
    config = SchedulerConfig(
        max_rows=4,
        turn_rows=10,
        express_turn_rows=30,
        max_encode_tokens=20,
        quiet_factor=2,
        quiet_s=0.5,
    )
    scheduler, line = Scheduler(config), request(5)

    def admitted(now_s: float) -> tuple[int, int]:
        """Let as many begin as may, and finish at once; also return the rows of a turn."""
        lane = scheduler.choose(now_s)
        assert lane is not None
        begun = scheduler.admit(lane)
        for item in begun:
            scheduler.release(lane, item)
        return len(begun), scheduler.turn_rows(lane)

    for _ in range(40):
        scheduler.add(request(5, group_size=100))
    assert admitted(1.0) == (8, 40)
    scheduler.add(line)
    assert admitted(1.1) == (1, 30)
    assert admitted(1.2) == (4, 10)
    assert admitted(1.6) == (4, 10)
    assert admitted(1.7) == (8, 40)


def test_short_requests_may_run_for_a_while_at_once() -> None:
    scheduler = Scheduler(SchedulerConfig(burst_s=0.25, express_weight=4.0))
    scheduler.add(request(30, group_size=100))
    for _ in range(100):
        lane = scheduler.choose(0.0)
        assert lane is not None
        scheduler.admit(lane)
        scheduler.spend(lane, 0.01)
    scheduler.add(request(30))
    turns = 0
    while (lane := scheduler.choose(0.0)) is not None and lane.is_express:
        scheduler.admit(lane)
        scheduler.spend(lane, 0.01)
        turns += 1
    assert turns == pytest.approx(0.25 / 0.01, abs=6)


def test_who_is_given_up_meanwhile_is_told_so_or_stays() -> None:
    queue, answers = Queue(by_length=False), iter([False, True])
    queue.add(request(5))
    removed = queue.remove(lambda _: next(answers))
    assert len(removed) + len(queue) == 1


def test_a_large_lane_admits_when_a_quarter_of_it_is_free() -> None:
    scheduler = Scheduler(SchedulerConfig(max_rows=8))
    for _ in range(20):
        scheduler.add(request(5, group_size=100))
    lane = scheduler.choose(0.0)
    assert lane is not None
    running = scheduler.admit(lane)
    assert len(running) == 8
    scheduler.release(lane, running[0])
    assert scheduler.admit(lane) == []
    scheduler.release(lane, running[1])
    assert len(scheduler.admit(lane)) == 2


def test_lines_that_come_shortly_after_one_another_join_together() -> None:
    scheduler = Scheduler(SchedulerConfig(express_gap_s=0.01))
    admitted = []
    for now_s in (0.0, 0.004, 0.008, 0.012, 0.016):
        scheduler.add(request(5))
        lane = scheduler.choose(now_s)
        assert lane is not None
        admitted.append(len(scheduler.admit(lane)))
    assert admitted == [1, 0, 0, 3, 0]  # the first, into an empty lane, at once


def test_a_giant_is_decoded_alone() -> None:
    scheduler = Scheduler(SchedulerConfig(max_batch_tokens=10, max_encode_tokens=10))
    scheduler.add(request(1000))
    scheduler.add(request(5))
    lane = scheduler.choose(0.0)
    assert lane is not None
    [giant] = scheduler.admit(lane)
    assert scheduler.admit(lane) == []
    scheduler.release(lane, giant)
    assert [len(item.source_ids) for item in scheduler.admit(lane)] == [5]


def test_cancelled_requests_leave_the_queue() -> None:
    scheduler = Scheduler()
    first, second = request(3), request(3, group_size=100)
    for item in (first, second):
        scheduler.add(item)
        item.future.cancel()
    assert scheduler.choose(0.0) is None
    assert len(scheduler) == 0


def test_late_requests_are_told_so() -> None:
    scheduler = Scheduler()
    late = Request([1, 2], GREEDY, deadline_s=1.0)
    scheduler.add(late)
    assert scheduler.choose(0.9) is not None
    assert scheduler.choose(1.1) is None
    with pytest.raises(DeadlineExceededError, match="waited longer than its time limit"):
        late.future.result(timeout=0)


def test_a_full_queue_refuses() -> None:
    scheduler = Scheduler(SchedulerConfig(max_queue=2))
    scheduler.add(request(1))
    scheduler.add(request(1))
    with pytest.raises(EngineOverloadedError, match="2 sentences are waiting already; try again"):
        scheduler.add(request(1))
    lane = scheduler.choose(0.0)
    assert lane is not None
    scheduler.admit(lane)
    scheduler.add(request(1))


def test_draining_takes_everything() -> None:
    scheduler = Scheduler()
    waiting = [request(n, group_size=n) for n in (1, 200)]
    for item in waiting:
        scheduler.add(item)
    assert set(scheduler.drain()) == set(waiting)
    assert len(scheduler) == 0


def test_a_lane_that_was_alone_for_long_has_no_debts_when_others_come() -> None:
    scheduler = Scheduler()
    simulation = Simulation(scheduler)
    for _ in range(3000):  # lines, one after the other, and nothing else
        scheduler.add(request(20))
        simulation.run()
    assert simulation.now_s > 5
    for item in (book := [request(20, group_size=500) for _ in range(500)]):
        scheduler.add(item)
    simulation.step()
    before_s, line = simulation.now_s, request(20)
    scheduler.add(line)
    while line not in simulation.finished_s:
        simulation.step()
    assert simulation.finished_s[line] - before_s < 0.05
    assert not simulation.finished_s.keys() >= set(book)
