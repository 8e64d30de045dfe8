"""The step `capitals`: shouted words are read as ordinary ones, and shouted again in capitals."""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from translator.text.capitals import Emphasised, read_emphasis, shout
from translator.text.marked import MarkedText
from translator.text.spans import Span, find_spans, span_at
from translator.translate.ladder import BringUp, Question
from translator.translate.marks.words import Words
from translator.translate.translation import SentenceTranslation, TranslatedWord

if TYPE_CHECKING:
    from translator.patience import Patience
    from translator.translate.marks.alignment import Aligner
    from translator.translate.marks.tags import Tags


class Capitals(Words):
    """Finds shouted words; texts whose tags attention places keep theirs."""

    name = "capitals"

    def __init__(
        self, aligner: Aligner, target: str, patience: Patience, source: str, tags: Tags
    ) -> None:
        """Take what aligns, the language of the texts, and the step that takes their tags out."""
        super().__init__(aligner, target, patience)
        self._source, self._tags = source, tags

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return a text without its shouted words; a prefix says itself how it is written."""
        if text.prefix is not None:
            return text, None
        tokenizer = self.aligner.tokenizer
        keeps_code = tokenizer.num_placeholders > 0
        emphasised = read_emphasis(text, self._source, tokenizer.log_prob, keeps_code)
        if not emphasised.places or self._tags.takes_from(text):
            return text, None
        return emphasised.text, self._shouting(text, emphasised)

    def _shouting(self, original: MarkedText, emphasised: Emphasised) -> BringUp:
        end = 0

        def bring_up(sentence: SentenceTranslation) -> SentenceTranslation | Question:
            nonlocal end
            start = end + len(sentence.separator)
            end = start + len(sentence.source)
            places = emphasised.places[
                bisect.bisect_left(emphasised.places, (start,)) : bisect.bisect_left(
                    emphasised.places, (end,)
                )
            ]
            within = [(first - start, last - start) for first, last in places]
            sent = original.text[start:end]
            if not within:
                return dataclasses.replace(sentence, source=sent)

            def shout_words(words: Sequence[TranslatedWord] | None) -> SentenceTranslation:
                text = shouted(sentence.text, within, words or ())
                return dataclasses.replace(sentence, source=sent, text=text)

            if sentence.words is not None:
                return shout_words(sentence.words)
            return self.asked(sentence, (), shout_words)

        return bring_up


def shouted(text: str, places: Sequence[Span], words: Sequence[TranslatedWord]) -> str:
    """Return a translation with the words in capitals that come from shouted ones.

    Args:
        text: translated from ordinary words.
        places: of the shouted words in its source.
        words: of the translation.
    """
    spans = find_spans(text)  # such as an address, which may be linked to a shouted word
    for word in words:
        source = word.sources[0] if word.sources else None
        if span_at(word.start, spans):
            continue
        if source and any(first < source.end and source.start < last for first, last in places):
            text = text[: word.start] + shout(text[word.start : word.end]) + text[word.end :]
    return text
