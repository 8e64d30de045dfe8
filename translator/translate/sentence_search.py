"""One sentence in the engine, searched for once more if what came out is visibly wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from translator.config import DecodingOptions
from translator.engine.call import EngineCall
from translator.engine.port import Decoding, Times
from translator.errors import EngineError
from translator.search.hypothesis import Hypothesis
from translator.text.numbers.agreement import AGREED, Disagreement
from translator.translate.degeneration import (
    Flag,
    Output,
    better,
    find_flags,
    log_prob_per_id,
    retry_options,
)
from translator.translate.numbers.check import NumberCheck
from translator.translate.numbers.variants import Variant


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a chunk.

    Attributes:
        hypotheses: best first; none if there was nothing to translate.
        texts: of the hypotheses, with placeholders.
        flags: what is to be said about the best one.
        numbers: those that it has wrong.
    """

    hypotheses: Sequence[Hypothesis] = ()
    texts: Sequence[str] = ()
    flags: tuple[Flag, ...] = ()
    numbers: Disagreement = AGREED


MOST_NUMBER_LOSS = 0.3
"""In nats an id. A hypothesis with the right numbers that is less probable by more, such as one
that leaves words out, is taken only if no other way to ask gives one."""


def is_nearly_as_probable(one: Hypothesis, other: Hypothesis) -> bool:
    """Return whether one hypothesis is hardly less probable, by its ids, than another."""
    return log_prob_per_id(one) >= log_prob_per_id(other) - MOST_NUMBER_LOSS


class SentenceSearch:
    """A sentence that has been submitted; `check` it, then take its `result`."""

    def __init__(
        self,
        call: EngineCall,
        source_ids: tuple[int, ...],
        options: DecodingOptions,
        decode: Callable[[tuple[int, ...]], str],
        source: Output,
        numbers: NumberCheck,
    ) -> None:
        """Submit.

        Args:
            call: searches.
            source_ids: tag, pieces, EOS.
            options: of the search.
            decode: returns the text of ids of a translation.
            source: the pieces of the text alone, and the text.
            numbers: checks those of translations.

        Raises:
            EngineError: see `EngineCall.submit`.
        """
        self._call, self._source_ids, self._options = call, source_ids, options
        self._decode, self._source, self._numbers = decode, source, numbers
        self._flags: tuple[Flag, ...] = ()
        self._wrong = AGREED
        self._first = call.submit(source_ids, options)
        self._second: Decoding | None = None
        self._others: list[tuple[Variant, Decoding]] = []

    def _output(self, ids: tuple[int, ...]) -> Output:
        return Output(ids, self._decode(ids))

    def check(self) -> None:
        """Wait for the first search, and submit others if its best hypothesis is flagged."""
        if not self._options.search_again:
            return
        best = self._call.finished(self._first).result()[0]
        output = self._output(best.ids)
        self._flags = find_flags(self._source, output)
        self._wrong = self._numbers.wrong(output.text)
        if self._wrong != AGREED:
            self._flags = tuple(dict.fromkeys((*self._flags, self._numbers.flag(self._wrong))))
        if not self._flags:
            return
        options = retry_options(self._options, self._flags)
        with suppress(EngineError):  # there is an answer all the same
            self._second = self._call.submit(self._source_ids, options)
            narrow = dataclasses.replace(  # the numbers are easy now
                options,
                beam_size=self._options.beam_size,
                num_hypotheses=self._options.beam_size,
                no_repeat_ngram_size=self._options.no_repeat_ngram_size,
            )
            for variant in self._numbers.variants(self._wrong) if self._wrong != AGREED else ():
                self._others.append((variant, self._call.submit(variant.source_ids, narrow)))

    @property
    def is_done(self) -> bool:
        """Whether what has been submitted is done."""
        return all(decoding.done() for decoding in self._submitted())

    @property
    def times(self) -> Times | None:
        """When it was searched for, all searches together; known when there is a result."""
        return Times.around(decoding.times for decoding in self._submitted())

    def _submitted(self) -> Iterator[Decoding]:
        yield self._first
        if self._second is not None:
            yield self._second
        yield from (decoding for _, decoding in self._others)

    def result(self) -> Found:
        """Wait; return the hypotheses, best first, and what is to be said about them."""
        first = self._call.finished(self._first).result()
        if self._second is None:
            return self._found(first, self._flags, self._wrong)
        second = self._call.finished(self._second)
        if second.exception() is not None:  # there is an answer all the same
            return self._found(first, self._flags, self._wrong)
        others = [(found, self._output(found.ids)) for found in (*first[1:], *second.result())]
        good = better(self._source, first[0], self._flags, self._with_right_numbers(others))
        found = self._found(good[: len(first)], ("retried",))
        if good and (self._wrong == AGREED or is_nearly_as_probable(good[0], first[0])):
            return found
        by_variant = self._of_variants(first)
        if by_variant or good:
            return by_variant or found
        return self._found(first, (*self._flags, "retried"), self._wrong)

    def _found(
        self,
        hypotheses: Sequence[Hypothesis],
        flags: tuple[Flag, ...],
        numbers: Disagreement = AGREED,
    ) -> Found:
        texts = [self._decode(hypothesis.ids) for hypothesis in hypotheses]
        return Found(hypotheses, texts, flags, numbers)

    def _with_right_numbers(
        self, others: Iterable[tuple[Hypothesis, Output]]
    ) -> Iterator[tuple[Hypothesis, Output]]:
        """Yield the hypotheses whose numbers are those of the source."""
        for found, output in others:
            if self._numbers.wrong(output.text) == AGREED:
                yield found, output

    def _of_variants(self, first: Sequence[Hypothesis]) -> Found | None:
        """Return what was found by another way to ask, if its numbers are right."""
        for variant, decoding in self._others:
            if self._call.finished(decoding).exception() is not None:
                continue
            outputs = [
                (found, Output(found.ids, text))
                for found in decoding.result()
                if (text := variant.with_numbers(self._decode(found.ids))) is not None
            ]
            right = self._with_right_numbers(outputs)
            good = better(self._source, first[0], ("numbers",), right)[: len(first)]
            if good:
                texts = {found.ids: output.text for found, output in outputs}
                return Found(good, [texts[found.ids] for found in good], ("retried",))
        return None
