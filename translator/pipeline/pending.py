"""A text whose sentences are in the engine, and what comes of it."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence

from translator.config import DecodingOptions
from translator.detection.own_words import is_own_word, is_rare_word
from translator.engine.call import EngineCall
from translator.engine.port import Times
from translator.errors import InputError
from translator.pipeline.chunks import Chunk, Prefix, beginning, chunks_of, sentence_of
from translator.pipeline.degeneration import Output
from translator.pipeline.numbers import NumberCheck
from translator.pipeline.options import OnStep, SearchOptions
from translator.pipeline.sentence_search import SearchResult, SentenceSearch
from translator.pipeline.steps import Batches, NumberedSentence
from translator.pipeline.translation import Candidate, SentenceTranslation, WrongNumbers
from translator.rules.capitals import after_salutation, follows_salutation
from translator.rules.formality import form_of_letter, has_other_form
from translator.rules.negation import turned_round
from translator.search.search import MOST_FORCED
from translator.text.brackets import lost_brackets, never
from translator.text.characters import has_spaces
from translator.text.marked import MarkedText, after
from translator.text.segmentation import split
from translator.tokens.port import Vocabulary

MOST_TOGETHER = 128
"""Sentences of a stream that come in one batch at most."""

Answer = Sequence[tuple[Chunk, SearchResult]]
"""The chunks of a sentence, each with its result; it is empty where there are no letters."""


class PendingText:
    """A text on its way: `submit`, then ask sentence by `sentence` or for the `whole`."""

    def __init__(
        self,
        text: MarkedText,
        options: SearchOptions,
        tokenizer: Vocabulary,
        max_source_ids: int,
        has_forms: bool = False,
    ) -> None:
        """Split a text into sentences, of which a chunk has `max_source_ids` at most.

        If the model knows both forms of address, a letter in English has the one that its
        salutation or its closing tells, unless another is asked for.
        """
        source = options.source
        keeps_code = tokenizer.num_placeholders > 0
        self._segments = split(text.text, source, keeps_code, text.spans, text.is_markdown)
        self._text, self._formality = text.text, options.formality
        if not self._formality and has_forms and source == "en" and self.num_sentences > 1:
            self._formality = form_of_letter(text.text)
        if self._formality:
            tokenizer = tokenizer.addressing(self._formality)
        self._tokenizer, self._max_source_ids = tokenizer, max_source_ids
        self._source, self._target, self._prefix = source, options.target, text.prefix
        self._known = self._segments.spans_within(text.spans)
        self._searches: list[list[tuple[Chunk, SentenceSearch | None]]] = []

    @property
    def num_sentences(self) -> int:
        """How many sentences the text has."""
        return len(self._segments.sentences)

    def submit(self, options: DecodingOptions, call: EngineCall) -> None:
        """Hand to the engine what there is to translate."""
        for number, known in enumerate(self._known):
            self._searches.append([])
            chunks = [
                *chunks_of(
                    self._segments.sentences[number],
                    self._tokenizer,
                    self._target,
                    self._max_source_ids,
                    known=known,
                    source=self._source,
                )
            ]
            call.grow(len(chunks) - 1)
            for chunk, prefix in self._begun(len(self._searches) - 1, chunks):
                search = self._search(call, chunk, options, prefix) if chunk.source_ids else None
                self._searches[-1].append((chunk, search))

    def _begun(self, number: int, chunks: Sequence[Chunk]) -> Iterator[tuple[Chunk, Prefix | None]]:
        """Yield the chunks of a sentence, the first that is translated with the prefix if any."""
        if self._prefix is None:
            yield from ((chunk, None) for chunk in chunks)
            return
        if sum(bool(chunk.source_ids) for chunk in chunks) > 1:
            raise InputError("prefix: the sentence is translated in parts; ask for a shorter one")
        for chunk in chunks:
            if not chunk.source_ids or self._prefix is None:
                yield chunk, None
                continue
            most = MOST_FORCED + 1 - len(self._tokenizer.start_ids(self._target))
            most = min(most, self._max_source_ids)
            prefix = after(self._segments.separators[number], self._prefix)
            yield beginning(chunk, prefix, self._tokenizer, most)
            self._prefix = None

    def _search(
        self, call: EngineCall, chunk: Chunk, options: DecodingOptions, prefix: Prefix | None
    ) -> SentenceSearch:
        source_ids, (before, after) = chunk.source_ids, self._tokenizer.frame
        text_ids = source_ids[before : len(source_ids) - after]
        text = self._tokenizer.decode_source(text_ids)
        lexicon = None if prefix else self._tokenizer.lexicon
        source = Output(
            text_ids,
            text,
            lambda word: is_own_word(word, self._source, self._target, self._tokenizer.log_prob),
            self._other_form(text),
            turned_round(self._source, self._target, text),
            lost_brackets(text),
            not chunk.label_ids and is_rare_word(text, self._tokenizer.log_prob),
            lexicon.translation(text, self._source, self._target) if lexicon else None,
        )
        numbers = NumberCheck(chunk, self._tokenizer, self._max_source_ids)
        decode = functools.cache(self._tokenizer.decode)
        label_ids = () if prefix else chunk.label_ids
        return SentenceSearch(call, source_ids, options, decode, source, numbers, prefix, label_ids)

    def _other_form(self, text: str) -> Callable[[str], bool]:
        wanted = self._formality
        if not wanted:
            return never
        english = text if self._source == "en" else ""
        return lambda german: has_other_form(german, english, wanted)

    def steps(self) -> tuple[list[str], list[str], list[str]]:
        """Return the sentences, what protection leaves of each, and the pieces that are read."""
        chunks = [chunk for pairs in self._searches for chunk, _ in pairs]
        return (
            list(self._segments.sentences),
            [chunk.protected.text for chunk in chunks],
            [" ".join(self._tokenizer.source_pieces(chunk.source_ids)) for chunk in chunks],
        )

    def searches(self) -> Iterator[SentenceSearch]:
        """Yield the searches for all sentences."""
        for number in range(self.num_sentences):
            yield from self._searches_of(number)

    def is_ready(self, number: int) -> bool:
        """Whether a sentence, or what is left behind the last one, can be had without waiting."""
        if number == self.num_sentences:
            return True
        searches = self._searches_of(number)
        for check in (SentenceSearch.check, SentenceSearch.check_variant):
            if not all(search.is_done for search in searches):
                return False
            for search in searches:  # which may have it searched for once more
                check(search)
        return all(search.is_done for search in searches)

    def sentence(self, number: int) -> SentenceTranslation:
        """Wait for a sentence, and return it; behind the last one comes what is left."""
        if number == self.num_sentences:
            return SentenceTranslation(separator=self._segments.separators[-1], source="", text="")
        for search in self._searches_of(number):
            search.check()
        return self._sentence(number, self._answer(number))

    def whole(self, num_alternatives: int) -> Iterator[SentenceTranslation]:
        """Wait for all sentences, and yield them; the last entry has the other translations."""
        answers = [self._answer(number) for number in range(self.num_sentences)]
        for number, answer in enumerate(answers):
            yield self._sentence(number, answer)
        last = self.sentence(self.num_sentences)
        if not num_alternatives:
            yield last
            return
        ranked = [self._candidate(answers, rank) for rank in range(num_alternatives + 1)]
        candidates = {one.text: one for one in reversed(ranked) if one}  # of equal ones the best
        _, *others = dict.fromkeys(one.text for one in ranked if one) or [""]
        yield dataclasses.replace(
            last, alternatives=tuple(others), candidates=tuple(reversed(candidates.values()))
        )

    def _searches_of(self, number: int) -> list[SentenceSearch]:
        return [search for _, search in self._searches[number] if search is not None]

    def _answer(self, number: int) -> Answer:
        return [
            (chunk, search.result() if search else SearchResult())
            for chunk, search in self._searches[number]
        ]

    def _sentence(self, number: int, answer: Answer) -> SentenceTranslation:
        results = [result for _, result in answer]
        best = [result.hypotheses[0] for result in results if result.hypotheses]
        wrong = [result.numbers for result in results]
        return SentenceTranslation(
            separator=self._segments.separators[number],
            source=self._segments.sentences[number],
            text=self._sentence_of_rank(number, answer, rank=0),
            score=sum(one.score for one in best) / len(best) if best else None,
            finish_reasons=tuple(hypothesis.finish_reason for hypothesis in best),
            flags=tuple(sorted({flag for result in results for flag in result.flags})),
            numbers=WrongNumbers(
                tuple(mention.text for one in wrong for mention in one.missing),
                tuple(mention.text for one in wrong for mention in one.added),
            ),
            times=Times.around(search.times for search in self._searches_of(number)),
        )

    def _candidate(self, answers: Sequence[Answer], rank: int) -> Candidate | None:
        """Return the text by the hypotheses of one rank; None if there was nothing to translate."""
        chosen = [
            result.hypotheses[min(rank, len(result.hypotheses) - 1)]
            for answer in answers
            for _, result in answer
            if result.hypotheses
        ]
        if not chosen:
            return None
        texts = [self._sentence_of_rank(n, answer, rank) for n, answer in enumerate(answers)]
        mean = sum(hypothesis.score for hypothesis in chosen) / len(chosen)
        total = sum(hypothesis.log_prob for hypothesis in chosen)
        return Candidate(self._segments.join(texts), mean, total)

    def _sentence_of_rank(self, number: int, answer: Answer, rank: int) -> str:
        """Return a sentence by the hypotheses of one rank; a chunk with fewer gives its last."""
        texts = [
            result.texts[min(rank, len(result.texts) - 1)] if result.texts else None
            for _, result in answer
        ]
        chunks = [chunk for chunk, _ in answer]
        text = sentence_of(self._segments.sentences[number], chunks, texts)
        if not any(result.texts for _, result in answer):
            return text
        above, separator = self._segments.sentences[number - 1], self._segments.separators[number]
        if number and follows_salutation(above, separator):
            text = after_salutation(text, self._target, self._tokenizer.log_prob)
        stop = self._segments.stop_behind(number, text) if has_spaces(self._target) else ""
        return text + stop + self._segments.space_behind(number, self._target)


def whole(pending: Sequence[PendingText], num_alternatives: int) -> Batches:
    """Yield the sentences of all texts in one batch."""
    searches = [search for text in pending for search in text.searches()]
    for search in searches:
        search.check()
    for search in searches:
        search.check_variant()
    yield [
        (number, sentence)
        for number, text in enumerate(pending)
        for sentence in text.whole(num_alternatives)
    ]


def as_they_come(pending: Sequence[PendingText]) -> Batches:
    """Yield each sentence when it is done, and with it those behind it that are done already."""
    batch = list[NumberedSentence]()
    for number, text in enumerate(pending):
        for place in range(text.num_sentences + 1):
            if batch and (len(batch) == MOST_TOGETHER or not text.is_ready(place)):
                yield batch
                batch = []
            batch.append((number, text.sentence(place)))
    yield batch


def show(pending: Sequence[PendingText], on_step: OnStep) -> None:
    """Tell of the last steps down; see `TextOptions.on_step`."""
    steps = [text.steps() for text in pending]
    for number, name in enumerate(("sentences", "protection", "pieces")):
        on_step(name, [shown for step in steps for shown in step[number]])
