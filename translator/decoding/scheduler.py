"""Which waiting sentences are decoded together: a padded-token budget and similar lengths."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from translator.config import DecodingOptions
from translator.decoding.hypothesis import Hypothesis
from translator.errors import EngineOverloadedError


@dataclass(eq=False, slots=True)
class Request:
    """One waiting sentence; see `Engine.submit`."""

    source_ids: Sequence[int]
    options: DecodingOptions
    reverse_tag_id: int | None = None
    future: Future[list[Hypothesis]] = field(default_factory=Future)


class Scheduler:
    """A bounded queue that gives out batches.

    The sentence that has waited longest is always in the next batch; it is joined by those nearest
    to it in length among the next `window`, as long as padding stays within the budget and the
    search options are the same.
    """

    def __init__(
        self, max_batch_tokens: int = 4096, max_queue: int = 20_000, window: int = 1024
    ) -> None:
        """Create an empty queue.

        Args:
            max_batch_tokens: rows times the longest source times the beam size of a batch.
            max_queue: sentences that may wait.
            window: how far ahead to look for sentences of similar length.
        """
        self.max_batch_tokens, self.max_queue, self.window = max_batch_tokens, max_queue, window
        self._waiting: deque[Request] = deque()

    def __len__(self) -> int:
        """Return how many sentences wait."""
        return len(self._waiting)

    def add(self, request: Request) -> None:
        """Queue a request.

        Raises:
            EngineOverloadedError: the queue is full.
        """
        if len(self._waiting) >= self.max_queue:
            raise EngineOverloadedError(
                f"{self.max_queue} sentences are waiting already; try again later"
            )
        self._waiting.append(request)

    def admit(self) -> list[Request]:
        """Take the next batch, sorted by length; empty if nothing waits. Drops cancelled ones."""
        ahead: list[Request] = []
        while self._waiting and len(ahead) < self.window:
            request = self._waiting.popleft()
            if not request.future.cancelled():
                ahead.append(request)
        if not ahead:
            return []
        oldest = ahead[0]
        alike = [request for request in ahead if request.options == oldest.options]
        alike.sort(key=lambda request: abs(len(request.source_ids) - len(oldest.source_ids)))
        batch, longest = [oldest], len(oldest.source_ids)
        for request in alike:
            if request is oldest:
                continue
            longest = max(longest, len(request.source_ids))
            if (len(batch) + 1) * longest * oldest.options.beam_size > self.max_batch_tokens:
                break
            batch.append(request)
        chosen = set(map(id, batch))
        self._waiting.extendleft(r for r in reversed(ahead) if id(r) not in chosen)
        return sorted(batch, key=lambda request: len(request.source_ids))

    def drain(self) -> list[Request]:
        """Take everything that waits."""
        rest = list(self._waiting)
        self._waiting.clear()
        return rest
