"""One sentence in the engine, searched for once more if what came out is visibly wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future

from translator.config import DecodingOptions
from translator.decoding.degeneration import Flag, Output, better, find_flags, retry_options
from translator.decoding.engine import Engine
from translator.decoding.hypothesis import Hypothesis
from translator.errors import TranslatorError


class SentenceSearch:
    """A sentence that has been submitted; `check` it, then take its `result`."""

    def __init__(
        self,
        engine: Engine,
        source_ids: Sequence[int],
        options: DecodingOptions,
        reverse_tag_id: int | None,
        group_size: int,
        decode: Callable[[Sequence[int]], str],
    ) -> None:
        """Submit.

        Args:
            engine: searches.
            source_ids: tag, pieces, EOS.
            options: of the search.
            reverse_tag_id: see `Engine.submit`.
            group_size: see `Engine.submit`.
            decode: returns the text of ids.

        Raises:
            EngineOverloadedError: too many sentences are waiting.
            EngineClosedError: the engine has been closed.
        """
        self._engine, self._source_ids, self._options = engine, source_ids, options
        self._rest, self._decode = (reverse_tag_id, group_size), decode
        self._flags: tuple[Flag, ...] = ()
        self._first = engine.submit(source_ids, options, *self._rest)
        self._second: Future[list[Hypothesis]] | None = None

    def _output(self, ids: Sequence[int]) -> Output:
        return Output(ids, self._decode(ids))

    def check(self) -> None:
        """Wait for the first search, and submit a second if its best hypothesis is flagged."""
        if not self._options.search_again:
            return
        best = self._first.result()[0]
        self._flags = find_flags(self._output(self._source_ids[1:-1]), self._output(best.ids))
        if self._flags:
            options = retry_options(self._options, self._flags)
            try:
                self._second = self._engine.submit(self._source_ids, options, *self._rest)
            except TranslatorError:  # overloaded or closing: there is an answer all the same
                return

    def result(self) -> tuple[list[Hypothesis], tuple[Flag, ...]]:
        """Wait; return the hypotheses, best first, and what is to be said about them."""
        first = self._first.result()
        if self._second is None:
            return first, self._flags
        try:
            second = self._second.result()
        except Exception:  # whatever became of the second search, there is an answer
            return first, self._flags
        source = self._output(self._source_ids[1:-1])
        others = [(found, self._output(found.ids)) for found in (*first[1:], *second)]
        good = better(source, first[0], self._flags, others)
        if good:
            return good[: len(first)], ("retried",)
        return first, (*self._flags, "retried")

    def cancel(self) -> None:
        """Give up; what is running leaves the batch."""
        self._first.cancel()
        if self._second is not None:
            self._second.cancel()
