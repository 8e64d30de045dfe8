"""The step `words`: the words of a translation, where each comes from, and how sure it is."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from translator.alignment.readable import readable_pair
from translator.alignment.words import translated_words
from translator.documents.markup.inline import TOKEN
from translator.pipeline.steps import BringUp, ModelStep, Question
from translator.pipeline.translation import SentenceTranslation
from translator.text.marked import MarkedText
from translator.text.spans import Span, find_spans

if TYPE_CHECKING:
    from translator.alignment.alignment import Alignment


class Words(ModelStep):
    """Says of each word of a translation where it comes from."""

    name = "words"
    has_log_probs = True

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return the text as it is."""
        end, tokenizer = 0, self.aligner.tokenizer

        def bring_up(sentence: SentenceTranslation) -> SentenceTranslation | Question:
            nonlocal end
            start = end + len(sentence.separator)
            end = start + len(sentence.source)
            known = [(a - start, b - start) for a, b in text.spans if start <= a and b <= end]
            has_tags = TOKEN.search(sentence.source) or TOKEN.search(sentence.text)
            if sentence.score is None or has_tags:
                return sentence
            spans: list[Span] = []
            if tokenizer.num_placeholders:
                spans = find_spans(sentence.source, known, tokenizer.alphabet)
            read, written = readable_pair(sentence.source, spans, sentence.text, tokenizer)

            def with_words(alignment: Alignment | None) -> SentenceTranslation:
                words = translated_words(read, written, alignment) if alignment else None
                return dataclasses.replace(sentence, words=words)

            return Question(read.text, written.text, with_words)

        return text, bring_up
