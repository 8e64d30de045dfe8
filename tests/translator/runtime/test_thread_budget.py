from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor

from tests.waiting import wait_until
from translator.runtime.thread_budget import ThreadBudget, taken


def test_engines_together_never_take_more_threads_than_there_are() -> None:
    budget, lock = ThreadBudget(3), threading.Lock()
    most = running = 0

    def take_turns(seed: int) -> None:
        nonlocal most, running
        rng = random.Random(seed)
        for _ in range(50):
            threads = rng.randint(1, 3)
            with taken(budget, threads):
                with lock:
                    running += threads
                    most = max(most, running)
                with lock:
                    running -= threads

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(take_turns, range(8)))
    assert 0 < most <= 3, "threads at work"
    with budget.taken(3):
        pass  # all have been given back


def test_who_wants_many_is_not_overtaken_for_ever() -> None:
    budget, order = ThreadBudget(2), list[str]()
    has_one, may_end = threading.Event(), threading.Event()

    def hold_one() -> None:
        with budget.taken(1):
            has_one.set()
            may_end.wait()

    def take(name: str, threads: int) -> None:
        with budget.taken(threads):
            order.append(name)

    threads = [threading.Thread(target=hold_one)]
    threads[0].start()
    has_one.wait()
    for number, (name, wanted) in enumerate((("both", 2), ("one", 1)), start=1):
        threads.append(threading.Thread(target=take, args=(name, wanted)))
        threads[-1].start()
        wait_until(lambda number=number: len(budget._waiting) == number)  # type: ignore[misc]
    assert order == [], "a thread is free, but who came first needs two"
    may_end.set()
    for thread in threads:
        thread.join()
    assert order == ["both", "one"]


def test_more_threads_than_there_are_means_all() -> None:
    with ThreadBudget(2).taken(16), taken(None, 4):
        pass


def test_threads_are_given_back_after_an_error() -> None:
    budget = ThreadBudget(1)
    for _ in range(2):
        try:
            with budget.taken(1):
                raise InterruptedError
        except InterruptedError:
            pass
