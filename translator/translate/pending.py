"""A text whose sentences are in the engine, and what comes of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence

from translator.config import DecodingOptions
from translator.detection.own_words import is_own_word
from translator.engine.call import EngineCall
from translator.engine.port import Times
from translator.search.hypothesis import Hypothesis
from translator.text.formality import Formality, formality_of
from translator.text.marked import MarkedText
from translator.text.negation import turned_round
from translator.text.segmentation import split
from translator.tokens.chunks import Chunk, chunks_of, sentence_of
from translator.tokens.port import Vocabulary
from translator.translate.degeneration import Output, never
from translator.translate.numbers.check import NumberCheck
from translator.translate.sentence_search import Found, SentenceSearch
from translator.translate.translation import (
    Candidate,
    SentenceTranslation,
    Translation,
    WrongNumbers,
)

Decode = Callable[[tuple[int, ...]], str]
Answer = Sequence[tuple[Chunk, Found]]
"""The chunks of a sentence, each with what was found; nothing is for what has no letters."""


class PendingText:
    """A text on its way: `submit`, then `check`, then `sentences` or `translation`."""

    def __init__(
        self,
        text: MarkedText,
        source: str,
        target: str,
        tokenizer: Vocabulary,
        max_source_ids: int,
        formality: Formality | None = None,
    ) -> None:
        """Split a text.

        Args:
            text: any text.
            source: code of its language.
            target: code of the language wanted.
            tokenizer: of the model.
            max_source_ids: the most ids of one chunk.
            formality: how the translation is to address its reader; as the model does if None.
        """
        if formality:
            tokenizer = tokenizer.addressing(formality)
        self._formality = formality
        self._tokenizer, self._max_source_ids = tokenizer, max_source_ids
        self._source, self._target = source, target
        self._decode: Decode = functools.cache(tokenizer.decode)
        self._decode_source = self._decode
        if not tokenizer.is_shared:
            self._decode_source = functools.cache(tokenizer.decode_source)
        keeps_code = tokenizer.num_placeholders > 0
        self._segments = split(text.text, source, keeps_code, text.spans)
        self._known = self._segments.spans_within(text.spans)
        self._searches: list[list[tuple[Chunk, SentenceSearch | None]]] = []

    @property
    def num_sentences(self) -> int:
        """How many sentences the text has."""
        return len(self._segments.sentences)

    @property
    def is_done(self) -> bool:
        """Whether all that has been submitted is done."""
        return all(
            search is None or search.is_done for chunks in self._searches for _, search in chunks
        )

    def submit(self, options: DecodingOptions, call: EngineCall) -> None:
        """Hand to the engine what there is to translate."""
        for sentence, known in zip(self._segments.sentences, self._known, strict=True):
            self._searches.append([])
            chunks = chunks_of(
                *(sentence, self._tokenizer, self._target, self._max_source_ids, known),
                source=self._source,
                has_counts=options.search_again,
            )
            for chunk in chunks:
                search = None
                if chunk.source_ids:
                    search = self._search(call, chunk, options)
                self._searches[-1].append((chunk, search))

    def _search(self, call: EngineCall, chunk: Chunk, options: DecodingOptions) -> SentenceSearch:
        source_ids, (before, behind) = chunk.source_ids, self._tokenizer.frame
        text_ids = source_ids[before : len(source_ids) - behind]
        text = chunk.without_counts(self._decode_source(text_ids))
        turned = turned_round(self._source, self._target, text)
        source = Output(text_ids, text, self._is_own_word, self._other_form(text), turned)
        numbers = NumberCheck(chunk, self._tokenizer, self._max_source_ids)

        def decode(ids: tuple[int, ...]) -> str:
            return chunk.without_counts(self._decode(ids))

        return SentenceSearch(call, source_ids, options, decode, source, numbers)

    def _other_form(self, text: str) -> Callable[[str], bool]:
        """Return what says whether a translation of a text has another form than is asked for."""
        if not self._formality:
            return never
        english = text if self._source == "en" else ""
        return lambda german: formality_of(german, english) not in (None, self._formality)

    def _is_own_word(self, text: str) -> bool:
        return is_own_word(text, self._source, self._target, self._tokenizer.log_prob)

    def check(self) -> None:
        """Wait, and have the engine search once more for what is visibly wrong."""
        for number in range(self.num_sentences):
            self._check_sentence(number)

    def sentences(self) -> Iterator[SentenceTranslation]:
        """Yield each sentence as soon as it and all before it are done, then what is left."""
        for number in range(self.num_sentences):
            self._check_sentence(number)
            yield self._sentence(number, self._answer(number))
        yield SentenceTranslation(separator=self._segments.separators[-1], source="", text="")

    def translation(self, num_alternatives: int) -> Translation:
        """Wait for all sentences, and put them back between their separators."""
        answers = [self._answer(number) for number in range(self.num_sentences)]
        sentences = [self._sentence(number, one) for number, one in enumerate(answers)]
        ranked = [self._candidate(answers, rank) for rank in range(num_alternatives + 1)]
        candidates = {one.text: one for one in reversed(ranked) if one}  # of equal ones the best
        text = self._segments.join([sentence.text for sentence in sentences])
        found = [best for answer in answers for best in _best(answer)]
        others = dict.fromkeys(one.text for one in ranked if one and one.text != text)
        return Translation(
            text=text,
            alternatives=tuple(others),
            candidates=tuple(reversed(candidates.values())) if num_alternatives else (),
            score=_mean_score(found),
            finish_reasons=tuple(best.finish_reason for best in found),
            flags=tuple(sorted({flag for sentence in sentences for flag in sentence.flags})),
            sentences=tuple(sentences),
            times=Times.around(sentence.times for sentence in sentences),
        )

    def _check_sentence(self, number: int) -> None:
        for _, search in self._searches[number]:
            if search is not None:
                search.check()

    def _answer(self, number: int) -> Answer:
        """Wait for one sentence; return its chunks with what was found."""
        return [
            (chunk, search.result() if search else Found())
            for chunk, search in self._searches[number]
        ]

    def _sentence(self, number: int, answer: Answer) -> SentenceTranslation:
        best, every = _best(answer), [found for _, found in answer]
        wrong = [found.numbers for found in every]
        return SentenceTranslation(
            separator=self._segments.separators[number],
            source=self._segments.sentences[number],
            text=self._sentence_of_rank(number, answer, rank=0),
            score=_mean_score(best),
            finish_reasons=tuple(found.finish_reason for found in best),
            flags=tuple(sorted({flag for found in every for flag in found.flags})),
            numbers=WrongNumbers(
                tuple(mention.text for one in wrong for mention in one.missing),
                tuple(mention.text for one in wrong for mention in one.added),
            ),
            times=Times.around(search.times for _, search in self._searches[number] if search),
        )

    def _candidate(self, answers: Sequence[Answer], rank: int) -> Candidate | None:
        """Return the text by the hypotheses of one rank; None if there was nothing to translate."""
        chosen = [
            found.hypotheses[min(rank, len(found.hypotheses) - 1)]
            for answer in answers
            for _, found in answer
            if found.hypotheses
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
            found.texts[min(rank, len(found.texts) - 1)] if found.texts else None
            for _, found in answer
        ]
        chunks = [chunk for chunk, _ in answer]
        text = sentence_of(self._segments.sentences[number], chunks, texts)
        is_translated = any(found.texts for _, found in answer)
        return text + self._segments.space_behind(number, self._target) if is_translated else text


def _best(answer: Answer) -> list[Hypothesis]:
    return [found.hypotheses[0] for _, found in answer if found.hypotheses]


def _mean_score(found: Sequence[Hypothesis]) -> float | None:
    return sum(best.score for best in found) / len(found) if found else None
