"""One sentence in the engine, searched for once more if what came out is visibly wrong."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from translator.config import MAX_BEAM_SIZE, DecodingOptions
from translator.engine.call import EngineCall
from translator.engine.port import Decoding, Times
from translator.errors import EngineError
from translator.pipeline.chunks import Prefix
from translator.pipeline.degeneration import (
    Flag,
    Output,
    better,
    find_flags,
    log_prob_per_id,
    retry_options,
)
from translator.pipeline.numbers import NumberCheck, Variant
from translator.rules.comparison import AGREED, Disagreement
from translator.search.hypothesis import Hypothesis
from translator.search.length_penalty import length_penalty


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What the search for a chunk has come to.

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


MOST_LABEL_LOSS = 0.1
"""In nats an id. A label is translated from the other spelling if that costs no more: `Bread` from
`bread`; but `Done` is `Fertig`, and `done` is `getan`."""

LEAST_OF_RARE_WORD = -0.7
"""In nats an id. Of 1,600 frequent German nouns, the translations of 9 % are less probable than
this, two thirds of them wrong; of 312 names, 25 %, of which nine in ten are wrong."""


_WORD = re.compile(r"\s*(\w+|[^\w\s]+)")


def is_nearly_as_probable(one: Hypothesis, other: Hypothesis) -> bool:
    """Return whether one hypothesis is hardly less probable, by its ids, than another."""
    return log_prob_per_id(one) >= log_prob_per_id(other) - MOST_NUMBER_LOSS


def of_rare_word(result: SearchResult, word: str) -> SearchResult:
    """Return what a search for a rare word that stands alone has come to; many such are names.

    If the best translation is a guess, the word stays as it is, and the guess comes behind it. A
    translation that differs from the word by its capital alone is the word.
    """
    texts = [word if text.casefold() == word.casefold() else text for text in result.texts]
    result = dataclasses.replace(result, texts=texts)
    best = next(iter(result.hypotheses), None)
    if best is None or texts[0] == word or log_prob_per_id(best) >= LEAST_OF_RARE_WORD:
        return result
    flags = tuple(dict.fromkeys((*result.flags, "copied")))
    return dataclasses.replace(with_first(result, word), flags=flags)


def with_first(result: SearchResult, text: str) -> SearchResult:
    """Return a result whose best translation is a text; what the model found comes behind it."""
    others = [
        (hypothesis, other)
        for hypothesis, other in zip(result.hypotheses, result.texts, strict=True)
        if other != text
    ]
    kept = [(result.hypotheses[0], text), *others][: len(result.texts)]
    return dataclasses.replace(
        result, hypotheses=[one for one, _ in kept], texts=[other for _, other in kept]
    )


class SentenceSearch:
    """A sentence that has been submitted, and is asked for again if its translation is doubtful.

    There is a first answer, and there may be reasons to doubt it. Then the sentence is asked for in
    other ways: in its own words by a wider search, or with other words for its numbers, a
    `Variant`. The answer is the best that passes. Call `check`, `check_variant`, and `result`.
    """

    def __init__(
        self,
        call: EngineCall,
        source_ids: tuple[int, ...],
        options: DecodingOptions,
        decode: Callable[[tuple[int, ...]], str],
        source: Output,
        numbers: NumberCheck,
        prefix: Prefix | None = None,
        label_ids: tuple[int, ...] = (),
    ) -> None:
        """Submit a source: tag, pieces, EOS, and perhaps in another spelling; see `Chunk`.

        The pieces of the text alone, and the text, are `source`; `decode` returns the text of ids
        of a translation. All hypotheses begin with the prefix, and each goes on with another word.

        Raises:
            EngineError: see `EngineCall.submit`.
        """
        self._call, self._source_ids, self._options = call, source_ids, options
        self._decode, self._source, self._numbers = decode, source, numbers
        self._prefix = prefix
        self._first = self._submit(source_ids, options)
        self._label = self._submit(label_ids, options) if label_ids else None
        self._is_checked, self._first_length = False, 0
        self._doubts: tuple[Flag, ...] = ()
        self._wrong_numbers = AGREED
        self._wider: Decoding | None = None
        self._variants = list[Variant]()  # that are left to ask for
        self._asked = list[tuple[Variant, Decoding]]()
        self._is_variant_checked = False
        self._variant_answer: SearchResult | None = None

    def check(self) -> None:
        """Wait for the first answer, and ask again if it is doubtful; once."""
        if self._is_checked or not self._options.search_again:
            return
        self._is_checked = True
        if self._source.meaning is not None:
            return
        output = self._output(self._first_hypotheses()[0])
        self._first_length = len(output.ids) + 1
        self._call.earn(self._options.beam_size * self._first_length)
        flags = find_flags(self._source, output)
        self._wrong_numbers = wrong = self._numbers.wrong(output.text)
        if wrong != AGREED:
            flags = tuple(dict.fromkeys((*flags, self._numbers.flag(wrong))))
        self._doubts = flags
        if not flags:
            return
        if self._prefix is None and (wrong != AGREED or "placeholders" in flags):
            self._variants = self._numbers.variants(wrong)
        if self._prefix is None and "brackets" in flags:
            self._variants += self._numbers.with_brackets_apart()
        if flags in (("numbers",), ("placeholders",), ("brackets",)) and self._variants:
            self._ask_for_variant()  # helps nearly always, for a third of the time of all ways
        else:
            self._ask_in_all_ways()

    def check_variant(self) -> None:
        """Wait for the variant that was asked for alone; if it has not helped, ask in all ways."""
        if self._is_variant_checked or self._wider is not None or not self._asked:
            return
        self._is_variant_checked = True
        first = self._first_hypotheses()
        variant = self._best_variant(first)
        if variant and is_nearly_as_probable(variant.hypotheses[0], first[0]):
            self._variant_answer = variant
        else:
            self._ask_in_all_ways()

    @property
    def is_done(self) -> bool:
        """Whether what has been submitted is done."""
        return all(decoding.done() for decoding in self._submitted())

    @property
    def times(self) -> Times | None:
        """When it was searched for, all searches together; known when there is a result."""
        return Times.around(decoding.times for decoding in self._submitted())

    def result(self) -> SearchResult:
        """Wait; return the hypotheses, best first, and what is to be said about them."""
        result = self._best_result()
        if self._is_checked and result.texts and self._source.is_turned(result.texts[0]):
            result = dataclasses.replace(result, flags=(*result.flags, "negation"))
        meaning = self._source.meaning
        if meaning is not None and self._is_checked:
            return with_first(result, meaning)
        if self._source.is_rare_word and self._is_checked and self._prefix is None:
            return of_rare_word(result, self._source.text)
        return result

    def _best_result(self) -> SearchResult:
        first = self._first_hypotheses()
        if self._prefix is not None:
            first = self._with_other_words(first, self._prefix)
        if not self._doubts:
            return self._result_of(first, ())
        self.check_variant()
        if self._variant_answer is not None:
            return self._variant_answer
        wider = self._best_of_wider_search(first)
        if wider and (
            self._wrong_numbers == AGREED or is_nearly_as_probable(wider.hypotheses[0], first[0])
        ):
            return wider
        return self._best_variant(first) or wider or self._doubtful(first)

    def _ask_for_variant(self) -> None:
        """Submit the next variant; its numbers are easy, so the beam is narrow."""
        variant = self._variants.pop(0)
        narrow = dataclasses.replace(self._options, num_hypotheses=self._options.beam_size)
        if (decoding := self._ask(variant.source_ids, narrow)) is not None:
            self._asked.append((variant, decoding))

    def _ask_in_all_ways(self) -> None:
        """Submit the same sentence to a wider search, and all variants that are left."""
        options = retry_options(self._options, self._doubts, self._source.text)
        self._wider = self._ask(self._source_ids, options)
        while self._variants:
            self._ask_for_variant()

    def _ask(self, source_ids: tuple[int, ...], options: DecodingOptions) -> Decoding | None:
        if self._call.spend(options.beam_size * self._first_length):
            with suppress(EngineError):  # there is an answer all the same
                return self._submit(source_ids, options)
        return None

    def _submit(
        self, source_ids: tuple[int, ...], options: DecodingOptions, after: tuple[int, ...] = ()
    ) -> Decoding:
        prefix_ids = self._prefix.ids if self._prefix else ()
        return self._call.submit(source_ids, options, (*prefix_ids, *after))

    def _first_hypotheses(self) -> list[Hypothesis]:
        """Wait; return what was found for the source, in the spelling that has the better."""
        first = self._hypotheses(self._first)
        other = self._hypotheses(self._label) if self._label is not None else []
        if other and log_prob_per_id(other[0]) > log_prob_per_id(first[0]) - MOST_LABEL_LOSS:
            return other
        return first

    def _hypotheses(self, decoding: Decoding) -> list[Hypothesis]:
        found = self._call.finished(decoding).result()
        if not self._prefix:
            return found
        ids = self._prefix.ids
        return [dataclasses.replace(one, ids=(*ids, *one.ids)) for one in found]

    def _with_other_words(self, first: list[Hypothesis], prefix: Prefix) -> list[Hypothesis]:
        """Return the best hypothesis, and others that go on with another word behind the prefix.

        Beams often differ only in what comes later. So the likeliest next pieces are asked for,
        and each is led on. Hypotheses that make the prefix's last word longer do not count.
        """
        options, found = self._options, dict[str, Hypothesis]()
        if (word := self._next_word(first[0], prefix)) is not None:
            found[word] = first[0]
            if options.num_hypotheses == 1:
                return first
        size = min(2 * options.beam_size, MAX_BEAM_SIZE)
        one_step = dataclasses.replace(
            options,
            beam_size=size,
            num_hypotheses=size,
            max_length_factor=1e-9,
            max_length_offset=1,
        )
        pieces = self._call.finished(self._submit(self._source_ids, one_step)).result()
        led = [
            (piece, self._submit(self._source_ids, options, piece.ids))
            for piece in pieces
            if piece.ids
        ]
        others = list[Hypothesis]()
        for piece, decoding in led:
            for one in self._call.finished(decoding).result():
                ids, log_prob = (*piece.ids, *one.ids), piece.log_prob + one.log_prob
                score = log_prob / length_penalty(len(ids) + 1, options)
                others.append(
                    dataclasses.replace(
                        one, ids=(*prefix.ids, *ids), score=score, log_prob=log_prob
                    )
                )
        for other in sorted(others, key=lambda other: other.score, reverse=True):
            if (word := self._next_word(other, prefix)) is not None:
                found.setdefault(word, other)
        return [*found.values()][: options.num_hypotheses] or first[:1]

    def _keeps_prefix(self, hypothesis: Hypothesis) -> bool:
        return not self._prefix or self._next_word(hypothesis, self._prefix) is not None

    def _next_word(self, hypothesis: Hypothesis, prefix: Prefix) -> str | None:
        """Return the first word behind the prefix, or mark; None if the prefix ends inside one."""
        after = self._decode(hypothesis.ids)[len(prefix.text) :]
        if prefix.ends_word and after[:1].isalnum():
            return None
        word = _WORD.match(after)
        return word[1] if word else ""

    def _best_of_wider_search(self, first: Sequence[Hypothesis]) -> SearchResult | None:
        """Return what is better than the first answer, of the wider search and of the first."""
        if self._wider is None or self._call.finished(self._wider).exception() is not None:
            return None
        wider = (*first[1:], *self._hypotheses(self._wider))
        others = ((one, self._output(one)) for one in wider if self._keeps_prefix(one))
        good = self._better(first, self._doubts, others)
        return self._result_of(good, ("retried",)) if good else None

    def _best_variant(self, first: Sequence[Hypothesis]) -> SearchResult | None:
        for variant, decoding in self._asked:
            if self._call.finished(decoding).exception() is not None:
                continue
            outputs = [
                (hypothesis, Output(hypothesis.ids, text))
                for hypothesis in decoding.result()
                if (text := variant.with_numbers(self._decode(hypothesis.ids))) is not None
            ]
            good = self._better(first, ("numbers",), outputs)
            if good:
                texts = {hypothesis.ids: output.text for hypothesis, output in outputs}
                return SearchResult(
                    good, [texts[hypothesis.ids] for hypothesis in good], ("retried",)
                )
        return None

    def _doubtful(self, first: Sequence[Hypothesis]) -> SearchResult:
        was_retried = any(
            self._call.finished(decoding).exception() is None for decoding in self._asked_again()
        )
        flags = (*self._doubts, "retried") if was_retried else self._doubts
        return self._result_of(first, flags, self._wrong_numbers)

    def _submitted(self) -> Iterator[Decoding]:
        yield self._first
        if self._label is not None:
            yield self._label
        yield from self._asked_again()

    def _asked_again(self) -> Iterator[Decoding]:
        if self._wider is not None:
            yield self._wider
        yield from (decoding for _, decoding in self._asked)

    def _output(self, hypothesis: Hypothesis) -> Output:
        return Output(hypothesis.ids, self._decode(hypothesis.ids))

    def _result_of(
        self,
        hypotheses: Sequence[Hypothesis],
        flags: tuple[Flag, ...],
        numbers: Disagreement = AGREED,
    ) -> SearchResult:
        texts = [self._decode(hypothesis.ids) for hypothesis in hypotheses]
        return SearchResult(hypotheses, texts, flags, numbers)

    def _better(
        self,
        first: Sequence[Hypothesis],
        flags: Sequence[Flag],
        others: Iterable[tuple[Hypothesis, Output]],
    ) -> list[Hypothesis]:
        """Return as many of `others` as are needed to take the place of the first answer."""
        wrong = self._numbers.wrong
        good = better(self._source, first[0], flags, others, lambda text: wrong(text) == AGREED)
        return [*itertools.islice(good, len(first))]
