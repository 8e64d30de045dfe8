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
from translator.text.numbers.comparison import AGREED, Disagreement
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
        self._variants: list[Variant] = []

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
        if self._wrong != AGREED or "placeholders" in self._flags:
            self._variants = self._numbers.variants(self._wrong)
        if self._flags in (("numbers",), ("placeholders",)) and self._variants:
            self._search_variant()  # helps nearly always, for a third of the time of all ways
        else:
            self._search_wider()

    def _search_variant(self) -> None:
        """Submit the next other way to ask; the numbers are easy now, so the beam is narrow."""
        variant = self._variants.pop(0)
        narrow = dataclasses.replace(self._options, num_hypotheses=self._options.beam_size)
        with suppress(EngineError):  # there is an answer all the same
            self._others.append((variant, self._call.submit(variant.source_ids, narrow)))

    def _search_wider(self) -> None:
        """Submit the same sentence to a wider search, and all ways to ask that are left."""
        options = retry_options(self._options, self._flags, self._source.text)
        with suppress(EngineError):  # there is an answer all the same
            self._second = self._call.submit(self._source_ids, options)
        while self._variants:
            self._search_variant()

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
        if not self._flags:
            return self._found(first, ())
        if self._second is None and self._others:
            by_variant = self._of_variants(first)
            if by_variant and is_nearly_as_probable(by_variant.hypotheses[0], first[0]):
                return by_variant
            self._search_wider()
        good = self._of_wider_search(first)
        found = self._found(good[: len(first)], ("retried",))
        if good and (self._wrong == AGREED or is_nearly_as_probable(good[0], first[0])):
            return found
        by_variant = self._of_variants(first)
        if by_variant or good:
            return by_variant or found
        _, *others = self._submitted()
        was_retried = any(self._call.finished(one).exception() is None for one in others)
        flags = (*self._flags, "retried") if was_retried else self._flags
        return self._found(first, flags, self._wrong)

    def _of_wider_search(self, first: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Return those that are better than the first of the first search, best first."""
        second = self._call.finished(self._second) if self._second else None
        if second is None or second.exception() is not None:
            return []  # there is an answer all the same
        others = [(found, self._output(found.ids)) for found in (*first[1:], *second.result())]
        return better(self._source, first[0], self._flags, self._with_right_numbers(others))

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
