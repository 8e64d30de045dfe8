"""The engine: one thread owns the model; sentences join and leave what is being decoded."""

from __future__ import annotations

import logging
import math
import os
import sys
import time
from concurrent.futures import Future

from translator.engine.loop import EngineLoop
from translator.engine.running_batch import RunningBatch, decode_batch
from translator.engine.scheduler import (
    LOOK_EVERY_S,
    Lane,
    Request,
    Scheduler,
    fail_late,
    is_unwanted,
)
from translator.errors import EngineOverloadedError
from translator.runtime.contract import ForcedScorer, Runtime
from translator.tokens.port import SpecialIds

log = logging.getLogger(__name__)


class NativeEngine(EngineLoop):
    """Engine that runs a model with a runtime of ours, on a thread of its own."""

    def __init__(
        self,
        special_ids: SpecialIds,
        inference: Runtime,
        scheduler: Scheduler | None = None,
        threads: int | None = None,
        successor: Future[Runtime] | None = None,
    ) -> None:
        """Start the loop, with as many CPU threads as the runtime takes by itself if None.

        A successor takes the runtime's place when it is ready; what is being decoded then begins
        anew.
        """
        super().__init__(inference.config.num_source_pieces, scheduler)
        self._special_ids, self._inference = special_ids, inference
        self._threads, self._successor = threads, successor
        self._num_threads = threads or os.cpu_count() or 1
        self._looked_s: dict[Lane, float] = {}
        self._batches: dict[Lane, RunningBatch[Request]] = {}
        self._returning: dict[Lane, list[Request]] = {}  # what a successor decodes anew
        self.start()

    def _run(self) -> None:
        with self._inference.at_work(self._threads):
            super()._run()

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights; see `Engine.num_bytes`."""
        return self._inference.num_bytes

    def forced_scorer(self) -> ForcedScorer | None:
        """Return the runtime's; see `Engine.forced_scorer`."""
        return self._inference.forced_scorer()

    def _take_turn(self, lane: Lane, newcomers: list[Request]) -> None:
        try:
            if self._successor is not None and self._successor.done():
                self._hand_over(self._successor)
            batch = self._batches.get(lane)
            if batch is None:
                batch = RunningBatch(self._inference, lane.beam_size, self._special_ids)
                self._batches[lane] = batch
            newcomers = self._returning.pop(lane, []) + newcomers
            self._give_up_unwanted(lane, batch)
            if newcomers:
                sources = [request.source_ids for request in newcomers]
                options = [request.options for request in newcomers]
                starts = [request.start_ids for request in newcomers]
                batch.admit(newcomers, sources, options, starts)
            turn_rows = self._scheduler.turn_rows(lane)
            finished = batch.step(turn_rows, waits=not lane.is_express)
            for request, hypotheses in finished:
                self._deliver(lane, request, hypotheses)
        except Exception:
            log.exception("a batch failed; its sentences are decoded one at a time")
        else:
            return
        batch = None  # and only here, where no traceback keeps it: its memory may be missing
        self._decode_alone(lane)

    def _give_up_unwanted(self, lane: Lane, batch: RunningBatch[Request]) -> None:
        """Drop what no one waits for any more, if that was not looked for just now."""
        now_s = time.monotonic()
        if now_s - self._looked_s.get(lane, -math.inf) < LOOK_EVERY_S:
            return
        self._looked_s[lane] = now_s
        for request in [key for key in batch.keys if is_unwanted(key, now_s)]:
            batch.drop(request)
            self._give_up(lane, request)

    def _give_up(self, lane: Lane, request: Request) -> None:
        fail_late(request)
        self._release(lane, request)

    def _hand_over(self, successor: Future[Runtime]) -> None:
        """Let another model decode from now on; if it could not be made, that is the end of it."""
        self._successor = None
        error = successor.exception()
        if error is not None:
            log.error("translating on without a compiler: %s", error)
            return
        self._inference = successor.result()
        self._num_threads = 1  # int8 takes no more
        self._returning = {lane: batch.keys for lane, batch in self._batches.items()}
        self._batches = {}

    def _decode_alone(self, lane: Lane) -> None:
        """After an error, decode each running sentence alone, so that only the culprit fails.

        A GPU that has failed computes nothing more in this process. Then the engine ends, so that
        whoever looks after the process can begin another.
        """
        self._batches.pop(lane, None)
        is_lost = False
        with self._condition:
            running = list(lane.running)
        for request in running:
            if is_unwanted(request, time.monotonic()):
                self._give_up(lane, request)
                continue
            try:
                hypotheses = decode_batch(
                    self._inference,
                    [request.source_ids],
                    request.options,
                    self._special_ids,
                    [request.start_ids],
                )
                self._deliver(lane, request, hypotheses[0])
            except Exception as error:
                is_lost = is_lost or is_lost_gpu(error)
                why = f"no memory is left for a sentence of {len(request.source_ids)} pieces"
                overloaded = EngineOverloadedError(f"{why}; try again later")
                self._deliver(lane, request, overloaded if is_out_of_memory(error) else error)
        if is_lost:
            log.critical("the GPU has failed, and computes nothing more here: the engine ends")
            self.end()


def is_lost_gpu(error: Exception) -> bool:
    """Return whether a GPU has failed: it computes nothing more in this process."""
    torch = sys.modules.get("torch")  # who has no GPU has not imported PyTorch
    return torch is not None and isinstance(error, torch.AcceleratorError)


def is_out_of_memory(error: Exception) -> bool:
    """Return whether a GPU has no memory left for what was to be computed."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(error, torch.OutOfMemoryError)
