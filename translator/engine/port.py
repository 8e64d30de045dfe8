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
    from translator.runtime.contract import ForcedScorer


@dataclass(kw_only=True, slots=True)
class Statistics:
    """How many sentences an engine has now, and what it has done since it started."""

    queued: int = 0  # sentences that wait
    running: int = 0  # sentences in the batch
    turns: int = 0  # calls of the runtime, each of one decoder step or several
    turn_sentences: int = 0  # sentences in the batch, summed over all turns
    sentences: int = 0  # sentences translated
    source_tokens: int = 0  # tokens of their sources, including tags and EOS
    target_tokens: int = 0  # tokens of their best hypotheses
    queue_s: float = 0.0  # seconds that they waited, summed
    compute_s: float = 0.0  # seconds that they were then in the batch, summed
    busy_s: float = 0.0  # seconds of all turns

    def __add__(self, other: Statistics) -> Statistics:
        names = (field.name for field in fields(self))
        return Statistics(**{name: getattr(self, name) + getattr(other, name) for name in names})


class Times(NamedTuple):
    """When sentences were in an engine, in seconds of `time.monotonic`."""

    queued_s: float  # when the first was submitted
    admitted_s: float  # when the first joined a batch
    finished_s: float  # when the last was done

    @property
    def queue_ms(self) -> float:
        """Milliseconds that the first one waited."""
        return 1000 * (self.admitted_s - self.queued_s)

    @property
    def compute_ms(self) -> float:
        """Milliseconds from then until all were done."""
        return 1000 * (self.finished_s - self.admitted_s)

    @classmethod
    def around(cls, several: Iterable[Times | None]) -> Times | None:
        """Return the times of several sentences together; None if none are known."""
        measured = [times for times in several if times is not None]
        if len(measured) < 2:
            return measured[0] if measured else None
        queued, admitted, finished = zip(*measured, strict=True)
        return cls(min(queued), min(admitted), max(finished))


class Decoding(Future[list[Hypothesis]]):
    """A future: the hypotheses of a sentence that an engine decodes."""

    times: Times | None = None  # when it waited and was decoded; None until it is done


class Engine(Protocol):
    """Translates source ids to hypotheses, many sentences at once."""

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        group_size: int = 1,
        timeout_s: float | None = None,
        start_ids: Sequence[int] = (),
    ) -> Decoding:
        """Queue one sentence; safe to call from any thread.

        The encoder reads `source_ids`: tag, pieces, EOS, and the decoder `start_ids` before its
        first choice; BOS if empty. Of `group_size` sentences that are asked for together, small
        groups overtake large ones. After `timeout_s` seconds decoding is given up.

        Returns:
            a future of at most `options.num_hypotheses` hypotheses, best first, or of a
            DeadlineExceededError. If it is cancelled, the sentence leaves the queue, and the batch
            if the engine can do that.

        Raises:
            ValueError: there are no ids, or an id is not in the vocabulary.
            EngineOverloadedError: the queue is full.
            EngineClosedError: the engine has been closed or has died.
        """

    @property
    def is_alive(self) -> bool:
        """Whether `submit` can still succeed."""

    def statistics(self) -> Statistics:
        """Return the engine's statistics; safe to call from any thread."""

    @property
    def num_bytes(self) -> int:
        """Bytes that the weights take, as they are arranged for decoding."""

    def forced_scorer(self) -> ForcedScorer | None:
        """Return what scores pairs faster than the reference model; None if there is nothing yet.

        Each call returns a new one, which shares the engine's weights but not its thread.
        """

    def share_threads(self, budget: ThreadBudget) -> None:
        """Decode only with threads of this budget, which other engines share."""

    def close(self) -> None:
        """Stop; sentences still waiting fail with EngineClosedError."""
