"""Models in memory, with translators that are only counted."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
import torch

from tests.waiting import wait_until
from translator.config import ModelConfig, ModelDescription
from translator.deadline import Deadline
from translator.engine.port import Statistics
from translator.errors import DeadlineExceededError, EngineClosedError, ModelDirectoryError
from translator.pipeline.models.residence import LoadError, Residence
from translator.pipeline.translator import Translator
from translator.store.installed import InstalledModel

DESCRIPTION = ModelDescription(model=ModelConfig(vocab_size=9), languages=(), directions=())


def installed(name: str, num_bytes: int = 50) -> InstalledModel:
    """Return a model that takes twice as many bytes."""
    return InstalledModel(
        path=Path(name),
        name=name,
        checksum=name,
        description=DESCRIPTION,
        card={},
        num_bytes=num_bytes,
    )


A, B, C = (installed(name) for name in "ABC")


class Fake:
    """A translator that remembers whether it has been closed."""

    def __init__(self, model: InstalledModel) -> None:
        self.name, self.is_alive, self.is_closed = model.name, True, False
        self.num_bytes = 2 * model.num_bytes

    def statistics(self) -> Statistics:
        return Statistics(sentences=1, queued=5)

    def close(self) -> None:
        self.is_alive, self.is_closed = False, True


class Loader:
    """Loads models, as long as it may."""

    def __init__(self) -> None:
        self.loads = Counter[str]()
        self.made: list[Fake] = []
        self.may_go_on: dict[str, threading.Event] = {}
        self.errors: dict[str, Exception] = {}

    def hold(self, name: str) -> threading.Event:
        self.may_go_on[name] = threading.Event()
        return self.may_go_on[name]

    def __call__(self, model: InstalledModel) -> Translator:
        self.loads[model.name] += 1
        if model.name in self.may_go_on:
            assert self.may_go_on[model.name].wait(60)
        if model.name in self.errors:
            raise self.errors[model.name]
        self.made.append(Fake(model))
        return cast(Translator, self.made[-1])


@pytest.fixture
def loader() -> Loader:
    return Loader()


def use(residence: Residence, *models: InstalledModel, **options: Any) -> list[str]:
    with residence.lend(models, **options) as found:
        return [cast(Fake, one).name for one in found]


def loaded(residence: Residence, *models: InstalledModel) -> str:
    return "".join(model.name for model in models if residence.state(model).is_loaded)


def start(do: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return thread


def test_a_model_is_loaded_once_however_many_want_it(loader: Loader) -> None:
    residence, may_go_on = Residence(loader), loader.hold("A")
    with ThreadPoolExecutor(8) as pool:
        found = [pool.submit(use, residence, A) for _ in range(8)]
        wait_until(lambda: loader.loads["A"] == 1)
        assert use(residence, B) == ["B"], "another model does not wait for it"
        assert not any(one.done() for one in found)
        may_go_on.set()
        assert [one.result(60) for one in found] == [["A"]] * 8
    assert loader.loads == {"A": 1, "B": 1}
    state = residence.state(A)
    assert (state.name, state.is_loaded, state.num_bytes, state.loads) == ("A", True, 100, 1)
    assert state.load_s > 0


def test_memory_is_estimated_by_how_a_model_is_stored(loader: Loader) -> None:
    small = replace(A, checksum="int8", description=replace(DESCRIPTION, weights="int8"))
    residence = Residence(loader)
    assert [residence.state(one).num_bytes for one in (A, small)] == [100, 50]


def test_a_directory_that_was_replaced_is_another_model(loader: Loader) -> None:
    residence = Residence(loader)
    assert use(residence, A, replace(A, checksum="new")) == ["A", "A"]
    assert loader.loads == {"A": 2}


def test_the_model_used_least_makes_room(loader: Loader) -> None:
    residence = Residence(loader, max_bytes=200)
    for model in (A, B, A, C):
        use(residence, model)
    assert loaded(residence, A, B, C) == "AC"
    assert [one.is_closed for one in loader.made] == [False, True, False]
    assert [residence.state(model).evictions for model in (A, B, C)] == [0, 1, 0]
    assert use(residence, B) == ["B"], "it comes again when it is wanted"
    assert loader.loads == {"A": 1, "B": 2, "C": 1}


def test_all_engines_end_when_the_gpu_has_failed(
    loader: Loader, caplog: pytest.LogCaptureFixture
) -> None:
    residence = Residence(loader)
    use(residence, A)
    loader.errors["B"] = torch.AcceleratorError("CUDA error: unspecified launch failure")
    with pytest.raises((LoadError, EngineClosedError)):
        use(residence, B)
    wait_until(lambda: not residence.is_open)
    assert all(one.is_closed for one in loader.made)
    assert "the GPU has failed" in caplog.text
    with pytest.raises(EngineClosedError):
        use(residence, A)


def test_a_model_in_use_stays_until_it_is_done(loader: Loader) -> None:
    residence, order = Residence(loader, max_bytes=100), list[str]()
    may_end = threading.Event()

    def hold() -> None:
        with residence.lend([A]) as [translator]:
            order.append("A begins")
            may_end.wait(60)
            order.append("A is " + ("closed" if not translator.is_alive else "still there"))

    threads = [start(hold)]
    wait_until(lambda: order == ["A begins"])
    threads.append(start(lambda: use(residence, B)))
    wait_until(lambda: len(residence._line) == 1)
    threads.append(start(lambda: use(residence, A)))  # a newcomer: in line behind B
    wait_until(lambda: len(residence._line) == 2)
    assert order == ["A begins"]
    may_end.set()
    for thread in threads:
        thread.join(60)
    assert order == ["A begins", "A is still there"]
    assert [one.name for one in loader.made] == ["A", "B", "A"]


def test_a_wait_ends_in_time_and_the_model_arrives_all_the_same(loader: Loader) -> None:
    residence, may_go_on = Residence(loader), loader.hold("A")
    with pytest.raises(DeadlineExceededError, match="loading A takes longer than the time limit"):
        use(residence, A, deadline=Deadline.within(0.01))
    may_go_on.set()
    wait_until(lambda: loaded(residence, A) == "A")
    assert use(residence, A, deadline=Deadline.within(0)) == ["A"], "what is there needs no time"
    assert loader.loads == {"A": 1}


def test_whoever_waits_can_be_told_to_stop(loader: Loader) -> None:
    def stop() -> None:
        raise InterruptedError

    residence, may_go_on = Residence(loader), loader.hold("A")
    with pytest.raises(InterruptedError):
        use(residence, A, deadline=Deadline(look=stop))
    may_go_on.set()
    wait_until(lambda: loaded(residence, A) == "A")
    assert not residence._residents[A.path, A.checksum].holders


def test_all_who_wait_hear_of_a_model_that_cannot_be_loaded(loader: Loader) -> None:
    residence, may_go_on = Residence(loader), loader.hold("A")
    loader.errors["A"] = ModelDirectoryError("A: damaged")
    with ThreadPoolExecutor(3) as pool:
        found = [pool.submit(use, residence, A) for _ in range(3)]
        wait_until(lambda: loader.loads["A"] == 1 and not residence._line)
        may_go_on.set()
        for one in found:
            error = one.exception(60)
            assert isinstance(error, LoadError)
            assert str(error.__cause__) == "A: damaged"
    del loader.errors["A"]
    assert use(residence, A) == ["A"], "whoever comes later tries again"


def test_two_models_at_once_with_room_for_one_only(loader: Loader) -> None:
    residence = Residence(loader, max_bytes=120)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(20):
            both = pool.submit(use, residence, A, B), pool.submit(use, residence, B, A)
            assert [one.result(60) for one in both] == [["A", "B"], ["B", "A"]]
    use(residence, C)
    assert loaded(residence, A, B, C) == "C", "they leave as soon as another one is wanted"


def test_whoever_holds_a_model_does_not_wait_for_room(loader: Loader) -> None:
    residence = Residence(loader, max_bytes=100)
    with residence.lend([A]):
        thread = start(lambda: use(residence, C))
        wait_until(lambda: len(residence._line) == 1)
        assert use(residence, A) == ["A"], "although it is leaving to make room"
        assert use(residence, B) == ["B"]
    thread.join(60)
    assert loaded(residence, A, B, C) == "C"


def test_a_model_larger_than_the_budget_is_alone(loader: Loader) -> None:
    residence, large = Residence(loader, max_bytes=100), installed("L", 5000)
    use(residence, A)
    for _ in range(3):
        assert use(residence, large) == ["L"]
    assert loader.loads["L"] == 1, "it stays as long as no other one is wanted"
    assert use(residence, A) == ["A"]
    assert loaded(residence, A, large) == "A"


def test_what_is_measured_counts_once_it_is_known(loader: Loader) -> None:
    residence = Residence(loader, max_bytes=250)
    use(residence, A)
    loader.made[0].num_bytes = 170  # as when int8 has taken the place of floats
    assert residence.state(A).num_bytes == 170
    use(residence, B)
    assert loaded(residence, A, B) == "B"
    loader.made[1].num_bytes = 5000
    use(residence, B)
    assert loaded(residence, A, B) == "B", "the one used last stays"


def test_models_that_are_no_longer_there_leave_when_they_are_done(loader: Loader) -> None:
    residence = Residence(loader)
    use(residence, B)
    with residence.lend([A]) as [translator]:
        residence.keep_only([C])
        assert loaded(residence, A, B) == "A"
        assert translator.is_alive
    assert loaded(residence, A, B) == ""
    assert residence.state(A).evictions == 0, "it has not made room"


def test_a_model_that_makes_room_leaves_although_it_may_be_kept(loader: Loader) -> None:
    residence = Residence(loader, max_bytes=100)
    with residence.lend([A]):
        thread = start(lambda: use(residence, B))
        wait_until(lambda: len(residence._line) == 1)
        residence.keep_only([A, B])
        assert residence.state(A).evictions == 1, "it was told once"
    thread.join(60)
    assert loaded(residence, A, B) == "B"


def test_an_engine_that_has_died_is_started_anew(loader: Loader) -> None:
    residence = Residence(loader)
    use(residence, A)
    loader.made[0].is_alive = False
    assert use(residence, A) == ["A"]
    assert loader.loads == {"A": 2}


def test_counts_of_models_that_have_left_are_kept(loader: Loader) -> None:
    residence = Residence(loader, max_bytes=100)
    for model in (A, B, A):
        use(residence, model)
    done = residence.statistics()
    assert (done.sentences, done.queued) == (3, 5), "only one of them has a queue"


def test_each_engine_in_memory_is_told_apart(loader: Loader) -> None:
    residence = Residence(loader, max_bytes=200)
    for model in (A, B, C):
        use(residence, model)
    assert residence.engines() == {name: Statistics(sentences=1, queued=5) for name in "BC"}


def test_closing_ends_all_waits(loader: Loader) -> None:
    residence, may_go_on = Residence(loader), loader.hold("A")
    use(residence, B)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(use, residence, A)
        wait_until(lambda: loader.loads["A"] == 1)
        residence.close()
        assert isinstance(waiting.exception(60), EngineClosedError)
    may_go_on.set()
    wait_until(lambda: len(loader.made) == 2 and loader.made[1].is_closed)
    assert loader.made[0].is_closed
    with pytest.raises(EngineClosedError, match="closed; load the models again"):
        use(residence, B)
    assert not residence.is_open


@pytest.mark.parametrize("max_bytes", [100, 250, 330])
def test_any_order_keeps_the_budget_and_closes_nothing_in_use(
    loader: Loader, max_bytes: int
) -> None:
    sizes = {"A": 50, "B": 40, "C": 30, "D": 45, "E": 10}
    models = [installed(name, num_bytes) for name, num_bytes in sizes.items()]
    residence, lock, most = Residence(loader, max_bytes), threading.Lock(), list[int]()

    def work(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(60):
            with residence.lend([rng.choice(models)]) as [translator]:
                with residence._condition:
                    total = residence._total()
                with lock:
                    most.append(total)
                assert translator.is_alive, "closed while it is in use"
            assert rng.random() >= 0

    with ThreadPoolExecutor(12) as pool:
        for done in [pool.submit(work, seed) for seed in range(12)]:
            done.result(60)
    assert max(most) <= max_bytes
    assert sum(loader.loads.values()) > 5, "models have come and gone"
    in_memory = [one for one in loader.made if not one.is_closed]
    assert sum(one.num_bytes for one in in_memory) <= max_bytes
