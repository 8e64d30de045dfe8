"""The engine: one thread owns the model, and decodes what waits, batch after batch."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

import torch

from translator.batch import pad, padding_mask
from translator.config import DecodingOptions
from translator.decoding import search
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.reranking import rerank
from translator.decoding.scheduler import Request, Scheduler
from translator.errors import EngineClosedError
from translator.model.transformer import Transformer
from translator.tokenizer import Tokenizer


@dataclass(frozen=True, kw_only=True, slots=True)
class SpecialIds:
    """Ids that decoding must know.

    Attributes:
        bos_id: starts every target.
        eos_id: ends it.
        forbidden_ids: never produced: padding, BOS, tags, `<unk>`.
    """

    bos_id: int
    eos_id: int
    forbidden_ids: tuple[int, ...]

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> SpecialIds:
        """Return the special ids of a vocabulary: everything but text and EOS is forbidden."""
        special = {*tokenizer.control_ids, tokenizer.pad_id, tokenizer.bos_id, tokenizer.unk_id}
        forbidden_ids = tuple(sorted(special - {tokenizer.eos_id}))
        return cls(bos_id=tokenizer.bos_id, eos_id=tokenizer.eos_id, forbidden_ids=forbidden_ids)


@torch.inference_mode()
def decode_batch(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    options: DecodingOptions,
    special_ids: SpecialIds,
) -> list[list[Hypothesis]]:
    """Translate a batch; sentences that are done leave it at once.

    Args:
        model: in evaluation mode.
        sources: B id sequences: tag, pieces, EOS.
        options: of all of them.
        special_ids: of the vocabulary.

    Returns:
        B lists of hypotheses, best first.
    """
    device = model.embedding.weight.device
    src = pad(sources, model.config.pad_id).to(device)
    src_mask = padding_mask(src, model.config.pad_id)
    cache = model.start_cache(model.encode(src, src_mask), src_mask, options.beam_size)
    limits = [options.max_length(len(source)) for source in sources]
    state = search.start(limits, options, special_ids.eos_id, device=device)
    forbidden = torch.tensor(special_ids.forbidden_ids, device=device)
    ids = torch.full((len(sources) * options.beam_size,), special_ids.bos_id, device=device)
    finished: list[list[Hypothesis]] = [[] for _ in sources]
    while True:
        logits = model.decode_step(ids, cache)
        log_probs = logits.float().log_softmax(dim=-1)  # (N, V)
        step = search.advance(state, log_probs.view(*state.log_probs.shape, -1), forbidden)
        state, rows = step.state, step.parent_rows.view_as(step.next_ids)
        done = step.done.tolist()
        if any(done):
            for place in (place for place, is_done in enumerate(done) if is_done):
                finished[state.sentence_indices[place]] = search.results(state, place)
            if all(done):
                return finished
            keep = (~step.done).nonzero()[:, 0]
            state = search.compact(state, keep)
            cache.select(rows[keep].flatten(), keep)
            ids = step.next_ids[keep].flatten()
        else:
            if options.beam_size > 1:
                cache.select(rows.flatten())
            ids = step.next_ids.flatten()


class TorchEngine:
    """Engine that runs the model in PyTorch, on a thread of its own."""

    def __init__(
        self,
        model: Transformer,
        special_ids: SpecialIds,
        scheduler: Scheduler | None = None,
        threads: int | None = None,
    ) -> None:
        """Start the loop.

        Args:
            model: in evaluation mode, on its device; from now on touched by the loop alone.
            special_ids: of the vocabulary.
            scheduler: gives out the batches.
            threads: CPU threads of the loop; torch's default if None.
        """
        self._model, self._special_ids = model, special_ids
        self._scheduler = scheduler or Scheduler()
        self._threads = threads
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
    ) -> Future[list[Hypothesis]]:
        """Queue one sentence; see `Engine.submit`."""
        if options.reverse_weight and reverse_tag_id is None:
            raise ValueError("reverse_weight needs the tag of the source's language")
        request = Request(source_ids, options, reverse_tag_id)
        with self._condition:
            if not self.is_alive:
                raise EngineClosedError("the engine is closed; load the translator again")
            self._scheduler.add(request)
            self._condition.notify()
        return request.future

    def close(self) -> None:
        """Stop after the batch in hand; sentences still waiting fail with EngineClosedError."""
        with self._condition:
            self._is_open = False
            self._condition.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        if self._threads is not None:
            torch.set_num_threads(self._threads)
        try:
            while batch := self._next_batch():
                self._decode(batch)
        finally:
            with self._condition:
                self._is_open = False
                for request in self._scheduler.drain():
                    if request.future.set_running_or_notify_cancel():
                        request.future.set_exception(EngineClosedError("the engine was closed"))

    def _next_batch(self) -> list[Request]:
        """Wait for work; empty when the engine is closed."""
        with self._condition:
            while self._is_open:
                batch = self._scheduler.admit()
                running = [r for r in batch if r.future.set_running_or_notify_cancel()]
                if running:
                    return running
                if not len(self._scheduler):
                    self._condition.wait()
        return []

    def _decode(self, batch: list[Request]) -> None:
        """Decode one batch; if it fails, each sentence alone, so that only the culprit fails."""
        try:
            answers = self._answers(batch)
        except Exception as error:
            if len(batch) == 1:
                batch[0].future.set_exception(error)
                return
            for request in batch:
                self._decode([request])
            return
        for request, hypotheses in zip(batch, answers, strict=True):
            request.future.set_result(hypotheses)

    def _answers(self, batch: list[Request]) -> list[list[Hypothesis]]:
        """Search, and let the model read its translations back if that is wanted."""
        model, special_ids, options = self._model, self._special_ids, batch[0].options
        sources = [request.source_ids for request in batch]
        tags = [r.reverse_tag_id for r in batch if r.reverse_tag_id is not None]
        if not options.reverse_weight:
            return decode_batch(model, sources, options, special_ids)
        whole_beam = replace(options, num_hypotheses=options.beam_size)
        found = decode_batch(model, sources, whole_beam, special_ids)
        return rerank(model, sources, found, tags, options, special_ids.bos_id)
