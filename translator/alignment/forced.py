"""Sentences and their known translations, read by the model: a second pass over many pairs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from translator.model.reference import Reference
from translator.runtime.contract import ForcedScorer, ForcedScores, IdPair

MOST_IDS = 500
"""Of a batch, padding included: what it computes stays in the caches."""


@dataclass(eq=False, slots=True)
class _Waiting:
    """Pairs that are to be read, and what comes of them."""

    pairs: Sequence[IdPair]
    has_log_probs: bool
    is_done: bool = False
    found: list[ForcedScores] = field(default_factory=list)
    error: Exception | None = None


class PairReader:
    """Reads pairs for many threads, one batch at a time.

    The engine has the other cores, and a long page lets others pass between its batches. Whoever's
    turn it is reads for those who wait as well, as far as they fit into a batch: reading eight
    short sentences takes little longer than reading two.

    The engine's own runtime reads them, if it can; until then, the reference model does, in ten
    times as long.

    Attributes:
        reference: the model.
    """

    def __init__(
        self,
        reference: Reference,
        pad_id: int,
        find_faster: Callable[[], ForcedScorer | None] = lambda: None,
    ) -> None:
        """Read with a model.

        Args:
            reference: the model.
            pad_id: fills up shorter sequences.
            find_faster: returns what reads pairs faster, as soon as there is something.
        """
        self.reference, self._pad_id = reference, pad_id
        self._find_faster = find_faster
        self._faster: ForcedScorer | None = None
        self._lock = threading.Lock()
        self._waiting: list[_Waiting] = []
        self._waiting_lock = threading.Lock()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the turn to run the model, in one thread: the engine has the other cores."""
        import torch

        with self._lock:
            most = torch.get_num_threads()
            torch.set_num_threads(1)
            try:
                with torch.inference_mode():
                    yield
            finally:
                torch.set_num_threads(most)

    def read(self, pairs: Sequence[IdPair], has_log_probs: bool) -> list[ForcedScores]:
        """Read pairs, which make one batch.

        Raises:
            Exception: whatever went wrong while they were read, with others or alone.
        """
        mine = _Waiting(pairs, has_log_probs)
        with self._waiting_lock:
            self._waiting.append(mine)
        self._faster = self._faster or self._find_faster()
        with self.alone() if self._faster is None else self._lock:
            if not mine.is_done:
                self._read_together(self._take(mine))
        if mine.error is not None:
            raise mine.error
        return mine.found

    def _take(self, first: _Waiting) -> list[_Waiting]:
        """Take one who waits, and others of the same kind with whom it makes a batch."""
        taken = [first]
        with self._waiting_lock:
            for other in self._waiting:
                is_alike = other is not first and other.has_log_probs == first.has_log_probs
                if is_alike and _num_ids([*taken, other]) <= MOST_IDS:
                    taken.append(other)
            self._waiting = [other for other in self._waiting if other not in taken]
        return taken

    def _read_together(self, taken: Sequence[_Waiting]) -> None:
        """Read for several at once; what goes wrong is told to all of them."""
        pairs = [pair for one in taken for pair in one.pairs]
        try:
            found = iter(self._run(pairs, taken[0].has_log_probs))
        except Exception as error:
            for one in taken:
                one.error, one.is_done = error, True
            return
        for one in taken:
            one.found, one.is_done = [next(found) for _ in one.pairs], True

    def _run(self, pairs: Sequence[IdPair], has_log_probs: bool) -> list[ForcedScores]:
        if self._faster is None:
            return self._run_reference(pairs, has_log_probs)
        return self._faster(pairs, has_log_probs)

    def _run_reference(self, pairs: Sequence[IdPair], has_log_probs: bool) -> list[ForcedScores]:
        from translator.model.embedding import pad, padding_mask
        from translator.model.transformer import AttentionWeights

        model = self.reference.get()
        device = model.embedding.weight.device
        src = pad([src for src, _ in pairs], self._pad_id).to(device)
        tgt = pad([tgt for _, tgt in pairs], self._pad_id).to(device)
        src_mask = padding_mask(src, self._pad_id)
        weights, log_probs = AttentionWeights(), None
        states = model.decode(tgt, model.encode(src, src_mask), src_mask, weights)
        if has_log_probs:
            every = model.logits(states[:, :-1]).float().log_softmax(dim=-1)  # (B, T - 1, V)
            log_probs = every.gather(2, tgt[:, 1:, None]).squeeze(2).cpu().numpy()
        found = weights.cross[-1].float().mean(dim=1).cpu().numpy()  # (B, H, T, S) -> (B, T, S)
        return [
            ForcedScores(
                found[row, : len(tgt_ids), : len(src_ids)],
                None if log_probs is None else log_probs[row, : len(tgt_ids) - 1],
            )
            for row, (src_ids, tgt_ids) in enumerate(pairs)
        ]


def _num_ids(readings: Sequence[_Waiting]) -> int:
    pairs = [pair for one in readings for pair in one.pairs]
    return len(pairs) * max(max(map(len, pair)) for pair in pairs)
