"""One sentence in the engine, searched for once more if what came out is visibly wrong."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

from translator.config import DecodingOptions
from translator.decoding.degeneration import Flag, choose, find_flags, retry_options
from translator.decoding.engine import Engine
from translator.decoding.hypothesis import Hypothesis


class SentenceSearch:
    """A sentence that has been submitted; `check` it, then take its `result`."""

    def __init__(
        self,
        engine: Engine,
        source_ids: Sequence[int],
        options: DecodingOptions,
        reverse_tag_id: int | None,
        group_size: int,
    ) -> None:
        """Submit; see `Engine.submit` for the arguments and errors."""
        self._engine, self._source_ids, self._options = engine, source_ids, options
        self._rest = reverse_tag_id, group_size
        self._first = engine.submit(source_ids, options, *self._rest)
        self._second: Future[list[Hypothesis]] | None = None

    def check(self) -> None:
        """Wait for the first search, and submit a second if its best hypothesis is flagged."""
        best = self._first.result()[0]
        flags = find_flags(self._source_ids, best.ids)
        if flags:
            options = retry_options(self._options, flags)
            self._second = self._engine.submit(self._source_ids, options, *self._rest)

    def result(self) -> tuple[list[Hypothesis], tuple[Flag, ...]]:
        """Wait; return the hypotheses, best first, and what is to be said about them."""
        first = self._first.result()
        if self._second is None:
            return first, ()
        return choose(self._source_ids, first, self._second.result())

    def cancel(self) -> None:
        """Give up what has not begun."""
        self._first.cancel()
        if self._second is not None:
            self._second.cancel()
