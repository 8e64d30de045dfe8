"""An engine that keeps its answers, and one that gives them again without any search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from translator.config import DecodingOptions
from translator.engine.port import Decoding, Engine, Statistics
from translator.runtime.contract import SecondPass
from translator.runtime.thread_budget import ThreadBudget
from translator.search.hypothesis import Hypothesis

Asked = tuple[tuple[int, ...], DecodingOptions]


class Recorder:
    """An engine that keeps what it was asked and what it answered.

    Attributes:
        answers: to all sentences so far.
    """

    def __init__(self, engine: Engine) -> None:
        """Search with `engine`."""
        self.engine, self._decodings = engine, dict[Asked, Decoding]()

    @property
    def steps(self) -> int:
        """Wait for all answers; return the ids of the best hypotheses, times their beams."""
        return sum(
            options.beam_size * (len(found[0].ids) + 1)
            for (_, options), found in self.answers.items()
        )

    @property
    def answers(self) -> dict[Asked, list[Hypothesis]]:
        """Wait for all answers."""
        return {asked: decoding.result() for asked, decoding in self._decodings.items()}

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        group_size: int = 1,
        timeout_s: float | None = None,
        start_ids: Sequence[int] = (),
    ) -> Decoding:
        """Search."""
        asked = source_ids, options, group_size, timeout_s, start_ids
        found = self.engine.submit(*asked)
        self._decodings[tuple(source_ids), options] = found
        return found

    def __getattr__(self, name: str) -> Any:
        """Return what the engine has by that name."""
        return getattr(self.engine, name)


class Replay:
    """An engine that knows all answers beforehand.

    Attributes:
        is_alive: always.
        num_bytes: none.
    """

    is_alive, num_bytes = True, 0

    def __init__(self, answers: Mapping[Asked, list[Hypothesis]]) -> None:
        """Give `answers`."""
        self._answers = answers

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        group_size: int = 1,
        timeout_s: float | None = None,
        start_ids: Sequence[int] = (),
    ) -> Decoding:
        """Answer at once."""
        found = Decoding()
        found.set_result(self._answers[tuple(source_ids), options])
        return found

    def statistics(self) -> Statistics:
        """Return nothing done."""
        return Statistics()

    def second_pass(self) -> SecondPass | None:
        """Return nothing."""
        return None

    def share_threads(self, budget: ThreadBudget) -> NoReturn:
        """Refuse."""
        raise NotImplementedError

    def close(self) -> None:
        """Do nothing."""
