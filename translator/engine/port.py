"""The port to the decoding engine: the only place where a request changes threads."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields
from typing import Protocol

from translator.config import DecodingOptions
from translator.search.hypothesis import Hypothesis


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


class Engine(Protocol):
    """Translates source ids to hypotheses, many sentences at once."""

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        reverse_tag_id: int | None = None,
        group_size: int = 1,
        timeout_s: float | None = None,
    ) -> Future[list[Hypothesis]]:
        """Queue one sentence; safe to call from any thread.

        Args:
            source_ids: what the encoder reads: tag, pieces, EOS.
            options: how to search.
            reverse_tag_id: tag of the source's own language; needed for `options.reverse_weight`.
            group_size: sentences that are asked for together; small groups overtake large ones.
            timeout_s: after which the answer is no longer wanted; never if None.

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

    def close(self) -> None:
        """Stop; sentences still waiting fail with EngineClosedError."""
        ...
