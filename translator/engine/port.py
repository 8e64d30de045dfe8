"""The port to the decoding engine: the only place where a request changes threads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple, Protocol

from translator.config import DecodingOptions
from translator.runtime.thread_budget import ThreadBudget
from translator.search.hypothesis import Hypothesis

if TYPE_CHECKING:
    from translator.runtime.contract import SecondPass


@dataclass(kw_only=True, slots=True)
class Statistics:
    """What an engine has now, and has done since it began.

    Attributes:
        queued: sentences that wait.
        running: sentences in the batch.
        turns: steps, or several at once where the model takes them so.
        turn_sentences: sentences in the batch, summed over all turns.
        sentences: translated.
        source_tokens: of these, tags and ends included.
        target_tokens: of their best hypotheses.
        queue_s: how long they have waited, in sum.
        compute_s: how long they have then been in the batch, in sum.
        busy_s: time of all turns.
    """

    queued: int = 0
    running: int = 0
    turns: int = 0
    turn_sentences: int = 0
    sentences: int = 0
    source_tokens: int = 0
    target_tokens: int = 0
    queue_s: float = 0.0
    compute_s: float = 0.0
    busy_s: float = 0.0

    def __add__(self, other: Statistics) -> Statistics:
        """Return those of two engines together."""
        names = (field.name for field in fields(self))
        return Statistics(**{name: getattr(self, name) + getattr(other, name) for name in names})


class Times(NamedTuple):
    """When sentences were in an engine, on `time.monotonic`.

    Attributes:
        queued_s: the first was handed over.
        admitted_s: the first joined a batch.
        finished_s: the last was done.
    """

    queued_s: float
    admitted_s: float
    finished_s: float

    @property
    def queue_ms(self) -> float:
        """How long the first one waited."""
        return 1000 * (self.admitted_s - self.queued_s)

    @property
    def compute_ms(self) -> float:
        """How long it took from then until all were done."""
        return 1000 * (self.finished_s - self.admitted_s)

    @classmethod
    def around(cls, several: Iterable[Times | None]) -> Times | None:
        """Return those of several sentences together; None if there are none."""
        known = [times for times in several if times is not None]
        if not known:
            return None
        queued, admitted, finished = zip(*known, strict=True)
        return cls(min(queued), min(admitted), max(finished))


class Decoding(Future[list[Hypothesis]]):
    """A sentence in an engine, and in the end its hypotheses.

    Attributes:
        times: when it was where; known when it is done.
    """

    times: Times | None = None


class Engine(Protocol):
    """Translates source ids to hypotheses, many sentences at once."""

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        reverse_tag_id: int | None = None,
        group_size: int = 1,
        timeout_s: float | None = None,
        start_ids: Sequence[int] = (),
    ) -> Decoding:
        """Queue one sentence; safe to call from any thread.

        Args:
            source_ids: what the encoder reads: tag, pieces, EOS.
            options: how to search.
            reverse_tag_id: tag of the source's own language; needed for `options.reverse_weight`.
            group_size: sentences that are asked for together; small groups overtake large ones.
            timeout_s: after which the answer is no longer wanted; never if None.
            start_ids: what the decoder reads before its first choice; BOS if empty.

        Returns:
            a future of `options.num_hypotheses` hypotheses (or as many as exist), best first, or of
            a DeadlineExceededError. Cancelling it makes the sentence leave the queue, and the batch
            if the engine can do that.

        Raises:
            ValueError: there are no ids, or some that are not in the vocabulary, or reverse_weight
                without a tag.
            EngineOverloadedError: the queue is full.
            EngineClosedError: the engine has been closed or has died.
        """
        ...

    @property
    def is_alive(self) -> bool:
        """Whether `submit` can still succeed."""
        ...

    def statistics(self) -> Statistics:
        """Return what it has now and has done; safe to call from any thread."""
        ...

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights as they are arranged for decoding."""
        ...

    def second_pass(self) -> SecondPass | None:
        """Return what reads pairs faster than the reference; None if nothing does, or not yet.

        Each call makes another one, which shares the engine's weights but not its thread.
        """
        ...

    def share_threads(self, budget: ThreadBudget) -> None:
        """Take turns only within a budget of threads, which other engines share."""
        ...

    def close(self) -> None:
        """Stop; sentences still waiting fail with EngineClosedError."""
        ...
