"""One sentence in the engine, searched for once more if what came out is visibly wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from translator.config import DecodingOptions
from translator.engine.call import EngineCall
from translator.engine.port import Decoding, Times
from translator.errors import EngineError
from translator.search.hypothesis import Hypothesis
from translator.translate.degeneration import Flag, Output, better, find_flags, retry_options


class SentenceSearch:
    """A sentence that has been submitted; `check` it, then take its `result`."""

    def __init__(
        self,
        call: EngineCall,
        source_ids: tuple[int, ...],
        options: DecodingOptions,
        decode: Callable[[tuple[int, ...]], str],
        source: Output,
    ) -> None:
        """Submit.

        Args:
            call: searches.
            source_ids: tag, pieces, EOS.
            options: of the search.
            decode: returns the text of ids of a translation.
            source: the pieces of the text alone, and the text.

        Raises:
            EngineError: see `EngineCall.submit`.
        """
        self._call, self._source_ids, self._options = call, source_ids, options
        self._decode, self._source = decode, source
        self._flags: tuple[Flag, ...] = ()
        self._first = call.submit(source_ids, options)
        self._second: Decoding | None = None

    def _output(self, ids: tuple[int, ...]) -> Output:
        return Output(ids, self._decode(ids))

    def check(self) -> None:
        """Wait for the first search, and submit a second if its best hypothesis is flagged."""
        if not self._options.search_again:
            return
        best = self._call.finished(self._first).result()[0]
        self._flags = find_flags(self._source, self._output(best.ids))
        if self._flags:
            options = retry_options(self._options, self._flags)
            with suppress(EngineError):  # there is an answer all the same
                self._second = self._call.submit(self._source_ids, options)

    @property
    def is_done(self) -> bool:
        """Whether what has been submitted is done."""
        return self._first.done() and (self._second is None or self._second.done())

    @property
    def times(self) -> Times | None:
        """When it was searched for, both searches together; known when there is a result."""
        return Times.around([self._first.times, self._second.times if self._second else None])

    def result(self) -> tuple[list[Hypothesis], tuple[Flag, ...]]:
        """Wait; return the hypotheses, best first, and what is to be said about them."""
        first = self._call.finished(self._first).result()
        if self._second is None:
            return first, self._flags
        second = self._call.finished(self._second)
        if second.exception() is not None:  # there is an answer all the same
            return first, self._flags
        others = [(found, self._output(found.ids)) for found in (*first[1:], *second.result())]
        good = better(self._source, first[0], self._flags, others)
        if good:
            return good[: len(first)], ("retried",)
        return first, (*self._flags, "retried")
