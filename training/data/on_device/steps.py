"""Steps whose batches are said by rows, made ahead in a thread: sorting a pool takes a while."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeVar

import numpy as np

from training.data.loader import StepBatches, StepPlan
from training.data.on_device.text import DeviceText

NUM_AHEAD = 64
POLL_S = 0.5  # how often the thread looks whether anyone still reads

Item = TypeVar("Item")


def load_rows(text: DeviceText, step_plans: Iterator[StepPlan]) -> Iterator[StepBatches]:
    """Yield the batches of each plan, in order."""

    def made() -> Iterator[StepBatches]:
        for plan in step_plans:
            indices = (np.array(some, dtype=np.int64) for some, _ in plan.micro_batches)
            yield StepBatches(plan.epoch, plan.position, [text.batch(some) for some in indices])

    return ahead(made(), NUM_AHEAD)


def ahead(items: Iterator[Item], count: int) -> Iterator[Item]:
    """Yield `items`, of which a thread makes up to `count` before they are asked for.

    An exception of theirs is raised here. The thread ends when the iterator is closed.
    """
    ready: queue.Queue[Item | BaseException] = queue.Queue(count)
    is_over = threading.Event()

    def put(item: Item | BaseException) -> None:
        is_put = False
        while not is_put and not is_over.is_set():
            with suppress(queue.Full):
                ready.put(item, timeout=POLL_S)
                is_put = True

    def make() -> None:
        try:
            for item in items:
                put(item)
                if is_over.is_set():
                    return
            put(StopIteration())
        except BaseException as error:
            put(error)

    threading.Thread(target=make, name="batches ahead", daemon=True).start()
    try:
        while not isinstance(item := ready.get(), BaseException):
            yield item
        if not isinstance(item, StopIteration):
            raise item
    finally:
        is_over.set()
