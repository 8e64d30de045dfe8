"""What one caller has in the engine: enough for full batches, and only while it is wanted."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future

from translator.config import DecodingOptions
from translator.deadline import LOOK_EVERY_S, NO_DEADLINE, Deadline
from translator.engine.port import Decoding, Engine
from translator.errors import DeadlineExceededError, EngineOverloadedError
from translator.search.hypothesis import Hypothesis

SENTENCES_AT_ONCE = 2000
"""Of one caller: many batches, so that the engine never waits, and a tenth of its queue."""

FREE_STEPS = 10_000
"""Steps of hypotheses that every caller may have for second searches: some 40 sentences."""


class EngineCall:
    """The sentences of one caller, who may have any number of them.

    A context: on leaving it, what is not finished leaves the engine. Of one thread only.
    """

    def __init__(
        self,
        engine: Engine,
        group_size: int = 1,
        deadline: Deadline = NO_DEADLINE,
        start_ids: Sequence[int] = (),
    ) -> None:
        """Begin; what the deadline's look raises comes out of `submit` or `finished`."""
        self._engine, self._group_size = engine, group_size
        self._deadline, self._start_ids = deadline, start_ids
        self._looked_s, self._num_submitted = time.monotonic(), 0
        self._steps_left = FREE_STEPS
        self._unfinished: set[Decoding] = set()
        self._condition = threading.Condition()  # of the set, which the engine's thread changes too

    def __enter__(self) -> EngineCall:
        return self

    def __exit__(self, *_: object) -> None:
        """Give up what is not finished; what is running leaves the batch."""
        with self._condition:
            unfinished = list(self._unfinished)
        for future in unfinished:
            future.cancel()

    def submit(
        self, source_ids: Sequence[int], options: DecodingOptions, prefix_ids: Sequence[int] = ()
    ) -> Decoding:
        """Queue one sentence, as soon as there is a place for it; see `Engine.submit`.

        If others fill the queue, one of the caller's own sentences has to be finished first.
        What the decoder reads behind the start ids, `prefix_ids`, is no part of hypotheses.

        Raises:
            EngineOverloadedError: others fill the queue, and the caller has nothing in it.
            EngineClosedError: the engine has been closed or has died.
            DeadlineExceededError: the time is over.
        """
        unfinished = self._wait_for_fewer_than(SENTENCES_AT_ONCE)
        while True:
            try:
                future = self._engine.submit(
                    source_ids,
                    options,
                    self._group_size,
                    self._remaining_s(),
                    (*self._start_ids, *prefix_ids),
                )
                break
            except EngineOverloadedError:
                if unfinished == 0:
                    raise
            unfinished = self._wait_for_fewer_than(unfinished)
        with self._condition:
            self._unfinished.add(future)
            self._num_submitted += 1
        future.add_done_callback(self._note_finished)
        return future

    def grow(self, more: int) -> None:
        """Count so many more sentences, such as the parts of one that is too long.

        Who asks for many of them waits for those who ask for a few.
        """
        self._group_size += more

    def earn(self, num_steps: int) -> None:
        """Note that a first search took so many steps of hypotheses; see `spend`."""
        self._steps_left += num_steps

    def spend(self, num_steps: int) -> bool:
        """Return whether the caller may have a second search of so many steps, and note that.

        Second searches get as many steps as first searches have taken, and `FREE_STEPS`. Text that
        makes no sense is doubted sentence after sentence, and would take ten times as long as other
        text.
        """
        if num_steps > self._steps_left:
            return False
        self._steps_left -= num_steps
        return True

    def finished(self, future: Decoding) -> Decoding:
        """Wait for a sentence that has been submitted, and return it."""
        while True:
            try:
                future.exception(LOOK_EVERY_S)  # half the time of concurrent.futures.wait
            except TimeoutError:
                self._look()
            else:
                return future

    def _wait_for_fewer_than(self, limit: int) -> int:
        while True:
            self._look()
            if (unfinished := len(self._unfinished)) < limit:
                return unfinished  # as mostly
            with self._condition:
                if self._condition.wait_for(lambda: len(self._unfinished) < limit, LOOK_EVERY_S):
                    return len(self._unfinished)

    def _look(self) -> None:
        """Let the caller stop, if it was not asked just now."""
        now_s = time.monotonic()
        if now_s - self._looked_s >= LOOK_EVERY_S:
            self._looked_s = now_s
            self._deadline.look()
            with self._condition:
                submitted, unfinished = self._num_submitted, len(self._unfinished)
            self._deadline.tell(submitted - unfinished, max(self._group_size, submitted))

    def _remaining_s(self) -> float | None:
        """Return how much time is left; raise DeadlineExceededError if none is."""
        left_s = self._deadline.left_s()
        if left_s == 0:
            raise DeadlineExceededError(
                "the translation takes longer than its time limit; ask for less at a time, or "
                "try again later"
            )
        return left_s

    def _note_finished(self, future: Future[list[Hypothesis]]) -> None:
        with self._condition:
            self._unfinished.discard(future)
            self._condition.notify()
