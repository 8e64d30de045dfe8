"""The engine: one thread owns the model; sentences join and leave what is being decoded."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace

import torch

from translator.config import DecodingOptions
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.reranking import rerank
from translator.decoding.running_batch import RunningBatch, decode_batch
from translator.decoding.scheduler import Lane, Request, Scheduler, fail_late, is_unwanted
from translator.decoding.special_ids import SpecialIds
from translator.errors import EngineClosedError
from translator.model.inference import InferenceModel
from translator.model.transformer import Transformer

TURNS_BETWEEN_CHECKS = 8
"""How often to look whether someone still waits for what is running."""


class TorchEngine:
    """Engine that runs the model in PyTorch, on a thread of its own."""

    def __init__(
        self,
        model: Transformer,
        special_ids: SpecialIds,
        inference: InferenceModel | None = None,
        scheduler: Scheduler | None = None,
        threads: int | None = None,
    ) -> None:
        """Start the loop.

        Args:
            model: in evaluation mode, on its device; reads translations back for reranking.
            special_ids: of the vocabulary.
            inference: the model arranged for translation; in the model's own precision if None.
            scheduler: decides who is decoded next.
            threads: CPU threads of the loop; torch's default if None.
        """
        self._model, self._special_ids = model, special_ids
        self._inference = inference or InferenceModel(model, special_ids.forbidden_ids)
        self._scheduler = scheduler or Scheduler()
        self._threads = threads
        self._num_turns = 0
        self._batches: dict[Lane, RunningBatch[Request]] = {}
        self._condition = threading.Condition()
        self._is_open = True
        self._thread = threading.Thread(target=self._run, name="translator-engine", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether `submit` can still succeed."""
        return self._is_open and self._thread.is_alive()

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        reverse_tag_id: int | None = None,
        group_size: int = 1,
        timeout_s: float | None = None,
    ) -> Future[list[Hypothesis]]:
        """Queue one sentence; see `Engine.submit`."""
        vocab_size = self._inference.config.vocab_size
        if not source_ids or not 0 <= min(source_ids) <= max(source_ids) < vocab_size:
            raise ValueError(f"source ids must be 1 or more in 0..{vocab_size - 1}: {source_ids}")
        if options.reverse_weight and reverse_tag_id is None:
            raise ValueError("reverse_weight needs the tag of the source's language")
        deadline_s = None if timeout_s is None else time.monotonic() + timeout_s
        request = Request(source_ids, options, reverse_tag_id, group_size, deadline_s)
        with self._condition:
            if not self.is_alive:
                raise EngineClosedError("the engine is closed; load the translator again")
            self._scheduler.add(request)
            self._condition.notify()
        return request.future

    def close(self) -> None:
        """Stop after the sentences in hand; those still waiting fail with EngineClosedError."""
        with self._condition:
            self._is_open = False
            self._condition.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        if self._threads is not None:
            torch.set_num_threads(self._threads)
        try:
            with torch.inference_mode():
                while (turn := self._next_turn()) is not None:
                    self._take_turn(*turn)
        finally:
            with self._condition:
                self._is_open = False
                self._refuse_waiting()

    def _next_turn(self) -> tuple[Lane, list[Request]] | None:
        """Wait for work; return the lane whose turn it is and who joins it, or None if closed."""
        with self._condition:
            while True:
                if not self._is_open:
                    self._refuse_waiting()
                lane = self._scheduler.choose(time.monotonic())
                if lane is not None:
                    return lane, self._scheduler.admit(lane)
                if not self._is_open:
                    return None
                self._condition.wait()

    def _refuse_waiting(self) -> None:
        for request in self._scheduler.drain():
            if request.future.set_running_or_notify_cancel():
                request.future.set_exception(EngineClosedError("the engine was closed"))

    def _take_turn(self, lane: Lane, newcomers: list[Request]) -> None:
        """Let newcomers join a lane and take one step in it."""
        started_s = time.monotonic()
        batch = self._batches.setdefault(
            lane, RunningBatch(self._inference, lane.beam_size, self._special_ids)
        )
        self._num_turns += 1
        if self._num_turns % TURNS_BETWEEN_CHECKS == 0:
            for request in [key for key in batch.keys if is_unwanted(key, started_s)]:
                batch.drop(request)
                fail_late(request)
                self._release(lane, request)
        try:
            if newcomers:
                sources = [request.source_ids for request in newcomers]
                options = [searched(request.options) for request in newcomers]
                batch.admit(newcomers, sources, options)
            self._answer(lane, batch.step())
        except Exception:
            self._decode_alone(lane)
        with self._condition:
            self._scheduler.spend(lane, time.monotonic() - started_s)

    def _answer(self, lane: Lane, finished: list[tuple[Request, list[Hypothesis]]]) -> None:
        """Deliver hypotheses, after the model has read them back where that is wanted."""
        wanting = [pair for pair in finished if pair[0].options.reverse_weight]
        reranked = rerank(
            self._model,
            [request.source_ids for request, _ in wanting],
            [hypotheses for _, hypotheses in wanting],
            [request.reverse_tag_id or 0 for request, _ in wanting],
            [request.options for request, _ in wanting],
            self._special_ids.bos_id,
        )
        answers = dict(finished) | dict(zip([r for r, _ in wanting], reranked, strict=True))
        for request, hypotheses in answers.items():
            if request.future.set_running_or_notify_cancel():
                request.future.set_result(hypotheses)
            self._release(lane, request)

    def _decode_alone(self, lane: Lane) -> None:
        """After an error, decode each sentence in hand alone, so that only the culprit fails."""
        self._batches.pop(lane)
        with self._condition:
            in_hand = list(lane.running)
        for request in in_hand:
            try:
                options = searched(request.options)
                found = decode_batch(
                    self._inference, [request.source_ids], options, self._special_ids
                )
                self._answer(lane, [(request, found[0])])
            except Exception as error:
                if request.future.set_running_or_notify_cancel():
                    request.future.set_exception(error)
                self._release(lane, request)

    def _release(self, lane: Lane, request: Request) -> None:
        with self._condition:
            self._scheduler.release(lane, request)


def searched(options: DecodingOptions) -> DecodingOptions:
    """Return the options of the search itself: reranking chooses from the whole beam."""
    if not options.reverse_weight:
        return options
    return replace(options, num_hypotheses=options.beam_size)
