"""What one caller has in the engine: so many sentences that batches are full, and no more."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future

from translator.config import DecodingOptions
from translator.decoding.engine import Engine
from translator.decoding.hypothesis import Hypothesis
from translator.errors import EngineOverloadedError

SENTENCES_AT_ONCE = 2000
"""Of one caller: many batches, so that the engine never waits, and a tenth of its queue."""


class EngineCall:
    """The sentences of one caller, who may have any number of them.

    A context: on leaving it, what is not finished leaves the engine. Of one thread only.
    """

    def __init__(
        self, engine: Engine, group_size: int = 1, reverse_tag_id: int | None = None
    ) -> None:
        """Begin with nothing submitted; for the arguments see `Engine.submit`."""
        self._engine, self._group_size, self._reverse_tag_id = engine, group_size, reverse_tag_id
        self._unfinished: set[Future[list[Hypothesis]]] = set()
        self._condition = threading.Condition()  # of the set, which the engine's thread changes too

    def __enter__(self) -> EngineCall:
        """Return self."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give up what is not finished; what is running leaves the batch."""
        with self._condition:
            unfinished = list(self._unfinished)
        for future in unfinished:
            future.cancel()

    def submit(
        self, source_ids: Sequence[int], options: DecodingOptions
    ) -> Future[list[Hypothesis]]:
        """Queue one sentence, as soon as there is a place for it; see `Engine.submit`.

        If others fill the queue, one of the caller's own sentences has to be finished first.

        Raises:
            EngineOverloadedError: others fill the queue, and the caller has nothing in it.
            EngineClosedError: the engine has been closed or has died.
        """
        unfinished = self._wait_for_fewer_than(SENTENCES_AT_ONCE)
        while True:
            try:
                future = self._engine.submit(
                    source_ids, options, self._reverse_tag_id, self._group_size
                )
                break
            except EngineOverloadedError:
                if unfinished == 0:
                    raise
            unfinished = self._wait_for_fewer_than(unfinished)
        with self._condition:
            self._unfinished.add(future)
        future.add_done_callback(self._note_finished)
        return future

    def _wait_for_fewer_than(self, limit: int) -> int:
        """Wait until fewer sentences are unfinished; return how many."""
        with self._condition:
            self._condition.wait_for(lambda: len(self._unfinished) < limit)
            return len(self._unfinished)

    def _note_finished(self, future: Future[list[Hypothesis]]) -> None:
        with self._condition:
            self._unfinished.discard(future)
            self._condition.notify()
